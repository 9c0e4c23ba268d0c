"""Sharing finished games: who may find and open them, and what others learn."""

import io
import zipfile
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred, succeed

from client.commands.export import MAX_PACK_BYTES, NotExported, zip_of_pack
from content.plugs.packs import base_files
from content.reading.mistakes import ContentErrors
from protocol import codec, messages
from protocol.archive import Archive, load
from protocol.audit import audit
from protocol.bounds import MAX_LINES
from protocol.common import events
from protocol.common.table import GameEnd, Settings, Stage
from protocol.games.second_edition.table import RULESET
from protocol.messages import ClientMessage, RoomMessage, ServerMessage
from server.lobby.finished import sharing
from server.lobby.finished.export import PART_BYTES
from server.lobby.finished.sharing import SharedGames
from server.lobby.rooms.removal import SHARED
from server.lobby.rooms.summary import KIND as SUMMARY
from server.lobby.rooms.summary import Summary, read_summary
from server.packs.shelf import KIND as PACK
from server.packs.zips import read_zip
from tests.games.second_edition.lobby.test_campaigns import ALONE, Saga
from tests.kit.servers.house import Client, House, key_of
from tests.kit.servers.slow import SlowStore
from tests.kit.servers.tables import (
    get_ready,
    happened,
    room_id_of,
    room_of,
    seat_all,
    start_all,
)
from tests.kit.stores.memory import MemoryStore
from tests.lobby.test_older_records import SlowReader

pytestmark = pytest.mark.issue(17)

NOWHERE = "f" * 24
"""Id of a room that does not exist."""


@pytest.fixture
def house() -> House:
    return Saga()


def asked(house: House, client: Client, message: ClientMessage) -> list[ServerMessage]:
    """Send a message; return all replies that have its serial."""
    client.send(message)
    house.settle(0.2)
    return [m for m in client.session.sent if getattr(m, "serial", None) == message.serial]


def played(house: House, names: list[str], settings: Settings | None = None) -> list[Client]:
    """Return people at a table whose game is over."""
    clients = seat_all(house, names, settings)
    clients[0].port.choose_scenario(ALONE)
    if len(names) == 1:
        play_alone(house, clients[0])
    else:
        get_ready(house, clients)
        clients[0].port.start()
    house.settle()
    assert room_of(house, clients[0]).stage is Stage.OVER
    return clients


def play_alone(house: House, client: Client) -> None:
    """Play a game alone with two pieces."""
    assert client.model.lobby.scenarios is not None
    client.port.claim(client.model.lobby.scenarios[0].roster.characters[:2])
    client.port.set_ready(True)
    client.port.start()
    house.settle()


def agree(house: House, client: Client, room_id: str, *, is_agreed: bool = True) -> ServerMessage:
    """Agree to show a game, or withdraw; return the reply."""
    message = messages.ShareGame(client.next_serial(), room_id, is_agreed)
    return asked(house, client, message)[-1]


def found(house: House, client: Client, **wanted: int | str) -> messages.GamesFound:
    """Return the search result of a client."""
    usual = {"scenario": "", "seats": 0, "since": 0, "until": 0, "before": 0, "before_room": ""}
    message = messages.FindGames(client.next_serial(), **(usual | wanted))  # type: ignore[arg-type]
    (reply,) = asked(house, client, message)
    assert isinstance(reply, messages.GamesFound)
    return reply


def exported(house: House, client: Client, room_id: str) -> Archive | str:
    """Return the exported archive of a room, or the code of the refusal."""
    said = asked(house, client, messages.ExportTable(client.next_serial(), room_id))
    if isinstance(said[-1], messages.Refusal):
        return said[-1].code
    return load(b"".join(part.data for part in said if isinstance(part, messages.ExportPart)))


def shared(house: House, names: list[str]) -> tuple[list[Client], str]:
    """Return people whose finished game everybody may open, and its room."""
    clients = played(house, names)
    room_id = room_id_of(clients[0])
    for client in clients:
        agree(house, client, room_id)
    return clients, room_id


