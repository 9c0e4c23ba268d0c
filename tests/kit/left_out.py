"""Name of the property by which a test records a step that this machine cannot run."""

from typing import Final

LEFT_OUT: Final = "left_out"
"""Name of the property; its value is a sentence for the summary of the test run."""
