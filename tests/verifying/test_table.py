"""The table: verifiers refuse what players cannot have done, though all else is right.

Each test changes, inserts or removes one record of a log that the kernel wrote. A verifier that
does not judge the players accepts the log up to there; the whole judgement names the forged record.
"""

import copy
from collections.abc import Callable

import pytest

from protocol.archive import BadArchive, load
from protocol.common import events
from protocol.common.padded import Padded
from protocol.common.table import Stage
from protocol.event import hidden
from protocol.validity import judge
from tests.kit.tables.playing import Policy, Recording, Shelf, opened, play, ready, seated, started
from tests.kit.tables.toy_table import Content
from tests.verifying.files import File, Line, taken_apart
from tests.verifying.logs import file_of, played

MOST_GAMES = 60
OPERATOR, CLOCK, ROOM = -3, -2, -1

pytestmark = pytest.mark.issue(10)

Forge = Callable[[File, int], int | None]
"""Changes a file at a place; returns where the change must be found, or None without a change."""


def refused_at(file: File) -> int | None:
    """Return where a changed file is refused."""
    with pytest.raises(BadArchive) as caught:
        judge(load(file.renumbered().committed_anew().sealed()))
    return caught.value.sequence


def forged(forge: Forge) -> tuple[int, int | None]:
    """
    Forge the first game that has a place for the forgery.

    Returns:
        The place where verifiers must refuse the game, and the place where they do.
    """
    for seed in range(MOST_GAMES):
        file = taken_apart(played(seed))
        start = (file.of("game_started/3") or file.of("game_started"))[0]
        for at in range(len(file.lines)):
            wrong = forge(file, at)
            if wrong is not None:
                if wrong < start:
                    # What is forged before the seeds gives other keys: no draw would hold.
                    is_start = file.lines[wrong].tag == "start_requested/2"
                    _cut_off(file, wrong + is_start)
                return wrong, refused_at(file)
    raise LookupError("no game can be forged like this")


def _put(file: File, at: int, origin: int, tag: str, fields: list[object]) -> int:
    """Insert a record without secrets after another, with its time."""
    time = file.lines[at].public[1]
    file.lines.insert(at + 1, Line([0, time, origin, tag, fields, []], []))
    return at + 1


def _after(tag: str, origin: int, kind: str, *fields: object) -> Forge:
    """Return a forger that inserts an input after a record of some kind."""

    def forge(file: File, at: int) -> int | None:
        if file.lines[at].tag != tag:
            return None
        return _put(file, at, origin, kind, list(fields))

    return forge


def _changing(tag: str, place: int, value: object) -> Forge:
    """Return a forger that changes a public field of a record."""

    def forge(file: File, at: int) -> int | None:
        line = file.lines[at]
        if line.tag != tag or line.fields[place] == value:
            return None
        line.fields[place] = value
        return at

    return forge


def _from(tag: str, origin: int) -> Forge:
    """Return a forger that gives an input another origin."""

    def forge(file: File, at: int) -> int | None:
        if file.lines[at].tag != tag or file.lines[at].public[2] == origin:
            return None
        file.lines[at].public[2] = origin
        return at

    return forge


def _without(tag: str) -> Forge:
    """Return a forger that removes a required record."""

    def forge(file: File, at: int) -> int | None:
        if file.lines[at].tag != tag:
            return None
        del file.lines[at]
        return at

    return forge


def _twice(tag: str) -> Forge:
    """Return a forger that repeats a record."""

    def forge(file: File, at: int) -> int | None:
        if file.lines[at].tag != tag:
            return None
        file.lines.insert(at + 1, copy.deepcopy(file.lines[at]))
        return at + 1

    return forge


PROPOSAL = [0, "take_back", 0, 10**6, -1, "", b"", False, "", 0, []]