# Finding and opening -----------------------------------------------------------------------


def test_a_game_is_found_by_others_once_all_its_seats_agreed(house: House) -> None:
    ann, ben = played(house, ["Ann", "Ben"])
    room_id, eve = room_id_of(ann), house.client("Eve")

    agree(house, ann, room_id)
    assert found(house, eve).lines == ()
    assert exported(house, eve, room_id) == "table/no_such_table"
    agree(house, ben, room_id)

    (line,) = found(house, eve).lines
    assert (line.room_id, line.names, line.is_mine) == (room_id, ("Ann", "Ben"), False)
    file = exported(house, eve, room_id)
    assert isinstance(file, Archive)
    assert file.header.is_whole
    assert audit(file).is_whole


def test_its_seats_find_it_and_read_who_agreed(house: House) -> None:
    ann, ben = played(house, ["Ann", "Ben"])
    agree(house, ben, room_id_of(ann))

    (line,) = found(house, ann).lines

    assert (line.is_mine, line.is_open, line.agreed) == (True, False, ("Ben",))
    assert not line.have_i_agreed
    agree(house, ann, room_id_of(ann))
    (line,) = found(house, house.client("Eve")).lines
    assert (line.is_open, line.agreed, line.have_i_agreed) == (True, (), False)


def test_what_was_agreed_can_be_withdrawn(house: House) -> None:
    (_, ben), room_id = shared(house, ["Ann", "Ben"])
    eve = house.client("Eve")
    assert found(house, eve).lines

    agree(house, ben, room_id, is_agreed=False)

    assert found(house, eve).lines == ()
    assert exported(house, eve, room_id) == "table/no_such_table"


def test_two_who_choose_at_the_same_moment_are_both_heard() -> None:
    """A slow store must not lose the second choice."""
    store = SlowStore()
    house = Saga(store=store)
    (ann, ben), room_id = shared(house, ["Ann", "Ben"])

    store.clock = house.clock
    for one in (ann, ben):
        one.send(messages.ShareGame(one.next_serial(), room_id, False))
    house.settle(2)
    store.clock = None

    assert found(house, ann).lines[0].agreed == ()


def test_it_outlives_a_restart(house: House) -> None:
    _, open_room = shared(house, ["Ann", "Ben"])
    cid, dot = played(house, ["Cid", "Dot"])
    agree(house, cid, room_id_of(cid))
    half = room_id_of(dot)

    house.restart()

    eve = house.client("Eve")
    assert [line.room_id for line in found(house, eve).lines] == [open_room]
    assert exported(house, eve, half) == "table/no_such_table"
    (line,) = [one for one in found(house, house.client("Dot")).lines if one.is_mine]
    assert line.agreed == ("Cid",)


def test_bots_need_not_agree(house: House) -> None:
    """A table of bots alone stays closed."""
    agreement = sharing.Agreement((), ())
    assert not agreement.is_complete
    (ann,) = seat_all(house, ["Ann"])
    ann.port.choose_scenario(ALONE)
    ann.port.add_bot()
    house.settle()
    get_ready(house, [ann])
    ann.port.start()
    house.settle()
    assert room_of(house, ann).stage is Stage.OVER

    agree(house, ann, room_id_of(ann))

    (line,) = found(house, house.client("Eve")).lines
    assert len(line.names) == 2


def test_nobody_agrees_before_the_end_or_for_what_is_kept(house: House) -> None:
    running = seat_all(house, ["Ann"])[0]
    kept = played(house, ["Cid"], Settings(publish=False))[0]
    others = played(house, ["Dot"])[0]
    codes = [
        agree(house, running, room_id_of(running)),
        agree(house, kept, room_id_of(kept)),
        agree(house, kept, room_id_of(others)),
    ]

    assert [reply.code for reply in codes if isinstance(reply, messages.Refusal)] == [
        "table/not_over",
        "table/keeps_log",
        "table/no_such_table",
    ]


