"""Guards: what is looked at before a text is stored, logged, embedded or sent to a model (R5, R15, R48)."""

from stead.policy.guards.hostile import Hostile, hostile
from stead.policy.guards.pii import pii
from stead.policy.guards.secrets import Finding, Redacted, redact
from stead.policy.guards.sensitive import sensitive

__all__ = ["Finding", "Hostile", "Redacted", "hostile", "pii", "redact", "sensitive"]