FORGERIES: dict[str, Forge] = {
    "a consent without a proposal": _after("asked/3", 0, "consented", 0, 0, True),
    "a vote without a question": _after("ready_set/2", 0, "voted/2", 0, 0, ["0.0"]),
    "a time-out without a question": _after("ready_set/2", CLOCK, "timed_out", 0),
    "a time-out of another question": _after("asked/3", CLOCK, "timed_out", 999),
    "a time-out by a seat": _from("timed_out", 0),
    "a lot that nobody may call": _after("asked/3", 0, "lot_called", 0, 999),
    "a settlement that nothing calls for": _after("rested", ROOM, "settled", 0),
    "a question inside a question": _twice("asked/3"),
    "a question out of its row": _changing("asked/3", 0, 999),
    "an answer by a seat that is not there": _changing("answered", 0, 7),
    "an answer to another question": _changing("answered", 1, 999),
    "an answer from another seat": _from("answered", 6),
    "an answer that settles nothing": _without("settled"),
    "a pass by a seat that is not there": _changing("passed", 0, 7),
    "a pass on another question": _changing("passed", 1, 999),
    "a pass from another seat": _from("passed", 6),
    "a second pass": _twice("passed"),
    "a pass where nobody can": lambda file, at: (
        _put(file, at, 0, "passed", [0, file.lines[at].fields[0]])
        if file.lines[at].tag == "asked/3" and file.lines[at].fields[3] == "each"
        else None
    ),
    "a kind where nobody can pass": lambda file, at: (
        _changing("asked/3", 7, "toy/ambush")(file, at)
        if file.lines[at].tag == "asked/3" and file.lines[at].fields[3] == "each"
        else None
    ),
    "a time that nobody can object in": _changing("asked/3", 8, 5),
    "standing passes said by another seat": _from("standing_set", 6),
    "a vote for what was not offered": _changing("voted/2", 2, ["nothing"]),
    "a proposal to go back to nowhere": _after("asked/3", 0, "proposed", PROPOSAL),
    "a proposal of no kind": _after("asked/3", 0, "proposed", [0, "x", *PROPOSAL[2:]]),
    "a return that nobody agreed to": _after("rested", ROOM, "taken_back", 5),
    "a return to another checkpoint": _changing("taken_back", 0, 1),
    "a seat given to somebody else": _changing("seat_given", 2, b"k" * 32),
    "a seat given without its secrets": lambda file, at: (
        _changing("seat_given", 4, not file.lines[at].fields[4])(file, at)
        if file.lines[at].tag == "seat_given"
        else None
    ),
    "a seat given that nobody gave": _after(
        "rested", ROOM, "seat_given", 0, "New", b"k" * 32, False, False
    ),
    "a pause by a seat": _after("asked/3", 0, "paused_set", True),
    "a game let go on that stands not still": _after("asked/3", 0, "paused_set", False),
    "a pause of the operator by a seat": _after("asked/3", 0, "operator_paused", b"why"),
    "a game closed by a seat": _after("asked/3", 0, "operator_closed", b"why"),
    "an operator who lets go on what stands not still": _after(
        "asked/3", OPERATOR, "operator_resumed", b"why"
    ),
    "an answer while the operator has paused the game": lambda file, at: (
        _put(file, at - 1, OPERATOR, "operator_paused", [b"why"]) + 1
        if file.lines[at].tag == "answered"
        else None
    ),
    "a game that the operator closed and that goes on": lambda file, at: (
        _put(file, at, OPERATOR, "operator_closed", [b"why"]) + 1
        if file.lines[at].tag == "asked/3" and at + 1 < len(file.lines)
        else None
    ),
    "an end by the operator, who did not call for it": _changing("room_closed/2", 1, "closed"),
    "a role without a name": _after("seat_taken", 0, "role_claimed", 0, ""),
    "a role claimed for another": _after("seat_taken", 1, "role_claimed", 0, "keeper"),
    "a character claimed twice": _changing("pieces_claimed", 1, ["p", "p"]),
    "a key that sits twice": lambda file, at: (
        _changing("seat_taken", 2, file.lines[1].fields[2])(file, at) if at == 2 else None
    ),
    "a start before all are ready": lambda file, at: (
        _started(file, at) if file.lines[at].tag == "seat_taken" else None
    ),
    "a start by another than the host": _from("start_requested/2", 1),
    "a presence told by somebody else": _from("presence_changed", 6),
    "a scenario chosen by another than the host": _after(
        "seat_taken", 5, "scenario_chosen", "core/x", b"h" * 32
    ),
    "a scenario chosen in the game": _after("asked/3", 0, "scenario_chosen", "core/x", b"h" * 32),
    "a failed start that blames another": _changing("start_failed", 0, [6]),
    "a talk that is somebody else's": _from("chatted", 6),
    "a log that ends inside a batch": lambda file, at: (
        None if file.lines[at].tag != "settled" else _cut_off(file, at)
    ),
}


def _started(file: File, at: int) -> int:
    """Insert a start after a record, with its seeds."""
    seeds = copy.deepcopy(file.lines[file.of("seeds_committed")[0]])
    seeds.public[1] = file.lines[at].public[1]
    file.lines.insert(at + 1, seeds)
    return _put(file, at, 0, "start_requested/2", [0, 0, b""])


def _cut_off(file: File, at: int) -> int:
    """End a log at a place, as a spectator's cut without openings."""
    del file.lines[at + 1 :]
    for line in file.lines:
        line.openings = []
    file.header[2] = False
    return at + 1


@pytest.mark.parametrize("name", sorted(FORGERIES))
def test_what_people_cannot_have_done_is_refused(name: str) -> None:
    wrong, found = forged(FORGERIES[name])

    assert found == wrong


# Before the start, and talk ----------------------------------------------------------------


def hushed() -> File:
    """Return a whole game of the toy in which talk is closed by day."""
    recording = seated(opened(Recording(Shelf(Content(rounds=1, is_hushed=True)))), 2)
    recording.give(events.Chatted(0, hidden(b"hello")), 0)
    return taken_apart(file_of(play(started(ready(recording)), Policy(1, noise=0)).room))


def test_talk_that_the_rules_have_closed_is_refused() -> None:
    file = hushed()
    assert judge(load(file.renumbered().sealed())).room.stage is Stage.OVER
    talk = copy.deepcopy(file.lines[file.of("chatted")[0]])
    at = next(at for at in file.of("asked") if at > file.of("chat_set")[0])
    talk.public[1] = file.lines[at].public[1]
    file.lines.insert(at + 1, talk)

    assert refused_at(file) == at + 1


def test_talk_is_not_closed_twice() -> None:
    file = hushed()
    at = file.of("chat_set")[0]
    file.lines[at].fields[0] = True

    assert refused_at(file) == at


@pytest.mark.parametrize("wrong", ["another's", "no campaign"])
def test_what_is_prepared_or_brought_along_comes_from_its_own_seat(wrong: str) -> None:
    recording = seated(opened(Recording(Shelf(Content(has_wishes=True)))), 2)
    recording.give(events.Prepared(1, hidden(Padded.of(b"fog"))), 1)
    file = taken_apart(file_of(recording.room, 1))
    at = file.of("prepared")[0]
    assert judge(load(file.renumbered().sealed())).room.stage is Stage.LOBBY
    if wrong == "another's":
        file.lines[at].public[2] = 0
    else:
        file.lines[at].public[3] = "brought_along"

    assert refused_at(file) == at
