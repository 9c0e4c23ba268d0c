"""Files of earlier releases are read by this one: databases, logs, packs, archives.

Each room of 0.1.0 resumes, plays on, and replays from its start. `HALTED` and `NOT_REPLAYED` name
the rooms for which a later release cannot do that, with the reason.
"""

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from client.commands.replays import markdown
from client.commands.verify import check
from client.journal.replay_model import words_of
from client.locale import load as load_locale
from content.games.second_edition.loader import load_source
from protocol import codec
from protocol.archive import Archive, load
from protocol.audit import audit
from protocol.common.asks import Settle
from protocol.common.events import (
    CampaignContinued,
    Chatted,
    Corrected,
    GameStarted,
    PausedSet,
    ProductsSwitched,
    Proposed,
    RoomOpened,
    ScenarioChosen,
    SeatFilled,
    SeatGiven,
    SeatLeft,
    SeedsCommitted,
    ShareCommitted,
    ShareOpened,
    StartFailed,
    TakenBack,
    TiebreakCalled,
    TimedOut,
    Voted,
)
from protocol.event import Event, earlier_kinds, everything, kinds, read
from protocol.games.second_edition.events import (
    BecameInsane,
    CampaignKept,
    CodeGuessed,
    StoryVotesShown,
)
from server.authoring.driver import SeededEntropy
from server.kernel.errors import Diverged
from server.kernel.replaying import play_again
from server.kernel.room import Room
from server.packs.zips import read_zip
from tests.golden.opening import Kept, Opened, done, play_on
from tests.kit.every_run import every_second

KEPT = Kept("0.1.0")

HALTED: Mapping[str, str] = {}
"""Rooms that are halted at their last checkpoint, each with the reason."""
NOT_REPLAYED: Mapping[str, str] = {}
"""
Rooms whose records differ from those that today's rules write for the same inputs, each with the
reason.
"""
SHARES: Mapping[str, Mapping[int, bytes]] = {"start-opened": {1: b"b" * 32}}
"""Shares to which the seats have committed, for rooms in the middle of a start."""
NEVER_HAPPENED = frozenset(
    {
        "se/barricade_shifted",
        "se/condition_discarded",
        "se/covering_removed",
        "se/opposition_rolled",
        "se/token_moved",
    }
)
"""Kinds of 0.1.0 that no room here contains; those of `protocol.common` all occur."""
SHORT = 200
"""Maximum number of events of an archive in `short`."""

TAG_AT = 3
"""Index of the tag among the parts of a record."""
SHORTEST_JOURNAL = 20
"""Minimum number of lines in the journal of a game."""

EVERY = pytest.mark.parametrize("name", list(KEPT.rooms))
OVER = pytest.mark.parametrize("name", every_second(KEPT.named("over")))
UNFINISHED = pytest.mark.parametrize(
    "name", every_second(KEPT.named("lobby", "starting", "playing"))
)
ARCHIVES = pytest.mark.parametrize("name", list(KEPT.archives))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """Return the opened folder of the server, which tests only read."""
    folder = KEPT.copy_server(tmp_path_factory.mktemp("golden") / "server")
    opened = Opened.of(KEPT, folder)
    yield opened
    opened.close()


def stands(room: Room) -> dict[str, Any]:
    """Return the state of a room in the terms of `facts.json`."""
    table = room.table
    return {
        "scenario": table.room.scenario,
        "stage": table.room.stage.value,
        "events": len(room.log),
        "head": room.head.hex(),
        "content": table.room.content_hash.hex(),
        "seats": {str(seat.seat): seat.name for seat in table.room.seats.values()},
        "keys": {str(seat.seat): seat.key.hex() for seat in table.room.seats.values()},
        "ask": None if table.room.ask is None else table.room.ask.ask_id,
        "rest": max(table.checkpoints, default=-1),
    }


# The database --------------------------------------------------------------------------------


def test_database_lists_every_room(server: Opened) -> None:
    listed = {info.room_id: info.next_sequence for info in done(server.store.rooms())}

    assert listed == {room["room_id"]: room["events"] for room in KEPT.rooms.values()}


def test_packs_of_all_rooms_are_read_from_the_store(server: Opened) -> None:
    wanted = {bytes.fromhex(room["content"]) for room in KEPT.rooms.values()}

    assert wanted <= server.shelf.packs.keys()


