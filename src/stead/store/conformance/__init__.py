"""The contract of a backend as a suite that ships: run it on any store, from the command line or from tests.

``python -m stead.store.conformance --store sqlite:///some/new/file.db``
"""

from stead.store.conformance.run import Result, run

__all__ = ["Result", "run"]
