"""What lies beside a store and outlives it: its keys, and the ledger of what was erased (R32, R33)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from stead.ids import random_bytes
from stead.store.erasing import ERASED

if TYPE_CHECKING:
    from collections.abc import Callable

    from stead.lifecycle.erase.keys import Keys
    from stead.lifecycle.erase.ledger import Ledger

    Mark = Callable[..., bytes]


@dataclass(slots=True)
class Vault:
    """The keys and the ledger of one store, opened when they are first needed."""

    path: str
    """Of the store."""
    _keys: list[Keys] = field(default_factory=list)

    @property
    def keys_path(self) -> Path:
        """Where the keys lie."""
        return Path(f"{self.path}.keys")

    @property
    def ledger_path(self) -> Path:
        """Where the ledger lies."""
        return Path(f"{self.path}.ledger")

    def keys(self, *, create: bool = False) -> Keys:
        """Return the keys.

        Raises
        ------
        KeysMissing
        """
        if not self._keys:
            from stead.lifecycle.erase.keys import open_keys  # cryptography: only for who erases or backs up

            new = (
                create and not self.ledger_path.exists()
            )  # a ledger without keys: they were lost, and others don't fit
            self._keys.append(open_keys(self.keys_path, create=new, random_bytes=random_bytes))
        return self._keys[0]

    def ledger(self) -> Ledger:
        """Return the ledger."""
        from stead.lifecycle.erase.ledger import Ledger

        return Ledger(self.ledger_path)

    def mark(self, subject: int) -> Mark:
        """Return the function that makes a subject's keyed fingerprints."""
        return partial(self.keys().fingerprint, str(subject))

    def pseudonym(self, name: str) -> str:
        """Return what stands in the place of the name of a subject that was erased whole."""
        return ERASED + self.keys().fingerprint("subject", name).hex()
