"""``python -m stead.store.conformance --store URL``: one line a check, then a summary; exits 1 when one failed."""

from __future__ import annotations

import argparse
import sys

from stead.errors import SteadError
from stead.store.conformance.run import run


def main(arguments: list[str] | None = None) -> int:
    """Run the suite and print its report."""
    parser = argparse.ArgumentParser(prog="python -m stead.store.conformance", description=__doc__)
    parser.add_argument("--store", required=True, help="a new file, or the URL of a backend, empty before")
    address = parser.parse_args(arguments).store
    results = []
    try:
        for result in run(address):
            results.append(result)
            line = f"{'ok    ' if result.passed else 'FAILED'} {result.rule:<14} {result.name}"
            sys.stdout.write(f"{line}  {result.detail}".rstrip() + "\n")
    except SteadError as error:
        sys.stderr.write(f"error[{error.code}]: {error.message}\n")
        return error.exit_code
    failed = sum(not result.passed for result in results)
    sys.stdout.write(f"{len(results) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
