"""Resolution: what a candidate does to what is already there."""

from stead.resolve.contests import Contest, contests, question_id
from stead.resolve.local import contested_records, resolve, tail_ends
from stead.resolve.verdict import Resolver, Verdict

__all__ = ["Contest", "Resolver", "Verdict", "contested_records", "contests", "question_id", "resolve", "tail_ends"]
