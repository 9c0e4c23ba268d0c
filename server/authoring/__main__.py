"""`python -m server.authoring`: the same as `manse content`."""

import sys

from server.authoring.cli import main

sys.exit(main(sys.argv[1:]))
