"""Percentiles."""

import math
from collections.abc import Sequence


def at_most(samples: Sequence[float], part: float) -> float:
    """Return the smallest sample that is not exceeded by the share `part` of all samples."""
    return sorted(samples)[max(0, math.ceil(part * len(samples)) - 1)]
