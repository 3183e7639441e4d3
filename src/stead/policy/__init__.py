"""The write policy: may it be remembered at all, for how long, and who is asked first (R15, R16, R19)."""

from stead.policy.policy import SENSITIVE, Attribute, Category, Limits, Policy, Route, RouteRule
from stead.policy.reading import load

__all__ = ["SENSITIVE", "Attribute", "Category", "Limits", "Policy", "Route", "RouteRule", "load"]