def test_talk_stays_with_those_who_heard_it(house: House) -> None:
    clients = played(house, ["Ann", "Ben"])
    clients[0].port.chat("between us")
    house.settle()
    for client in clients:
        agree(house, client, room_id_of(client))

    file = exported(house, house.client("Eve"), room_id_of(clients[0]))

    assert isinstance(file, Archive)
    words = [r.event.words for r in file.records if isinstance(r.event, events.Chatted)]
    assert words
    assert not any(sealed.is_open for sealed in words)


def test_a_removed_table_leaves_no_agreement(house: House) -> None:
    _, room_id = shared(house, ["Ann"])
    assert (SHARED, room_id) in house.store._values
    house.restart()

    removing = house.lobby.registry.remove(room_id, ())
    with pytest.raises(StopIteration):
        removing.send(None)

    assert (SHARED, room_id) not in house.store._values
    assert found(house, house.client("Eve")).lines == ()


def test_what_cannot_be_read_opens_nothing(house: House) -> None:
    _, room_id = shared(house, ["Ann"])
    house.store._values[SHARED, room_id] = b"\xc1"
    house.restart()

    assert found(house, house.client("Eve")).lines == ()


# What anybody else learns ------------------------------------------------------------------


def replies_about(house: House, client: Client, room_id: str) -> list[list[ServerMessage]]:
    """Return the replies to everything an outsider can ask about a room, without serials."""
    kinds: list[tuple[type[RoomMessage], tuple[object, ...]]] = [
        (messages.ExportTable, ()),
        (messages.EnterTable, (-1,)),
        (messages.EnterTable, (99,)),
        (messages.ShareGame, (True,)),
        (messages.PlayAgain, ()),
        (messages.RemoveTable, ()),
        (messages.LeaveTable, ()),
        (messages.Chat, ("hello",)),
    ]
    return [
        [attrs.evolve(reply, serial=0) for reply in asked(house, client, message)]  # type: ignore[misc]
        for kind, fields in kinds
        for message in [kind(client.next_serial(), room_id, *fields)]
    ]


def test_an_outsider_is_told_of_a_finished_game_as_of_none(house: House) -> None:
    """Until all seats agree, a stranger is answered as about a room that does not exist."""
    ann, ben = played(house, ["Ann", "Ben"])
    room_id, eve = room_id_of(ann), house.client("Eve")

    assert replies_about(house, eve, room_id) == replies_about(house, eve, NOWHERE)
    agree(house, ann, room_id)
    assert replies_about(house, eve, room_id) == replies_about(house, eve, NOWHERE)
    assert exported(house, eve, room_id) == "table/no_such_table"
    # The test sees a difference where there is one.
    agree(house, ben, room_id)
    assert replies_about(house, eve, room_id) != replies_about(house, eve, NOWHERE)


