"""Percentiles."""

import math
from collections.abc import Sequence


def at_most(samples: Sequence[float], part: float) -> float:
    """Return the smallest of these numbers that so large a part of them does not exceed."""
    return sorted(samples)[max(0, math.ceil(part * len(samples)) - 1)]
