"""The linter's findings: what is well formed, and yet probably not meant."""

import attrs


@attrs.frozen
class Finding:
    """One thing that the author should look at."""

    where: str
    """The id of the pack or of the scenario."""
    subject: str
    """What it is about: an id, or the key of a field."""
    reason: str
    is_asked: bool = attrs.field(default=False, eq=False, repr=False)
    """Whether it is wrong where something is named, rather than where it is brought into being."""

    def __str__(self) -> str:
        return f"{self.where}: {self.subject}: {self.reason}"
