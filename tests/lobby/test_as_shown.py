"""Each reply to somebody without a seat depends only on what they have been shown.

Two servers differ in one thing: at one of them something happens at a table whose spectators see
everything with a delay. Whatever message a spectator, a stranger or somebody at another table then
sends, both servers send them the same bytes at the same moments.
"""

import functools
import itertools
import typing
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest

from protocol import messages
from protocol.common.padded import Padded
from protocol.common.table import Observer, RoomTable, Settings, Stage
from protocol.keys import fingerprint
from protocol.messages import Sender, decode_message, encode_message
from protocol.vocabulary import ClientMessage, message_kinds
from server.kernel.errors import Refused
from server.lobby.finished.access import Access
from server.lobby.finished.sharing import SharedGames
from server.lobby.requests.handlers import HANDLERS, Needs
from server.lobby.requests.visitor import Visitor
from server.lobby.rooms.summary import Summary
from server.lobby.tables.known_setups import KnownSetups
from server.lobby.views.followers import Followers
from server.net.handler import Account
from server.storage import StorageError
from tests.kit.every_run import first
from tests.kit.servers.failing import FailingStore, Fault
from tests.kit.servers.house import Client, FakeSession, House, key_of
from tests.kit.servers.tables import get_ready, room_id_of, room_of, seat_all

pytestmark = pytest.mark.issue(36)

DELAY = 1200
ASKED_AFTER = 100.0
"""Seconds from the beginning of the event to the first message."""

Note = tuple[float, str, bytes]
"""Time, client, and bytes of a message that was sent."""


@attrs.define(eq=False)
class Asker:
    """A client without a seat at the table, which sends every kind of request."""

    house: House
    name: str
    own_room: str = ""
    session: FakeSession = attrs.field(init=False)
    notes: list[Note] = attrs.field(factory=list)
    _serial: int = 0

    def __attrs_post_init__(self) -> None:
        self.connect()

    def connect(self) -> None:
        """Log in with a new connection."""
        account = Account(key_of(self.name).public, self.name, "en")
        self.session = FakeSession(account, hear=self.hear, network="")
        self.house.lobby.sessions.connected(self.session)

    def hear(self, message: messages.ServerMessage) -> None:
        """Record a message from the server."""
        now = round(self.house.clock.seconds(), 3)
        self.notes.append((now, type(message).__name__, encode_message(message)))

    def say(self, kind: type[ClientMessage], /, **fields: Any) -> None:
        self._serial += 1
        # Budgets are for another test.
        self.house.lobby.pace._buckets.clear()
        self.house.lobby.sessions.received(self.session, kind(serial=self._serial, **fields))
        self.house.settle(0.1)


