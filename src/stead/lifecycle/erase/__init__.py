"""Erasure outside of the rows: the keys, the ledger, and the bytes of the files (R32, R33)."""