def test_it_takes_the_store_as_long_as_none(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the reply time would reveal that the room exists. No room is loaded."""
    (ann,) = played(house, ["Ann"])
    room_id = room_id_of(ann)
    house.restart()
    eve, reads = house.client("Eve"), list[tuple[str, int]]()
    for name in ("end", "read", "head", "get"):
        known = getattr(MemoryStore, name)

        def noted(
            store: MemoryStore, first: str, *more: Any, known: Any = known, name: str = name
        ) -> Any:
            reads.append((name, len(first)))
            return known(store, first, *more)

        monkeypatch.setattr(MemoryStore, name, noted)
    counts = []
    for which in (room_id, NOWHERE):
        reads.clear()
        exported(house, eve, which)
        counts.append(list(reads))

    assert counts[0] == counts[1]
    assert counts[0]


def test_whoever_watched_in_this_session_may_still_look_back(house: House) -> None:
    (ann,) = seat_all(house, ["Ann"], Settings(spectators=True))
    watcher = house.client("Watcher")
    watcher.port.watch(ann.session.last(messages.TableOpened).watch_code)
    house.settle()
    ann.port.choose_scenario(ALONE)
    play_alone(house, ann)
    assert room_of(house, ann).stage is Stage.OVER

    file = exported(house, watcher, room_id_of(ann))

    assert isinstance(file, Archive)
    assert not file.header.is_whole


# The list ----------------------------------------------------------------------------------


def test_games_are_found_by_scenario_seats_and_date(house: House) -> None:
    _, two = shared(house, ["Ann", "Ben"])
    house.settle(100)
    _, one = shared(house, ["Cid"])
    eve = house.client("Eve")
    (later, earlier) = found(house, eve).lines

    def rooms(**wanted: int | str) -> list[str]:
        return [line.room_id for line in found(house, eve, **wanted).lines]

    assert [later.room_id, earlier.room_id] == [one, two]
    assert rooms(scenario=ALONE) == [one, two]
    house.settle(60)
    assert rooms(scenario="core/other") == []
    assert rooms(seats=2) == [two]
    assert rooms(since=later.ended_at) == [one]
    assert rooms(until=later.ended_at) == [two]
    assert rooms(before=later.ended_at, before_room=one) == [two]


def _store_of(summaries: list[Summary]) -> SharedGames:
    registry = attrs.make_class("Rooms", {"summaries": attrs.field()})
    by_room = {summary.room_id: summary for summary in summaries}
    return SharedGames(None, registry(by_room))  # type: ignore[arg-type]


def _over(room_id: str, ended_at: int, key: bytes = b"me") -> Summary:
    over = Stage.OVER
    return Summary(room_id, "a/b", over, ("Ann",), (key,), (), 0, ended_at, over_at=ended_at)


def test_pages_hold_each_game_once() -> None:
    """Games may end at the same time, and one may be removed between two pages."""
    summaries = [_over(f"{at:03}", 1000 + at // 7) for at in range(3 * MAX_LINES - 1)]
    games, seen = _store_of(summaries), list[str]()
    wanted = messages.FindGames(0, "", 0, 0, 0, 0, "")
    while True:
        page = games.find(b"me", wanted)
        seen += [line.room_id for line in page.lines]
        if not page.has_more:
            break
        last = page.lines[-1]
        games.registry.summaries.pop(last.room_id)
        wanted = messages.FindGames(0, "", 0, 0, 0, last.ended_at, last.room_id)

    assert len(seen) == len(set(seen)) == len(summaries)
    assert games.find(b"another", messages.FindGames(0, "", 0, 0, 0, 0, "")).lines == ()


def test_the_list_says_when_the_game_ended_and_not_who_came_by_since(house: House) -> None:
    """A record after the end does not change the time of the game in the search results."""
    (ann, _), _ = shared(house, ["Ann", "Ben"])
    eve = house.client("Eve")
    before = found(house, eve)
    house.settle(60)

    ann.port.chat("again?")
    ann.disconnect()
    house.settle(60)

    assert found(house, eve).lines == before.lines


# What is stored ----------------------------------------------------------------------------


def test_a_summary_says_how_a_game_came_out(house: House) -> None:
    (ann,) = played(house, ["Ann"])

    summary = read_summary(house.store._values[SUMMARY, room_id_of(ann)])

    assert summary.end == GameEnd(
        ("investigator",), rounds=summary.end.rounds if summary.end else 0
    )
    assert summary.observers == ()
    assert happened(house, room_id_of(ann), events.RoomClosed)


# The pack ----------------------------------------------------------------------------------


def pack_of(house: House, client: Client, room_id: str) -> bytes | str:
    """Return the pack sent for a room, or the code of the refusal."""
    said = asked(house, client, messages.ExportPack(client.next_serial(), room_id))
    if isinstance(said[-1], messages.Refusal):
        return said[-1].code
    return b"".join(part.data for part in said if isinstance(part, messages.ExportPart))


@pytest.mark.issue(36)
def test_nobody_is_sent_the_pack_before_the_game_is_over(house: House) -> None:
    """A pack tells its whole story, and a stranger must not learn that the table exists."""
    ann, _ = seat_all(house, ["Ann", "Ben"])
    eve = house.client("Eve")

    assert pack_of(house, ann, room_id_of(ann)) == "table/not_over"
    assert pack_of(house, eve, room_id_of(ann)) == pack_of(house, eve, NOWHERE)


@pytest.mark.issue(36)
def test_a_game_that_keeps_its_log_keeps_its_pack(house: House) -> None:
    clients = played(house, ["Ann", "Ben"], settings=Settings(publish=False))

    assert pack_of(house, clients[0], room_id_of(clients[0])) == "table/keeps_log"


@pytest.mark.issue(36)
def test_the_pack_that_is_sent_is_the_one_that_was_played(house: House) -> None:
    (ann, _), room_id = shared(house, ["Ann", "Ben"])
    eve = house.client("Eve")
    files = base_files(RULESET)
    kept = tuple(sorted({**files, "": b"core"}.items()))
    packed = codec.encode(kept, tuple[tuple[str, bytes], ...])
    _ = house.store.put(PACK, room_of(house, ann).content_hash.hex(), packed)
    house.settle()
    sent = pack_of(house, eve, room_id)
    assert isinstance(sent, bytes)
    assert sent == pack_of(house, ann, room_id)

    assert read_zip("any", zip_of_pack(sent)) == ("any", files)


@pytest.mark.issue(36)
@pytest.mark.parametrize(
    "packed",
    [
        *(b"", b"\xc1", b"\x91\x01", b"\x91\x92\xa1a\xa1b"),
        codec.pack((("a" * 70_000, b"x"),)),
        codec.pack((("b", b""), ("a", b""))),
        codec.pack((("a", b""),) * 2),
        codec.pack(tuple((f"{n:05}", b"") for n in range(2_000))),
    ],
)
def test_what_is_no_pack_is_told(packed: bytes) -> None:
    """A hostile server may send anything in place of a pack."""
    with pytest.raises(NotExported, match="the server sent no pack"):
        zip_of_pack(packed)


class Copy(bytes):
    """Bytes of a pack as a store reads them; the class counts its instances."""

    alive = 0
    made = 0

    def __init__(self, _data: bytes) -> None:
        """Count the instance."""
        Copy.alive, Copy.made = Copy.alive + 1, Copy.made + 1

    def __del__(self) -> None:
        """Count the instance off."""
        Copy.alive -= 1


class CopyingStore(SlowStore):
    """Store that reads a pack from disk each time, as a real one does."""

    def get(self, kind: str, key: str) -> Deferred[bytes | None]:
        """See `Store.get`."""
        if kind != PACK:
            return super().get(kind, key)
        return self._later(succeed(Copy(b"#" * MAX_PACK_BYTES)))


@pytest.mark.issue(36)
def test_many_slow_readers_of_the_largest_pack_hold_one_copy() -> None:
    store = CopyingStore()
    house = Saga(store=store)
    (ann, _), room_id = shared(house, ["Ann", "Ben"])
    store.clock = house.clock
    readers = [SlowReader(ann.session.account) for _ in range(20)]
    for number, reader in enumerate(readers):
        reader.account = attrs.evolve(reader.account, key=key_of(f"Eve {number}").public)
        house.lobby.sessions.connected(reader)
        for serial in range(4):
            house.lobby.sessions.received(reader, messages.ExportPack(serial, room_id))
    house.settle(20)

    assert [len(reader.streams) for reader in readers] == [4] * len(readers)
    assert (Copy.made, Copy.alive) == (1, 1)
    first = readers[0].streams.pop()
    parts = list(first)
    assert all(isinstance(part, messages.ExportPart) for part in parts)
    sizes = [len(part.data) for part in parts if isinstance(part, messages.ExportPart)]
    assert max(sizes) <= PART_BYTES
    assert sum(sizes) == MAX_PACK_BYTES
    del first
    for reader in readers:
        # The rest of them lose their connection.
        reader.streams.clear()
    house.settle(1)
    assert (Copy.made, Copy.alive) == (1, 0)


# Who is sent a pack: whoever is sent the whole log ------------------------------------------


def assert_alike(house: House, client: Client, room_id: str, *, is_given: bool) -> None:
    """Assert that a client gets both the whole log and the pack, or neither."""
    file = exported(house, client, room_id)
    assert (isinstance(file, Archive) and file.header.is_whole) == is_given
    assert isinstance(pack_of(house, client, room_id), bytes) == is_given


def with_pack(house: House) -> House:
    """Have a server store its pack, as a start does."""
    digest = house.content().digest.hex()
    packed = codec.encode((("items.yaml", b"[]"),), tuple[tuple[str, bytes], ...])
    _ = house.store.put(PACK, digest, packed)
    return house


@pytest.mark.issue(36)
def test_who_gave_a_seat_away_is_sent_no_pack_and_who_has_it_now_is() -> None:
    house = with_pack(House())
    ann, ben = start_all(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    ben.disconnect()
    ann.port.propose_give_seat(1, to_bot=False)
    house.settle()
    zoe = house.client("Zoe")
    house.join(zoe, ann.session.last(messages.InvitationMade).code)
    for client in (ann, zoe):
        assert pack_of(house, client, room_id) == "table/not_over"
    ann.port.propose_give_up()
    house.settle()
    proposal = room_of(house, ann).proposal
    assert proposal is not None
    zoe.port.consent(proposal.proposal_id, is_agreed=True)
    house.settle()
    assert room_of(house, ann).stage is Stage.OVER

    for client in (ann, zoe):
        assert_alike(house, client, room_id, is_given=True)
    for name in ("Ben", "Eve"):
        other = house.client(name)
        assert_alike(house, other, room_id, is_given=False)
        assert pack_of(house, other, room_id) == pack_of(house, other, NOWHERE)


@pytest.mark.issue(36)
def test_a_pack_with_a_shut_setup_is_sent_once_that_is_open() -> None:
    """The pack would reveal the house to those who have not played it yet."""
    house = with_pack(Saga())
    owner = house.client("Owner")
    made = asked(house, owner, messages.MakeSetup(owner.next_serial()))[-1]
    assert isinstance(made, messages.SetupMade)
    clients = seat_all(house, ["Ann", "Ben"])
    clients[0].port.choose_scenario(ALONE)
    clients[0].port.fix_setup(made.code)
    house.settle()
    get_ready(house, clients)
    clients[0].port.start()
    house.settle()
    assert room_of(house, clients[0]).stage is Stage.OVER
    room_id = room_id_of(clients[0])
    for client in clients:
        agree(house, client, room_id)
        assert pack_of(house, client, room_id) == "table/keeps_log"
        assert_alike(house, client, room_id, is_given=False)
    assert_alike(house, owner, room_id, is_given=False)

    asked(house, owner, messages.CloseSetup(owner.next_serial(), made.code))
    house.settle(5)

    for client in (*clients, owner, house.client("Eve")):
        assert_alike(house, client, room_id, is_given=True)


@pytest.mark.issue(36)
def test_the_pack_of_a_practice_game_is_its_players() -> None:
    house = with_pack(House())
    ann, ben = start_all(house, ["Ann", "Ben"], Settings(spectators=True))
    source = room_id_of(ann)
    ann.port.propose_give_up()
    house.settle()
    proposal = room_of(house, ann).proposal
    assert proposal is not None
    ben.port.consent(proposal.proposal_id, is_agreed=True)
    house.settle()
    for client in (ann, ben):
        client.port.leave_table()
        client.port.join_review(source)
        house.settle()
    ann.port.practise(source, 10**6)
    house.settle()
    room_id = ann.model.finished.practice
    assert room_id
    assert pack_of(house, ann, room_id) == "table/not_over"
    ann.port.propose_give_up()
    house.settle()

    assert_alike(house, ann, room_id, is_given=True)
    assert_alike(house, ben, room_id, is_given=False)
    assert_alike(house, house.client("Eve"), room_id, is_given=False)
    assert_alike(house, ben, source, is_given=True)


@pytest.mark.issue(36)
def test_a_name_that_leads_out_of_a_pack_is_refused_by_its_reader() -> None:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as into:
        into.writestr("../../evil.yaml", b"[]")
    with pytest.raises(ContentErrors, match="leads out of the pack"):
        read_zip("any", zipped.getvalue())
