"""Remarks on a pack: mistakes, findings and notes, each with its place."""

import enum

import attrs

from content.reading.mistakes import ContentError, Place


class Level(enum.Enum):
    """Severity of a remark."""

    MISTAKE = "mistake"
    """The pack cannot be used."""
    FINDING = "finding"
    """The pack can be used, but the author should look at it."""
    NOTE = "note"
    """Nothing is wrong; it tells the author what the pack is like."""


@attrs.frozen(order=True)
class Remark:
    """One mistake, finding or note."""

    file: str
    line: int
    column: int
    key: str
    """Path of keys inside the file; for others, the id or key that they are about."""
    reason: str
    """The problem, and what to do about it."""
    level: str = Level.MISTAKE.value

    @classmethod
    def of_mistake(cls, error: ContentError) -> "Remark":
        """Return a mistake as a remark."""
        return cls(error.file, error.line, error.column, error.key, error.reason)

    def as_mistake(self) -> ContentError:
        """Return the remark as a mistake."""
        return ContentError(self.file, self.line, self.column, self.key, self.reason)

    @classmethod
    def of_finding(cls, place: Place, subject: str, reason: str) -> "Remark":
        """Return a finding as a remark, at the place where the author can fix it."""
        return cls(place.file, place.line, place.column, subject, reason, Level.FINDING.value)

    @classmethod
    def of_note(cls, place: Place, subject: str, reason: str) -> "Remark":
        """Return a note as a remark."""
        return cls(place.file, place.line, place.column, subject, reason, Level.NOTE.value)

    def __str__(self) -> str:
        key = f"{self.key}: " if self.key else ""
        return f"{self.file}:{self.line}:{self.column}: {key}{self.reason}"