@attrs.define(eq=False)
class World:
    """A server with a table, and all clients without a seat at it."""

    settings: Settings
    with_setup: bool
    house: House = attrs.field(factory=lambda: House(store=FailingStore()))
    seated: list[Client] = attrs.field(factory=list)
    askers: list[Asker] = attrs.field(factory=list)
    room_id: str = ""
    codes: list[str] = attrs.field(factory=list)
    """Codes of invitations and setups that the askers know."""

    def open(self, *, plays: bool) -> None:
        """Open the table, begin its game, and wait until spectators have seen all of it."""
        house = self.house
        self.seated = seat_all(house, ["Ada", "Ben", "Cleo"], self.settings)
        self.room_id = room_id_of(self.seated[0])
        opened = self.seated[0].session.last(messages.TableOpened)
        watcher, stranger, member = (Asker(house, name) for name in ("Wat", "Zoe", "Mia"))
        self.askers = [watcher, stranger, member]
        self.codes = [opened.watch_code, *[opened.code] * plays]
        for asker in (watcher, member):
            asker.say(messages.OpenTable, settings=Settings(), scenario=house.scenario_id())
            asker.own_room = asker.session.last(messages.TableOpened).room_id
        if self.with_setup:
            member.say(messages.MakeSetup)
            code = member.session.last(messages.SetupMade).code
            self.codes.append(code)
            for asker in (watcher, member):
                asker.say(messages.FixSetup, room_id=asker.own_room, code=code)
            self.seated[0].send(messages.FixSetup(900, self.room_id, code))
            house.settle()
        for client in self.seated:
            client.session.network = ""
        get_ready(house, self.seated)
        if plays:
            self.start()
        watcher.say(messages.WatchTable, code=opened.watch_code)
        watcher.say(messages.EnterTable, room_id=self.room_id, after=-1)
        if self.settings.observers:
            observer = Asker(house, "Rea")
            observer.say(messages.EnterTable, room_id=self.room_id, after=-1)
            self.askers.append(observer)
        house.settle(DELAY + 5)

    # What happens

    def start(self) -> None:
        self.seated[0].port.start()
        self.house.settle()
        assert room_of(self.house, self.seated[0]).stage is Stage.PLAYING

    def play(self) -> None:
        before = len(self.house.log_of(self.room_id))
        for seed, client in enumerate(self.seated):
            self.house.bot(client, seed)
        self.house.settle(8)
        assert len(self.house.log_of(self.room_id)) > before + 50

    def end(self) -> None:
        """End the game by agreement of all."""
        ada, *others = self.seated
        ada.send(messages.ProposeGiveUp(901, self.room_id))
        self.house.settle()
        for client in others:
            client.send(messages.Consent(902, self.room_id, 0, is_agreed=True))
            self.house.settle()
        assert room_of(self.house, ada).stage is Stage.OVER

    def share(self) -> None:
        """End the game, and agree to share it with everybody."""
        self.end()
        for client in self.seated:
            client.send(messages.ShareGame(903, self.room_id, is_agreed=True))
            self.house.settle()

    def review(self) -> None:
        """End the game, share it, review it, write a note, and open the next table."""
        self.share()
        ada, ben, _ = self.seated
        ada.send(messages.JoinReview(904, self.room_id))
        ada.send(messages.NoteGame(905, self.room_id, 3, "a note", is_tag=False))
        ben.send(messages.Practise(906, self.room_id, 10**6))
        ben.send(messages.PlayAgain(907, self.room_id))
        self.house.settle()

    def abandon(self) -> None:
        for client in self.seated:
            client.disconnect()

    def lose_host(self) -> None:
        """Disconnect the host, and let the others agree to give the seat to a bot."""
        ada, ben, cleo = self.seated
        ada.disconnect()
        ben.send(messages.ProposeGiveSeat(908, self.room_id, 0, to_bot=True))
        self.house.settle()
        cleo.send(messages.Consent(909, self.room_id, 0, is_agreed=True))
        self.house.settle()

    def leave(self) -> None:
        """Let the host leave the table before the game."""
        self.seated[0].port.leave_seat()
        self.house.settle()

    def fail(self) -> None:
        """Let the store refuse one batch, then accept others."""
        store = self.house.store
        assert isinstance(store, FailingStore)
        store.faults.append(Fault(error=StorageError("full")))
        self.seated[0].port.chat("lost")
        self.house.settle(20)

    # What is asked

    def ask_everything(self, begin: float) -> list[list[Note]]:
        """Let askers send all requests ASKED_AFTER seconds after `begin`; return their notes."""
        house = self.house
        while house.clock.seconds() < begin + ASKED_AFTER:
            house.clock.advance(0.05)
        house.entropy.count = 10**6
        for asker in self.askers:
            self._ask(asker, messages_of(lambda _: True))
        of_rooms = list(messages_of(lambda kind: HANDLERS[kind].needs is Needs.ROOM))
        for asker in self.askers:
            # Again as if they had just come, all with the invitation to watch.
            asker.connect()
            asker.say(messages.WatchTable, code=self.codes[0])
            self._ask(asker, of_rooms)
        assert house.clock.seconds() < begin + DELAY
        return [asker.notes for asker in self.askers]

    def _ask(self, asker: Asker, kinds: Any) -> None:
        for kind in kinds:
            for fields in filled(kind, [self.room_id, asker.own_room], self.codes):
                asker.say(kind, **fields)


LAST = (messages.LeaveTable, messages.LeaveSeat, messages.RemoveTable)
"""Messages that are sent last, since less can be asked after them."""
NOT_OF_LOBBY = (messages.Ping,)


