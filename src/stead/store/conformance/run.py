"""Running the checks: each in a subject of its own, in one store that was empty before."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from dataclasses import dataclass

from stead.store.conformance import (
    checks_background,
    checks_erasing,
    checks_forgetting,
    checks_governing,
    checks_keys,
    checks_moving,
    checks_time,
)
from stead.store.conformance.bench import CHECKS, TENANT, Bench, Check
from stead.store.opening import open_backend

SUITES = (
    checks_keys, checks_time, checks_governing, checks_forgetting, checks_erasing, checks_moving, checks_background,
)  # fmt: skip
"""The modules whose checks register themselves when they are imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one check showed."""

    name: str
    rule: str
    passed: bool
    detail: str = ""


def run(address: str) -> Iterator[Result]:
    """Run every check on the store of an address, which must be new or empty.

    Parameters
    ----------
    address
        A path, or the URL of another backend.

    Yields
    ------
    Result
        One for each check, in order.
    """
    backend = open_backend(address, tenant=TENANT, now=1)
    try:
        for name, each in CHECKS.items():
            yield _run_one(Bench(address=address, backend=backend, name=name), name, each)
    finally:
        backend.close()


def _run_one(bench: Bench, name: str, each: Check) -> Result:
    rule = (each.__doc__ or "").split(":")[0]
    try:
        each(bench)
    except Exception as error:  # noqa: BLE001 - a check reports whatever went wrong, and the next one runs
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Result(
            name=name, rule=rule, passed=False, detail=f"{type(error).__name__}: {error} (line {where.lineno})"
        )
    finally:
        for other in bench.made:
            other.close()
    return Result(name=name, rule=rule, passed=True)