def test_pack_of_an_author_is_the_one_that_was_played(server: Opened) -> None:
    zipped = (KEPT.folder / "packs" / "lock-house.zip").read_bytes()

    pack_id, files = read_zip("lock-house", zipped)
    pack = load_source(pack_id, files).pack

    played = {room["content"] for room in KEPT.rooms.values() if "lock-house" in room["scenario"]}
    assert played == {pack.digest.hex()}
    assert set(pack.scenarios) == {"lock-house/first-night", "lock-house/last-night"}


def test_every_kind_of_record_that_was_written_is_known(server: Opened) -> None:
    written = set()
    for name, room in KEPT.rooms.items():
        written |= {tag_of(room["room_id"], stored.public) for stored in server.log(name)}

    assert written == set(KEPT.facts["tags"])
    assert written <= kinds().keys() | earlier_kinds().keys()
    assert not written & NEVER_HAPPENED
    assert kinds().keys() | earlier_kinds().keys() >= NEVER_HAPPENED


def tag_of(room_id: str, public: bytes) -> str:
    """Return the tag of a record."""
    plain = codec.unpack(public)
    assert isinstance(plain, tuple)
    tag = plain[TAG_AT]
    assert isinstance(tag, str)
    return tag


# Rooms ---------------------------------------------------------------------------------------


@EVERY
def test_room_resumes_where_it_stood(server: Opened, name: str) -> None:
    facts = KEPT.rooms[name]
    room = server.room(name)

    found = stands(room)

    assert found == {key: facts[key] for key in found}
    assert (room.halted is not None) == (name in HALTED), room.halted


@EVERY
def test_room_replays_from_its_start(server: Opened, name: str) -> None:
    if name in NOT_REPLAYED:
        with pytest.raises(Diverged):
            server.resume(name, from_start=True)
        return

    room = server.resume(name, from_start=True)

    assert room.head.hex() == KEPT.rooms[name]["head"]


@UNFINISHED
def test_unfinished_room_is_played_to_its_end(server: Opened, name: str) -> None:
    room = server.resume(name)
    pack = server.shelf.content(room.table.room).pack

    play_on(room, pack, SHARES.get(name, {}))

    again = server.again(room)
    assert again.table == room.table
    assert again.halted is None
    archive = load(server.export(room, 0))
    report = audit(archive)
    assert report.is_finished
    assert report.is_whole
    assert report.counts.computed.total() > 0
    assert archive.header.record_count > KEPT.rooms[name]["events"]


@OVER
def test_finished_room_is_exported_and_audited(server: Opened, name: str) -> None:
    room = server.room(name)
    draws = KEPT.rooms[name]["draws"]

    report = audit(load(server.export(room, 0)))

    publishes = room.table.room.settings.publish
    assert report.is_whole == publishes
    assert report.is_finished
    assert report.record_count == KEPT.rooms[name]["events"]
    assert report.counts.computed.total() == (sum(draws) if publishes else 0)


@pytest.mark.parametrize("name", ["talked", "unpublished", "rules-embers", "tutorial"])
def test_who_looked_on_has_a_cut_of_a_finished_room(server: Opened, name: str) -> None:
    room = server.room(name)

    archive = load(server.export(room, None))

    assert not archive.header.is_whole
    assert audit(archive).is_finished
    assert all(not cut.openings for cut in archive.cuts)


# Archives ------------------------------------------------------------------------------------


@functools.cache
def read_archive(name: str) -> Archive:
    """Return an archive, read once for all tests."""
    return load(KEPT.archive(name))


@ARCHIVES
def test_archive_passes_the_audit(name: str) -> None:
    facts = KEPT.archives[name]

    archive = read_archive(name)
    report = audit(archive)

    assert report.is_whole == facts["is_whole"]
    assert report.record_count == facts["record_count"]
    # What was sealed there was counted as if it had been computed.
    sealed = report.counts.sealed.total()
    assert report.counts.computed.total() + sealed == facts["draw_count"]
    assert report.is_finished == facts["is_finished"]
    assert archive.header.room_id == facts["room_id"]
    assert (archive.header.seat, archive.header.since) == (facts["seat"], facts["since"])
    assert sorted({chunk.language for chunk in archive.words}) == facts["languages"]


@pytest.mark.parametrize(
    "name", [name for name, facts in KEPT.archives.items() if facts["is_whole"]]
)
def test_whole_archive_is_played_again(server: Opened, name: str) -> None:
    assert play_again(read_archive(name), server.shelf, SeededEntropy(7)) is None


@ARCHIVES
def test_archive_is_verified_by_the_command(name: str) -> None:
    facts = KEPT.archives[name]

    verdict = check(KEPT.archive(name))

    told = verdict.as_json()
    assert (told["ok"], told["head"]) == (True, facts["head"])
    assert verdict.lines(name, load_locale("fr"))