def messages_of(fits: Callable[[type[ClientMessage]], bool]) -> Iterator[type[ClientMessage]]:
    """Yield the kinds of message that a client can send to the lobby, from the registry."""
    kinds = [kind for kind in message_kinds().values() if issubclass(kind, ClientMessage)]
    asked = sorted((kind in LAST, kind.tag, kind) for kind in kinds if kind not in NOT_OF_LOBBY)
    return (kind for _, _, kind in asked if fits(kind))


SAMPLES: dict[Any, tuple[Any, ...]] = {
    int: (0, 1),
    str: ("x", ""),
    bytes: (bytes(32), b"", bytes(64)),
    bool: (True,),
    tuple: ((),),
    Settings: (Settings(),),
    Padded: (Padded.of(b""),),
}
"""Values of fields, by type: the first that the message accepts is used."""
NAMED = {"after": -1, "language": "fr", "scenario": "core/sluice-house", "branch_id": "a" * 24}


@functools.cache
def choices_of(kind: Any) -> dict[str, tuple[Any, ...]]:
    """Return values to try for each field of a kind of message, without the serial."""
    hints = typing.get_type_hints(kind)
    names = [field.name for field in attrs.fields(kind) if field.name != "serial"]
    return {
        name: (NAMED[name],)
        if name in NAMED
        else SAMPLES[typing.get_origin(hints[name]) or hints[name]]
        for name in names
    }


def filled(kind: Any, rooms: list[str], codes: list[str]) -> Iterator[dict[str, Any]]:
    """Yield field values for messages of a kind, for each room and each code."""
    choices = choices_of(kind)
    names = [*choices]
    asked_of = [room for room in rooms if room] if "room_id" in names else [""]
    for room, code in itertools.product(asked_of, codes if "code" in names else [""]):
        given = {"room_id": (room,), "code": (code,)}
        options = [given.get(name, choices[name]) for name in names]
        yield first_fitting(kind, names, itertools.product(*options))


def first_fitting(kind: type[ClientMessage], names: list[str], options: Any) -> dict[str, Any]:
    """Return the first combination of fields that a message of a kind accepts."""
    for values in options:
        fields = dict(zip(names, values, strict=True))
        try:
            decode_message(encode_message(kind(serial=1, **fields)), Sender.CLIENT)
        except Exception:  # noqa: BLE001, S112 (whatever says that it does not fit)
            continue
        return fields
    raise AssertionError(f"nothing here fits into {kind.__name__}: add it to SAMPLES or NAMED")


# The comparison ------------------------------------------------------------------------------

LATE = Settings(spectators=True, spectators_delay_seconds=DELAY)
OBSERVED = attrs.evolve(
    LATE, observers=(Observer("Rea", fingerprint(key_of("Rea").public), DELAY),)
)
WORLDS = {"setup": (LATE, True), "observed": (OBSERVED, False)}
HAPPENING: dict[str, tuple[Callable[[World], None], bool]] = {
    "start": (World.start, False),
    "leave": (World.leave, False),
    "play": (World.play, True),
    "end": (World.end, True),
    "share": (World.share, True),
    "review": (World.review, True),
    "abandon": (World.abandon, True),
    "lose_host": (World.lose_host, True),
    "fail": (World.fail, True),
}


def asked(name: str, happens: str | None) -> list[list[Note]]:
    """Return all messages sent in a world in which `happens` takes place; None for no event."""
    world = World(*WORLDS[name])
    act, plays = HAPPENING[happens] if happens is not None else (None, True)
    world.open(plays=plays)
    return told_after(world, act)


def told_after(world: World, act: Callable[[World], None] | None) -> list[list[Note]]:
    """Return all that is sent after an action at the table."""
    begin = world.house.clock.seconds()
    if act is not None:
        act(world)
    return world.ask_everything(begin)


QUIET: dict[tuple[str, bool], list[list[Note]]] = {}


