"""
The errors of a room, by recipient.

`Refused` is expected and goes to the seat that asked. `RuleFailed` is our own mistake in a rule,
and the seat gets the number of its report. The others concern a log that cannot be continued as it
stands.
"""

from protocol.common.text import Text
from protocol.event import Record


class Refused(Exception):
    """An input is not allowed now. Nothing has changed."""

    def __init__(self, code: str, reason: Text | None = None) -> None:
        """
        Refuse with a code.

        Args:
            code: stable, such as `answer/stale`; the words live in the catalogs.
            reason: the ruleset's reason, for the asker alone; None for the words of the code.
        """
        super().__init__(code)
        self.code = code
        self.reason = reason


class RuleFailed(Exception):
    """A rule raised. Nothing of the batch is stored; the cause is chained."""

    def __init__(self, report: str) -> None:
        """Name the report that players see and operators find in the log."""
        super().__init__(f"a rule failed; report {report}")
        self.report = report


class LogError(Exception):
    """A log that cannot be read or continued."""

    def __init__(self, sequence: int, reason: str) -> None:
        """Name the sequence of the fault, and the reason."""
        super().__init__(f"event {sequence}: {reason}")
        self.sequence = sequence


class TruncatedLog(LogError):
    """The log ends inside a batch, at this sequence."""


class Diverged(LogError):
    """Today's rules write another event at this sequence."""

    def __init__(
        self,
        sequence: int,
        reason: str,
        logged: Record | None = None,
        written: Record | None = None,
    ) -> None:
        """Say where and why, and which record is on the log instead of the one that is written."""
        super().__init__(sequence, reason)
        self.logged, self.written = logged, written


class RulesStopped(LogError):
    """In a replay, today's rules refuse or fail before they write the record at this sequence."""

    def __init__(self, sequence: int, refused: str) -> None:
        """Say where; `refused` is the code of a refusal, empty if a rule failed."""
        reason = f"the rules refuse it: {refused}" if refused else "the rules fail"
        super().__init__(sequence, reason)
        self.refused = refused


class TooManySteps(Exception):
    """The rules took more steps than the caller of a replay allows."""


class RecordNeeded(Exception):
    """
    A record is needed that only the store has. Nothing has changed.

    The caller reads it, passes it to `Room.recall` and repeats the call.
    """

    def __init__(self, sequence: int) -> None:
        """Name the sequence of the record."""
        super().__init__(f"event {sequence} is not in memory")
        self.sequence = sequence