@ARCHIVES
@pytest.mark.parametrize("language", ["en", "fr"])
def test_archive_is_replayed(name: str, language: str) -> None:
    archive = read_archive(name)
    words = words_of(archive, language)

    told = markdown(archive, load_locale(language), None)

    opened = archive.records[0].event
    assert isinstance(opened, RoomOpened)
    assert words.name(opened.scenario) in told.splitlines()[0]
    assert len(told.splitlines()) > SHORTEST_JOURNAL


def test_talk_is_open_to_those_who_heard_it() -> None:
    (whole, cut) = (read_archive(name) for name in ("short/with-talk", "cut-finished-watcher"))

    assert talk_in(whole) == [b"Is it raining?", b"Il pleut."]
    assert talk_in(cut) == []


def talk_in(archive: Archive) -> list[bytes]:
    """Return the chat lines that are open in an archive."""
    events = (record.event for record in archive.records)
    lines = [happened.words for happened in events if isinstance(happened, Chatted)]
    assert len(lines) == 2
    return [words.value for words in lines if words.is_open]


def test_short_archives_are_whole_and_short() -> None:
    """Tests that change a log in many places use the short archives."""
    short = {name: facts for name, facts in KEPT.archives.items() if name.startswith("short/")}

    assert len(short) == 8
    assert all(facts["is_whole"] and facts["record_count"] < SHORT for facts in short.values())


@pytest.mark.parametrize("name", ["cut-given-without-secrets", "cut-given-with-secrets"])
def test_cut_of_a_seat_in_new_hands_begins_where_its_secrets_do(name: str) -> None:
    cut = read_archive(name)
    given = next(at for at, one in enumerate(cut.records) if isinstance(one.event, SeatGiven))

    opened = [at for at, shown in enumerate(cut.cuts) if shown.openings]

    assert not cut.header.is_whole
    assert cut.header.since <= min(opened)
    assert (cut.header.since == given) == (name == "cut-given-without-secrets")


# What the rooms are for ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kinds_there"),
    [
        ("ways-to-settle", (Voted, TiebreakCalled)),
        ("went-back", (TakenBack, CodeGuessed)),
        ("just-went-back", (TakenBack,)),
        ("code-went-back", (CodeGuessed, TakenBack)),
        ("proposal-open", (Proposed,)),
        ("given-with-secrets", (SeatGiven, SeatFilled)),
        ("given-without-secrets", (SeatGiven, SeatFilled)),
        ("given-to-a-bot", (SeatGiven,)),
        ("seat-empty", (SeatGiven,)),
        ("start-committed", (SeedsCommitted, ShareCommitted)),
        ("start-opened", (ShareCommitted, ShareOpened)),
        ("start-failed", (StartFailed,)),
        ("start-failed-once", (ShareOpened, StartFailed, GameStarted)),
        ("time-outs", (TimedOut,)),
        ("time-outs-running", (TimedOut,)),
        ("paused", (PausedSet, TakenBack)),
        ("paused-and-resumed", (PausedSet, TakenBack)),
        ("corrected", (Corrected,)),
        ("in-the-middle", (Chatted,)),
        ("rules-hours", (BecameInsane, CampaignKept)),
        ("short-2", (StoryVotesShown,)),
        ("product-off", (ProductsSwitched,)),
        ("lobby", (SeatLeft, ScenarioChosen)),
        ("campaign-first", (CampaignKept,)),
        ("campaign-going-on", (CampaignContinued,)),
    ],
)
def test_room_holds_what_it_is_for(
    server: Opened, name: str, kinds_there: tuple[type[Event], ...]
) -> None:
    """If no room contained a case, the tests above would prove nothing about it."""
    there = {type(happened) for happened in events_of(server.room(name))}

    assert there >= set(kinds_there)


@pytest.mark.parametrize(
    ("name", "settle"),
    [
        ("open-any-one", Settle.ANY_ONE),
        ("open-each", Settle.EACH),
        ("open-agree", Settle.AGREE),
    ],
)
def test_question_to_several_is_still_open(server: Opened, name: str, settle: Settle) -> None:
    ask = server.room(name).table.room.ask

    assert ask is not None
    assert ask.settle is settle
    assert len(ask.questions) > 1
    assert len(ask.waiting_for) == len(ask.questions) - (settle is not Settle.ANY_ONE)


def events_of(room: Room) -> list[Event]:
    """Return all events of a room."""
    return [read(room.room_id, everything(stored)).event for stored in room.log]
