"""
A game as records for programs: a JSON object on each line, in the order of the log.

`docs/review.md` documents the fields. Lines are ASCII, so that text typed by a player cannot
control a terminal. Seats count from 1, as everywhere that people read; on the log they count from
0.
"""

import enum
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import attrs

from client.journal.replay_model import ReplayModel
from client.locale.speaker import Speaker
from protocol.common.table import Proposal
from protocol.common.text import Text
from protocol.event import CLOCK, OPERATOR, ROOM, Sealed

SEATS = frozenset({"seat", "seats", "consents", "decides", "knowers", "missing", "was"})
"""Names of the fields of events that hold a seat or several."""
BY_SEAT = frozenset({"answers", "questions"})
"""Names of the fields of events that map seats to something."""
_ORIGINS = {ROOM: "rules", CLOCK: "clock", OPERATOR: "operator"}


def records_of(replay: ReplayModel, speaker: Speaker) -> Iterator[str]:
    """
    Yield each record of a game as a JSON line with a newline at its end.

    Args:
        replay: the game, at the viewpoint whose knowledge is exported.
        speaker: puts the journal into words.
    """
    told: defaultdict[int, list[str]] = defaultdict(list)
    for line in replay.journal(speaker):
        told[line.sequence].append(line.text)
    after: defaultdict[int, list[object]] = defaultdict(list)
    for one in replay.hindsight if replay.point.is_all else ():
        after[one.sequence].append({"kind": one.kind, **_plain_text(one.text)})
    for record in replay.records:
        event = record.event
        time = datetime.fromtimestamp(record.time / 1000, tz=UTC)
        known = {
            "event": record.sequence,
            "time": time.isoformat(timespec="milliseconds"),
            "origin": _ORIGINS.get(record.origin) or _seat(record.origin),
            "kind": event.tag,
            "fields": _plain(event),
        }
        known |= {
            "round": replay.round_at(record.sequence + 1),
            "journal": told.get(record.sequence, []),
            "hindsight": after.get(record.sequence, []),
        }
        # ASCII, the default of json.dumps: see above.
        yield json.dumps(known) + "\n"


def _plain_text(text: Text) -> dict[str, object]:
    """Return a text as JSON, without its words."""
    params = [_plain_text(one) if isinstance(one, Text) else one for one in text.params]
    return {"subject": text.subject, "params": params}


def _seat(seat: int) -> int:
    """Return a seat as people count; everybody, a negative number, stays as it is."""
    return seat + 1 if seat >= 0 else seat


def _field(owner: object, name: str) -> object:
    """Return a field as JSON, with its seats counted from 1."""
    value = getattr(owner, name)
    match value:
        case int() if name in SEATS or (name == "by" and isinstance(owner, Proposal)):
            return _seat(value)
        case tuple() if name in SEATS:
            return [_seat(seat) for seat in value]
        case tuple() if name == "voters":
            return [[character, _seat(seat)] for character, seat in value]
        case Mapping() if name in BY_SEAT:
            return {str(_seat(seat)): _plain(each) for seat, each in value.items()}
    return _plain(value)


def _plain(value: object) -> object:
    """Return a value of an event as JSON; a secret becomes its seats and, if known, its value."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case bytes():
            return value.hex()
        case enum.Enum():
            return _plain(value.value)
        case Sealed():
            known = {"known_to": [_seat(seat) for seat in value.audience]}
            return {**known, "value": _plain(value.value)} if value.is_open else known
        case Mapping():
            return {str(_plain(key)): _plain(each) for key, each in value.items()}
        case tuple() | list():
            return [_plain(each) for each in value]
        case _ if attrs.has(type(value)):
            kind: Any = type(value)
            return {one.name: _field(value, one.name) for one in attrs.fields(kind)}
    raise TypeError(f"no record holds a {type(value).__name__}")
