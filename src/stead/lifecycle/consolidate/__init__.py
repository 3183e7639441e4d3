"""Consolidation as pure planning: what to look at together, and what becomes of it (R36). `stead.memory.consolidating` writes."""
