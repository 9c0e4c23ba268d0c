"""Finds the woods as an installed game, in a warm process from which programs are forked."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "installed"))
