"""
Timers: a time limit over all questions that a rule asks between opening and closing one.

Whether a timer is over follows from the log alone: from its own record, the presence of the seats,
and the time-out of the question that was open when its time was up.
"""

import attrs

MAX_UNASKED = 1000
"""Maximum number of questions that a rule may put after the time of its timer is over."""


@attrs.define(eq=False)
class Timer:
    """A time limit over the questions of a rule."""

    is_over: bool = False
    """True once its time is over: every further question takes its default without being asked."""
    _unasked: int = attrs.field(default=0, init=False)

    def count_unasked(self) -> None:
        """
        Count a question that is not asked because the time is over.

        Raises:
            RuntimeError: the rule asks on without end.
        """
        self._unasked += 1
        if self._unasked > MAX_UNASKED:
            raise RuntimeError("a rule asks on after the time of its timer is over")
