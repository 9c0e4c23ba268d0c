"""
The difference between a log and the records that the rules write for its inputs.

Servers that play a log again find the difference, and `manse verify` describes it.
"""

from protocol.values import frozen


@frozen
class Difference:
    """The first record of a log that the rules do not write."""

    sequence: int
    logged: str
    """The kind of the record on the log; empty if the log ends before this record."""
    written: str = ""
    """The kind of the record that the rules write instead; empty if the rules write no record."""
    place: str = ""
    """The path of the first value that differs, if both records are of one kind."""
    found: str = ""
    """The differing value on the log."""
    expected: str = ""
    """The value that the rules write."""
    refused: str = ""
    """The code of the refusal, if the rules refuse the input in this record."""

    @property
    def reason(self) -> str:
        """The difference as a sentence in English, for scripts."""
        if self.refused:
            return f"the rules refuse this {self.logged}: {self.refused}"
        if self.place:
            return f"{self.place} is {self.found}; the rules write {self.expected}"
        if self.written:
            return f"it is a {self.logged}; the rules write a {self.written}"
        return f"the rules do not lead to this {self.logged}"
