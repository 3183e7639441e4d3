"""`python -m stead` is the command line."""

import sys

from stead.surfaces.cli import main

if __name__ == "__main__":
    sys.exit(main())
