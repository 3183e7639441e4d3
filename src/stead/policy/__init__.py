"""The write policy. Routes and categories come later; today it says which attributes take many values."""

from stead.policy.policy import Policy, load

__all__ = ["Policy", "load"]
