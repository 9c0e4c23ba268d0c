"""Name of the property by which a test records a step that this machine cannot run."""

from typing import Final

LEFT_OUT: Final = "left_out"
"""Its value is a sentence, which the closing lines of the tests repeat."""
