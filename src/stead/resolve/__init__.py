"""Resolution: what a candidate does to what is already there."""

from stead.resolve.arbitrate import ARBITRATION, arbitrate
from stead.resolve.contests import Contest, contests, question_id
from stead.resolve.local import contested_records, resolve, tail_ends
from stead.resolve.verdict import Resolver, Verdict
from stead.resolve.width import width

__all__ = [
    "ARBITRATION",
    "Contest",
    "Resolver",
    "Verdict",
    "arbitrate",
    "contested_records",
    "contests",
    "question_id",
    "resolve",
    "tail_ends",
    "width",
]
