"""
Rough numbers: follow an exact number in steps of random length.

Somebody who reads the metrics can also send bytes to the server. With exact numbers, or with steps
of fixed length, they could bring a number close to the end of a step, and so learn the exact length
of the next message. The end of a random step is unknown until the number passes it, and the next
step is drawn afterwards.
"""

from collections.abc import Callable
from typing import Final

import attrs

STEP_BYTES: Final = 1 << 20
"""Average length of a step: one message in about this number reveals a difference of one byte."""


@attrs.define(eq=False)
class RoughNumber:
    """Rounds `exact` in random steps, each from half of `step` to one and a half times `step`."""

    exact: Callable[[], int]
    draw: Callable[[int], int]
    """Returns a random number from 0 up to, but not including, its argument."""
    step: int = STEP_BYTES
    _shown: int = attrs.field(default=0, init=False)
    _above: int = attrs.field(init=False)
    """Exact number from which on the shown number rises."""
    _below: int = attrs.field(default=0, init=False)
    """Exact number below which the shown number falls."""

    def __attrs_post_init__(self) -> None:
        self._above = self._length()

    def _length(self) -> int:
        return self.step // 2 + self.draw(self.step)

    def read(self) -> int:
        """
        Return the shown number: the end of the step that the exact number has passed last.

        It is 0 if the exact number has fallen to 0.
        """
        exact = self.exact()
        while exact >= self._above:
            self._show(self._above)
        while exact < self._below:
            # 0 is shown as 0: an empty queue must not look full.
            self._show(self._below if exact else 0)
        return self._shown

    def _show(self, end: int) -> None:
        self._shown = end
        self._above = end + self._length()
        self._below = max(1, end - self._length()) if end else 0
