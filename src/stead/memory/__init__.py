"""The verbs: stores, subjects and sessions."""

from stead.memory.session import Session
from stead.memory.store import Store, Subject, open_store

__all__ = ["Session", "Store", "Subject", "open_store"]
