"""`python -m server.authoring`: another way to start `manse content`."""

import sys

from server.authoring.cli import main

sys.exit(main(sys.argv[1:]))
