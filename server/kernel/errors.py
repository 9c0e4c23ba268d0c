"""
The errors of a room, by recipient.

`Refused` is expected and goes to the seat that asked. `RuleFailed` is our own mistake in a rule,
and the seat gets the number of its report. The other errors concern a log that cannot be continued.
"""

from protocol.common.asks import Reason
from protocol.event import Record


class Refused(Exception):
    """The input is not allowed now. The room is unchanged."""

    def __init__(self, code: str, reasons: tuple[Reason, ...] = ()) -> None:
        """
        Refuse with a code.

        Args:
            code: stable id such as `answer/stale`; catalogs hold its words.
            reasons: those of the ruleset, shown to the asker alone; empty for the words of the
                code.
        """
        super().__init__(code)
        self.code = code
        self.reasons = reasons


class RuleFailed(Exception):
    """A rule raised an exception, which is chained. Nothing of the batch is stored."""

    def __init__(self, report: str) -> None:
        """Name the report: players see its number, and operators find it in the server's log."""
        super().__init__(f"a rule failed; report {report}")
        self.report = report


class LogError(Exception):
    """The log cannot be read or continued."""

    def __init__(self, sequence: int, reason: str) -> None:
        super().__init__(f"event {sequence}: {reason}")
        self.sequence = sequence


class TruncatedLog(LogError):
    """The log ends inside a batch, or a record is missing."""


class Diverged(LogError):
    """Today's rules write another event than the log has at this sequence, or fail there."""

    def __init__(
        self,
        sequence: int,
        reason: str,
        logged: Record | None = None,
        written: Record | None = None,
    ) -> None:
        """Name the sequence and the reason; give the logged record and the one the replay wrote."""
        super().__init__(sequence, reason)
        self.logged, self.written = logged, written


class RulesStopped(LogError):
    """In a replay, today's rules refuse or fail before they write the record at this sequence."""

    def __init__(self, sequence: int, refused: str) -> None:
        """Name the sequence; `refused` is the code of a refusal, empty if a rule failed."""
        reason = f"the rules refuse it: {refused}" if refused else "the rules fail"
        super().__init__(sequence, reason)
        self.refused = refused


class TooManySteps(Exception):
    """The rules took more steps than the caller of a replay allows."""


class ContentNeeded(Exception):
    """In a replay, the room needs content that the caller does not have."""

    def __init__(self, digest: bytes) -> None:
        """Name the hash of the content."""
        super().__init__(f"content {digest.hex()}")
        self.digest = digest


class RecordNeeded(Exception):
    """
    The room needs a record that is only in the store. The room is unchanged.

    The caller reads the record, passes it to `Room.recall` and repeats the call.
    """

    def __init__(self, sequence: int) -> None:
        super().__init__(f"event {sequence} is not in memory")
        self.sequence = sequence
