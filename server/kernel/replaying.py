"""
Plays the log of a finished game again and finds the first record that the rules do not write.

An audit recomputes chance and checks the laws of a game. Only the rules know which cards, draws and
choices are correct, so this module runs them over the inputs, answers and seeds of the log, and
compares everything that follows.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from protocol import codec
from protocol.archive import Archive
from protocol.common import events
from protocol.common.table import LOG_VERSION, FixedSetup, RoomTable
from protocol.difference import Difference
from protocol.event import Cut, Record, Sealed, Stored, everything, read
from protocol.values import frozen
from server.kernel.chance import Entropy
from server.kernel.errors import Diverged, LogError, RulesStopped, TruncatedLog
from server.kernel.game import Library, Ruleset
from server.kernel.kept_log import KeptLog
from server.kernel.rest_point import Folding, RestPoint, repeated_end
from server.kernel.room import Room
from server.kernel.steps import StepBudget

MOST_STEPS = 5_000_000
"""Maximum number of rule steps in one log; the longest real games take about ten thousand."""

RELEASES: Mapping[int, str] = {}
"""The last release that has the rules of each earlier log version."""

_MOST_SHOWN = 160
"""Maximum characters of a value shown in a difference."""


class OtherRules(Exception):
    """The rules of the log's version are not in this release."""

    def __init__(self, version: int) -> None:
        """Name the version and the last release that has its rules; empty for a later version."""
        super().__init__(f"rules of version {version}")
        self.version = version
        self.release = RELEASES.get(version, "")


def play_again(
    archive: Archive, library: Library, entropy: Entropy, *, most_steps: int = MOST_STEPS
) -> Difference | None:
    """
    Play a whole log again; return the first difference, None if the logs are equal.

    Args:
        archive: a whole file that passed the audit.
        library: the ruleset and the content of that game.
        entropy: never drawn from unless the log differs.
        most_steps: steps that the rules may take.

    Raises:
        OtherRules: the rules of its version are not in this release.
        TooManySteps: the rules take more steps than allowed.
        ContentNeeded: raised by the library where it does not have the content.
    """
    assert archive.header.is_whole, "the log of a cut cannot be played"
    records = archive.records
    opened = records[0].event
    assert isinstance(opened, events.RoomOpened)
    if opened.version in RELEASES or opened.version > LOG_VERSION:
        raise OtherRules(opened.version)
    tail = [(stored_of(cut), one) for cut, one in zip(archive.cuts, records, strict=True)]
    room_id, budget = archive.header.room_id, StepBudget(most_steps)
    seeds = {
        one.sequence: one.event.seed for one in records if isinstance(one.event, events.SetupOpened)
    }
    room = Room(room_id, _WithSeeds(library, seeds), entropy)
    folding = Folding(
        RestPoint.first(room_id),
        room.chances_of,
        # Words of chat may be shut.
        read=lambda room_id, stored: read(room_id, everything(stored)),
    )
    # The rules write only what follows the records of a branch's source.
    begin = 0 if opened.source is None else repeated_end(opened.source)
    kept = [stored for stored, _ in tail[:begin]]
    try:
        folding.add(room_id, kept)
        room.replay(folding.now, KeptLog(kept), tail[begin:], from_start=True, budget=budget)
    except LogError as error:
        return _difference(records, error)
    return None


def stored_of(cut: Cut) -> Stored:
    """Return a record of a whole file in its stored form, without the secrets that are shut."""
    openings = tuple((opening.salt, opening.value) for _, opening in cut.openings)
    return Stored(cut.public, codec.pack(openings))


@frozen
class _WithSeeds:
    """A library that also knows the seeds of the fixed setups that a log opens."""

    library: Library
    seeds: Mapping[int, bytes] = attrs.field(repr=False)

    def ruleset(self, name: str) -> Ruleset:
        return self.library.ruleset(name)

    def content(self, room: RoomTable) -> Any:
        return self.library.content(room)

    def setup_seed(self, setup: FixedSetup) -> bytes | None:  # noqa: ARG002 (a log has one setup)
        return next(iter(self.seeds.values()), None)


def _difference(records: tuple[Record, ...], error: LogError) -> Difference:
    at = error.sequence
    logged = records[at].event.tag if at < len(records) else ""
    if isinstance(error, RulesStopped):
        return Difference(at, logged, refused=error.refused)
    if not isinstance(error, Diverged) or error.logged is None or error.written is None:
        assert isinstance(error, Diverged | TruncatedLog)
        return Difference(at, logged)
    found, wanted = error.logged, error.written
    if found.event.tag != wanted.event.tag:
        return Difference(at, found.event.tag, wanted.event.tag)
    place, one, other = _first_other("", found, wanted) or ("", "", "")
    place = place.removeprefix("event.")
    return Difference(at, logged, found.event.tag, place, _shown(one), _shown(other))


def _first_other(place: str, one: Any, other: Any) -> tuple[str, Any, Any] | None:
    """Return the path of the first difference and both parts; None if the values are equal."""
    if isinstance(one, Sealed) and isinstance(other, Sealed):
        if one.audience != other.audience:
            return f"{place}.audience", one.audience, other.audience
        return _first_other(place, one.value, other.value)
    if type(one) is not type(other):
        return place, one, other
    if attrs.has(type(one)):
        names = [field.name for field in attrs.fields(type(one))]
        pairs = [
            (f"{place}.{name}" if place else name, getattr(one, name), getattr(other, name))
            for name in names
        ]
    elif isinstance(one, Mapping):
        if list(one) != list(other):
            return place, list(one), list(other)
        pairs = [(f"{place}[{key}]", one[key], other[key]) for key in one]
    elif isinstance(one, tuple):
        if len(one) != len(other):
            return place, one, other
        items = enumerate(zip(one, other, strict=True))
        pairs = [(f"{place}[{at}]", mine, theirs) for at, (mine, theirs) in items]
    else:
        return None if one == other else (place, one, other)
    found = (_first_other(*pair) for pair in pairs)
    return next((one for one in found if one is not None), None)


def _shown(value: Any) -> str:
    text = value.hex() if isinstance(value, bytes) else str(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"
