"""What a doctor says of erasures: which are open, and whether keys and ledger lie beside the file and are sound (R32, R33)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stead.errors import KeysMissing, SteadError

if TYPE_CHECKING:
    from stead.memory.core import Core


def erasing(core: Core) -> dict[str, object]:
    """Return what is open, what lies beside the file, and what is wrong with it; ids and numbers only.

    ``sound`` is False where something is wrong, and None where nothing was erased yet. An erasure that isn't complete is
    nothing wrong: it can't be read, and is gone on with.
    """
    with core.backend.read() as store:
        unfinished = [each.id for each in store.unfinished()]
        fenced = store.is_fenced(None)
    keys, ledger = core.vault.keys_path.exists(), core.vault.ledger_path.exists()
    entries, problems = _verified(core) if fenced or ledger else (0, [])
    return {
        "unfinished": unfinished, "keys": keys, "ledger": ledger, "entries": entries,
        "sound": not problems if fenced or ledger else None, "problems": problems,
    }  # fmt: skip


def _verified(core: Core) -> tuple[int, list[str]]:
    from stead.memory.receipts import verify_own

    try:
        found = verify_own(core)
    except KeysMissing:
        return 0, ["the keys are missing: nothing can be erased, backed up or verified; put the file back"]
    except SteadError as error:
        return 0, [error.code]
    return found.entries, list(found.problems)
