"""Run the command line: `python -m driftwatch`."""

import sys

from driftwatch.cli import main

if __name__ == "__main__":
    sys.exit(main())
