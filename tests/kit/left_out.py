"""The property by which a test names a step that this machine has no place for."""

from typing import Final

LEFT_OUT: Final = "left_out"
"""Its value is a sentence, which the closing lines of the tests repeat."""
