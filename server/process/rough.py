"""
Rough numbers: follow an exact number in steps of random length.

Whoever reads metrics may also send bytes to the server, and so bring an exact number, or one in
fixed steps, to the brink of a step: then one more message tells whether it had one byte or two. The
end of a random step is known to nobody before it is passed, and the next one is drawn afterwards.
"""

from collections.abc import Callable
from typing import Final

import attrs

STEP_BYTES: Final = 1 << 20
"""Average length of a step. A difference of one byte shows once in so many messages."""


@attrs.define(eq=False)
class RoughNumber:
    """Rounds `exact` in random steps, each from half of `step` to one and a half times `step`."""

    exact: Callable[[], int]
    draw: Callable[[int], int]
    """Returns a random number from 0 up to, but not including, its argument."""
    step: int = STEP_BYTES
    _shown: int = attrs.field(default=0, init=False)
    _above: int = attrs.field(init=False)
    """The number from which on another is shown."""
    _below: int = attrs.field(default=0, init=False)
    """The number below which another is shown."""

    def __attrs_post_init__(self) -> None:
        """Draw the first step."""
        self._above = self._length()

    def _length(self) -> int:
        return self.step // 2 + self.draw(self.step)

    def read(self) -> int:
        """Return the last end of a step that the exact number has passed."""
        exact = self.exact()
        while exact >= self._above:
            self._show(self._above)
        while exact < self._below:
            # Nothing at all is shown as such: a queue that is empty must not look full.
            self._show(self._below if exact else 0)
        return self._shown

    def _show(self, end: int) -> None:
        self._shown = end
        self._above = end + self._length()
        self._below = max(1, end - self._length()) if end else 0