def quiet(name: str, *, plays: bool) -> list[list[Note]]:
    """Return all that is sent in a world in which nothing happens; cached."""
    if (name, plays) not in QUIET:
        world = World(*WORLDS[name])
        world.open(plays=plays)
        QUIET[name, plays] = told_after(world, None)
    return QUIET[name, plays]


def differences(name: str, happens: str) -> list[tuple[Note, Note]]:
    """Return the messages in which the two worlds differ."""
    still, lively = quiet(name, plays=HAPPENING[happens][1]), asked(name, happens)
    pairs = zip(still, lively, strict=True)
    return [
        (one, other)
        for mine, theirs in pairs
        for one, other in itertools.zip_longest(mine, theirs, fillvalue=(0.0, "", b""))
        if one != other
    ]


def _is_quick(happens: str, name: str) -> bool:
    """Return whether every run looks: an observer changes who is sent what as the game goes on."""
    return name == "setup" or happens == "share"


@pytest.mark.parametrize(
    ("happens", "name"),
    [
        pytest.param(*one, marks=() if _is_quick(*one) else pytest.mark.long)
        for one in itertools.product(HAPPENING, WORLDS)
    ],
)
def test_nobody_without_a_seat_learns_of_it_before_it_is_shown(name: str, happens: str) -> None:
    assert differences(name, happens)[:3] == []


def test_everything_is_asked() -> None:
    notes = quiet("setup", plays=True)

    assert {type_ for _, type_, _ in itertools.chain(*notes)} >= {
        *("Done", "Refusal", "Entered", "Joined", "ExportPart", "Tables", "GamesFound"),
        *("SetupList", "PackedRecords", "Words", "TableOpened", "Reviews", "Awaited"),
    }
    assert min(len(each) for each in notes) > len(HANDLERS)


def test_once_it_is_shown_a_shared_game_is_open_to_all() -> None:
    world = World(LATE, with_setup=False)
    world.open(plays=True)
    world.share()
    watcher, stranger, _ = world.askers

    def refusals() -> list[str]:
        for asker in (watcher, stranger):
            asker.session.sent.clear()
            asker.say(messages.ListGameNotes, room_id=world.room_id)
        both = (watcher.session.sent[-1], stranger.session.sent[-1])
        return [getattr(one, "code", type(one).__name__) for one in both]

    assert refusals() == ["table/no_seat", "table/no_such_table"]
    world.house.settle(DELAY)
    assert refusals() == ["Done", "Done"]


# Planted faults ------------------------------------------------------------------------------


def at_once(summary: Summary, _key: bytes, _now: int) -> Stage:
    return summary.stage


def by_stage(shared: SharedGames, room: RoomTable, key: bytes) -> None:
    """Plant a fault: refuse with a code that reveals whether the game is over."""
    if not shared.may_open(room.room_id, key):
        raise Refused("table/no_seat" if room.stage is Stage.OVER else "table/not_over")


def unless_over(access: Access, visitor: Visitor, room_id: str) -> bool:
    """Plant a fault: deny that a room exists once its game is over."""
    summary = access.shared.registry.summaries.get(room_id)
    is_seated = summary is not None and visitor.key in summary.keys
    is_invited = room_id in visitor.watching
    return summary is not None and (is_invited or is_seated or summary.stage is not Stage.OVER)


PLANTED: dict[str, tuple[Any, str, Any, str, str]] = {
    "a list": (Summary, "stage_for", at_once, "setup", "end"),
    "a shared game": (Summary, "stage_for", at_once, "observed", "share"),
    "a refusal": (SharedGames, "refuse_unopened", by_stage, "setup", "end"),
    "a stranger's refusal": (Access, "may_know", unless_over, "observed", "end"),
    "a known setup": (KnownSetups, "_shown_at", lambda *_: 0, "setup", "start"),
    "a notice": (Followers, "tell_undelayed", Followers.tell_all, "observed", "fail"),
}


@pytest.mark.parametrize("fault", first(3, PLANTED))
def test_a_reply_that_depends_on_more_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, attribute, careless, name, happens = PLANTED[fault]
    monkeypatch.setattr(f"{__name__}.QUIET", {})
    monkeypatch.setattr(place, attribute, careless)

    assert differences(name, happens)
