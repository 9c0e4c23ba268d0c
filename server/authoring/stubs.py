"""Stubs of words, which `manse content words` writes into the files of a pack."""

from collections.abc import Sequence
from pathlib import Path

import attrs

from content.reading.gaps import Gap, with_stubs
from content.reading.mistakes import ContentError, ContentErrors
from server.packs import sandbox


@attrs.frozen
class Written:
    """The gaps of a pack, and the files that got stubs for them."""

    gaps: tuple[Gap, ...]
    files: tuple[str, ...] = ()
    """Files that got stubs, by their names in the pack."""

    @property
    def left(self) -> tuple[Gap, ...]:
        """Gaps that get no stub: the file in `place` has other words of their subject."""
        return tuple(gap for gap in self.gaps if gap.place)


def write(name: str, *, is_dry: bool = False) -> Written:
    """
    Write a stub for each subject of a pack that has no words, in each language.

    Args:
        name: the folder of the pack; with `is_dry`, any pack that can be read.
        is_dry: return the gaps, and write nothing.

    Raises:
        ContentErrors: the pack cannot be read or written.
    """
    if not is_dry and not Path(name).is_dir():
        raise _fault(name, "is no folder; words are written into the files of one")
    files, gaps = sandbox.gaps_of(name)
    if is_dry or not gaps:
        return Written(gaps)
    changed = with_stubs(files.files, gaps)
    for way, data in changed.items():
        path = Path(name) / way
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                # `with_stubs` keeps the existing bytes, so that only the end is new.
                file.write(data[file.tell() :])
        except OSError as error:
            raise _fault(str(path), f"cannot be written: {error.strerror or error}") from error
    return Written(gaps, tuple(sorted(changed)))


def lines(gaps: Sequence[Gap]) -> list[str]:
    """Return one line for each gap, for people."""
    return [
        f"{gap.language}: {gap.subject}: {' and '.join(gap.fields)}"
        + (f", add it in {gap.place}" if gap.place else "")
        for gap in gaps
    ]


def _fault(name: str, reason: str) -> ContentErrors:
    return ContentErrors([ContentError(name, 1, 1, "", reason)])
