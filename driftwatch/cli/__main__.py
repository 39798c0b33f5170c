"""`python -m driftwatch.cli`: the same as the `driftwatch` command."""

import sys

from driftwatch.cli.main import main

sys.exit(main())
