"""Stored shares of chance: their file, and what checks of a log conclude from it."""

import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
import tomlkit

from client.commands import robots
from client.commands.verify import main as verify
from client.keyring import shares
from client.keyring.identity import HOME_VARIABLE, KNOWN_FILE, KnownServers
from client.keyring.shares import (
    FILE,
    KeptShare,
    KeptShares,
    Own,
    UnreadableShares,
    judged,
    spent,
)
from client.locale import load
from client.model.model import ClientModel
from client.model.status import Online
from client.model.tables import TableStep, TableView
from client.net.outbox import PortConnection
from client.net.port import ServerPort
from client.notes.note_book import NoteBook
from client.settings import config
from protocol.common import events
from protocol.common.signed import commitment_of_share, start_id
from protocol.common.table import LOG_VERSION, FixedSetup, RoomTable, Stage, Table, fold
from protocol.event import Event, Record, everything, hidden, read
from protocol.invitation import Address
from protocol.keys import fingerprint_text
from protocol.messages import ClientMessage, CommitShare, OpenShare
from server.lobby.tables import new_tables
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, happened, records_of, room_id_of, room_of, seat_all
from tests.protocol.archives import ROOM, Change, Log, archive, finished_log

OURS, THEIRS = (fingerprint_text(letter * 32) for letter in (b"o", b"t"))
"""Fingerprints of two servers."""
STRAY = KeptShare(b"z" * 32, b"s" * 32)
"""A kept share that is in no log."""


def kept_of(log: Log, seat: int) -> KeptShare:
    """Return what the client of a seat stores of the start that a log contains."""
    table = Table()
    for record in (read(ROOM, everything(stored)) for stored in log.stored):
        if isinstance(record.event, events.ShareOpened) and record.event.seat == seat:
            return KeptShare(record.event.share, start_id(table.room))
        table = fold(table, record)
    raise LookupError(seat)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return the file of a finished game."""
    path = tmp_path / "game.manse"
    path.write_bytes(archive(finished_log()))
    return path


def test_what_is_kept_is_found_by_its_table(home: Path) -> None:
    kept = KeptShares(home / FILE)
    a, b, c = (KeptShare(letter * 32, letter.upper() * 32) for letter in (b"a", b"b", b"c"))
    kept.keep("one", a)
    kept.keep("other", b)
    kept.keep("one", c)

    assert kept.opened_at("one") == (a, c)
    assert kept.opened_at("other") == (b,)
    assert kept.opened_at("third") == ()
    assert kept.path.stat().st_mode & 0o077 == 0


def test_only_so_much_is_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "MOST_ROOMS", 2)
    monkeypatch.setattr(shares, "MOST_EACH", 2)
    kept = KeptShares(home / FILE)
    for at, room in enumerate(("one", "two", "one", "one", "three")):
        kept.keep(room, KeptShare(bytes([at]) * 32, b"s" * 32))

    assert set(json.loads(kept.path.read_text())) == {"one", "three"}
    assert len(kept.opened_at("one")) == 2


@pytest.mark.issue(36)
def test_another_server_neither_learns_of_shares_nor_has_them_forgotten(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "MOST_ROOMS", 3)
    kept = KeptShares(home / FILE)
    ours, theirs = KeptShare(b"a" * 32, b"A" * 32, 2), KeptShare(b"b" * 32, b"B" * 32, 1)
    kept.keep("room", ours, OURS)

    assert kept.opened_at("room", THEIRS) == ()
    for room in ("room", *("room" for _ in range(shares.MOST_EACH)), "1", "2", "3", "4", "room"):
        kept.keep(room, theirs, THEIRS)

    assert kept.opened_at("room", OURS) == (ours,)
    assert kept.opened_at("room", THEIRS) == (theirs,)
    assert kept.opened_at("1", THEIRS) == ()
    assert set(kept.opened_at("room")) == {ours, theirs}


@pytest.mark.issue(36)
def test_a_file_of_an_earlier_release_is_read_on(home: Path) -> None:
    """Files of earlier releases name no server, so their shares count for every server."""
    home.mkdir()
    row = [STRAY.share.hex(), STRAY.start.hex()]
    (home / FILE).write_text(json.dumps({"room": [row], "other": [row]}))
    kept, new = KeptShares(home / FILE), KeptShare(b"n" * 32, b"N" * 32, 1)

    assert kept.opened_at("room", OURS) == kept.opened_at("room") == (STRAY,)
    kept.keep("room", new, OURS)

    assert kept.opened_at("room", OURS) == (STRAY, new)
    assert kept.opened_at("room", THEIRS) == (STRAY,)
    assert kept.opened_at("other", OURS) == (STRAY,)


@pytest.mark.issue(36)
def test_a_start_at_one_server_is_not_counted_at_another(home: Path) -> None:
    numbers = []
    for server in (OURS, THEIRS):
        house = House()
        ann, ben = seat_all(house, ["Ann", "Ben"])
        ann.model.status = Online("", server, "")
        ann.port.own_shares.shares = KeptShares(home / FILE)
        get_ready(house, [ann, ben])
        ann.port.start()
        house.settle()
        opened = happened(house, room_id_of(ann), events.ShareOpened)
        numbers.append((room_id_of(ann), [one.number for one in opened if one.seat == 0]))

    assert numbers[0] == numbers[1]
    assert numbers[0][1] == [1]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"room": "no list"}', '{"room": [1]}', '{"room": [["zz", "aa"]]}'],
)
def test_a_damaged_file_is_said_to_be_one(home: Path, text: str) -> None:
    """A damaged file must not pass for one without evidence against the log."""
    home.mkdir()
    (home / FILE).write_text(text)

    with pytest.raises(UnreadableShares, match=FILE):
        KeptShares(home / FILE).opened_at("room")


def test_a_damaged_file_keeps_nobody_from_playing(home: Path) -> None:
    home.mkdir()
    (home / FILE).write_text("{")
    kept = KeptShares(home / FILE)

    kept.keep("room", STRAY)

    assert kept.opened_at("room") == (STRAY,)


# Judging a log -----------------------------------------------------------------------------


def test_verify_says_that_ones_own_share_is_in_the_key(
    home: Path, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    KeptShares(home / FILE).keep(ROOM, kept_of(finished_log(), 1))

    assert verify([str(game)]) == 0
    assert "Your own share of chance is in the key." in capsys.readouterr().out
    assert verify([str(game), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["own_share"] == "in_key"


def test_verify_fails_where_ones_own_share_is_not_in_the_log(
    home: Path, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    KeptShares(home / FILE).keep(ROOM, STRAY)

    assert verify([str(game)]) == 1
    assert "your client gave its share of chance is not in this log" in capsys.readouterr().err
    assert verify([str(game), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["ok"] is False


def _other_seeds(happened: Event) -> Event:
    return (
        events.SeedsCommitted(hidden(b"n" * 32), hidden(b"o" * 32))
        if isinstance(happened, events.SeedsCommitted)
        else happened
    )


def _another_share_of_the_other(happened: Event) -> Event:
    share = b"o" * 32
    match happened:
        case events.ShareCommitted(seat=0):
            room = RoomTable(room_id=ROOM, version=LOG_VERSION)
            return events.ShareCommitted(0, commitment_of_share(room, 0, share, 1, b""))
        case events.ShareOpened(seat=0):
            return events.ShareOpened(0, share)
    return happened


def _a_setup(happened: Event) -> Event:
    is_talk = isinstance(happened, events.Chatted)
    return events.SetupFixed(FixedSetup("setup", b"c" * 32)) if is_talk else happened


def _the_first_version(happened: Event) -> Event:
    if not isinstance(happened, events.RoomOpened):
        return happened
    room, settings = happened, happened.settings
    return events.RoomOpened(
        room.room_id, room.ruleset, room.scenario, room.content_hash, settings, 1, room.source
    )


@pytest.mark.parametrize(
    "change", [_other_seeds, _another_share_of_the_other, _a_setup, _the_first_version]
)
def test_ones_own_share_in_another_start_is_not_ones_own(change: Change) -> None:
    """A server that has seen a share could put it into another start, with seeds that it likes."""
    mine = kept_of(finished_log(), 1)
    log = finished_log(change)
    records = [read(ROOM, everything(stored)) for stored in log.stored]

    assert mine.share in {r.event.share for r in records if isinstance(r.event, events.ShareOpened)}
    assert judged(records, [mine]) is Own.MISSING


def test_verify_says_nothing_of_shares_where_none_was_kept(
    home: Path, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    KeptShares(home / FILE).keep("another room", STRAY)

    assert verify([str(game)]) == 0
    assert "own share" not in capsys.readouterr().out
    assert verify([str(game), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["own_share"] == "none"


def test_verify_fails_where_the_file_of_shares_cannot_be_read(
    home: Path, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file may hold the evidence against the log."""
    home.mkdir()
    (home / FILE).write_text("{")

    assert verify([str(game)]) == 1
    assert FILE in capsys.readouterr().err


def real_start(home: Path, *, fails_first: bool) -> tuple[House, KeptShares]:
    """Return a server with a started game of two, and what one of the players has stored."""
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    kept = KeptShares(home / FILE)
    ann.port.own_shares.shares = kept
    get_ready(house, [ann, ben])
    if fails_first:
        hear, ben.session.hear = ben.session.hear, None
        ann.port.start()
        house.settle(40)
        ben.session.hear = hear
        ben.port.enter(room_id_of(ann))
        house.settle()
        ben.port.set_ready(True)
        house.settle()
    ann.port.start()
    house.settle()
    assert room_of(house, ann).stage is Stage.PLAYING
    return house, kept


@pytest.mark.parametrize("fails_first", [False, True])
def test_a_client_keeps_the_share_that_it_opens(home: Path, fails_first: bool) -> None:
    house, kept = real_start(home, fails_first=fails_first)
    (room_id,) = house.lobby.registry.hosts

    records = records_of(house, room_id)

    assert len(kept.opened_at(room_id)) == 1
    assert judged(records, kept.opened_at(room_id)) is Own.IN_KEY
    assert judged(records, [STRAY]) is Own.MISSING
    assert judged(records, []) is Own.NONE


@attrs.define
class PassingOn:
    """A connection that passes on everything sent on it."""

    line: PortConnection

    def next_serial(self) -> int:
        return self.line.next_serial()

    def try_again(self) -> None:
        self.line.try_again()

    def set_language(self, language: str) -> None:
        self.line.set_language(language)

    def send(self, message: ClientMessage) -> None:
        self.line.send(message)


@attrs.define
class Looking(PassingOn):
    """A connection that inspects the stored shares just before a share is opened over it."""

    look: Callable[[], int]
    seen: list[int] = attrs.field(factory=list)

    def send(self, message: ClientMessage) -> None:
        if isinstance(message, OpenShare):
            self.seen.append(self.look())
        self.line.send(message)


def test_a_share_is_kept_before_it_is_sent(home: Path) -> None:
    """A client that died between the two could hold nothing against the log."""
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    kept, room_id = KeptShares(home / FILE), room_id_of(ann)
    ann.port.own_shares.shares = kept
    looking = ann.port.outbox.line = Looking(ann, lambda: len(kept.opened_at(room_id)))
    get_ready(house, [ann, ben])
    ann.port.start()
    house.settle()

    assert looking.seen == [1]


def test_a_share_whose_number_cannot_be_stored_is_not_opened(
    tmp_path: Path,
) -> None:
    """The next start would be signed with a number that was used before, which hides a start."""
    (tmp_path / "file").write_text("")
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    ann.port.own_shares.shares = KeptShares(tmp_path / "file" / FILE)
    told: list[str] = []
    ann.model.on_change.append(lambda: told.append(ann.model.bar.text))
    get_ready(house, [ann, ben])
    ann.port.start()
    house.settle()

    assert room_of(house, ann).stage is Stage.STARTING
    assert any("was not given" in text for text in told)


@attrs.define
class Swapping(PassingOn):
    """A connection on which the server seems to bind the seat to zeros instead of its share."""

    opened: list[OpenShare] = attrs.field(factory=list)

    def send(self, message: ClientMessage) -> None:
        """Send a commitment to zeros in place of the player's; record each share that is opened."""
        if isinstance(message, CommitShare):
            zeros = hashlib.sha256(bytes(32)).digest()
            message = CommitShare(message.serial, message.room_id, zeros)
        if isinstance(message, OpenShare):
            self.opened.append(message)
        self.line.send(message)


def test_a_share_is_not_opened_where_the_log_binds_the_seat_to_another(home: Path) -> None:
    """The share would be in no key of chance, so the player learns that the dice are in danger."""
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    ann.port.own_shares.shares = KeptShares(home / FILE)
    swapping = ann.port.outbox.line = Swapping(ann)
    told: list[str] = []
    ann.model.on_change.append(lambda: told.append(ann.model.bar.text))
    get_ready(house, [ann, ben])
    ann.port.start()
    house.settle()

    assert room_of(house, ann).stage is Stage.STARTING
    assert swapping.opened == []
    assert any("not yours" in text for text in told)


@pytest.mark.parametrize(("version", "is_told"), [(1, True), (2, False)])
def test_whoever_starts_a_table_of_old_keys_is_told(
    monkeypatch: pytest.MonkeyPatch, version: int, is_told: bool
) -> None:
    """A server of today can still open a table with a log of version 1."""
    monkeypatch.setattr(new_tables, "LOG_VERSION", version)
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    told: list[str] = []
    ann.model.on_change.append(lambda: told.append(ann.model.bar.text))
    get_ready(house, [ann, ben])
    ann.port.start()
    house.settle()

    assert room_of(house, ann).version == version
    assert room_of(house, ann).stage is Stage.PLAYING
    assert any("release 0.1.0" in text for text in told) is is_told


@pytest.mark.parametrize("is_another", [True, False])
def test_a_game_of_another_start_is_said_to_be_one(home: Path, is_another: bool) -> None:
    """A client that was closed meanwhile has no log of the game, only its share."""
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    kept = ann.port.own_shares.shares = KeptShares(home / FILE)
    if is_another:
        kept.keep(room_id_of(ann), STRAY)
        ann.port.own_shares.part.keep = lambda _room, _kept: True
    told: list[str] = []
    ann.model.on_change.append(lambda: told.append(ann.model.bar.text))
    get_ready(house, [ann, ben])
    ann.port.start()
    house.settle()

    assert room_of(house, ann).stage is Stage.PLAYING
    assert any("did not use the share of chance" in text for text in told) is is_another


# Starts that failed ------------------------------------------------------------------------


def start(*seats: int, fails: bool) -> list[object]:
    """Return the events of a start in which the given seats open their shares."""
    opened = [events.ShareOpened(seat, bytes([seat]) * 32) for seat in seats]
    return [events.StartRequested(0), *opened, *([events.StartFailed((9,))] if fails else [])]


@pytest.mark.parametrize(
    ("happened", "times"),
    [
        ([], 0),
        (start(0, 1, fails=True), 1),
        (start(0, fails=True), 0),
        (start(0, 1, fails=True) + start(1, fails=True), 2),
        (start(0, 1, fails=True) + start(0, 1, fails=False), 1),
        (start(1, fails=False) + start(0, fails=True), 0),
    ],
)
def test_starts_are_counted_that_failed_after_ones_share_was_seen(
    happened: list[events.StartFailed], times: int
) -> None:
    assert spent(happened, 1) == times


def test_a_log_that_hides_the_share_it_was_sent_is_counted_too() -> None:
    model = ClientModel("Ann", b"k" * 32)
    port = ServerPort(model, None, lambda: b"s" * 32)  # type: ignore[arg-type]  # says nothing here
    port.own_shares.part.is_exposed = True
    view = TableView("room", 0)
    step = TableStep(Table(), Record(3, 0, -2, events.StartFailed((0,))), Table())

    assert port.own_shares.part.wasted(view, [step]) == 1
    assert port.own_shares.part.wasted(view, []) == 0


def test_a_bot_whose_seat_was_emptied_ends() -> None:
    assert "emptied your seat" in robots._why_not(ClientModel("Bot", b"k" * 32))


# Two windows of one player -----------------------------------------------------------------


def window(house: House, home: Path, name: str) -> Client:
    """Open another client of a player, on the player's folder."""
    client = house.client(name)
    client.model.status = Online("", OURS, "")
    client.port.own_shares.shares = KeptShares(home / FILE)
    return client


def wrong(client: Client) -> list[str]:
    """Collect the problems that a client's message bar shows from now on."""
    told: list[str] = []
    client.model.on_change.append(
        lambda: told.append(client.model.bar.text) if client.model.bar.is_wrong else None
    )
    return told


@pytest.mark.issue(38)
@pytest.mark.parametrize("is_slow", [False, True])
def test_two_windows_of_one_player_give_one_share(home: Path, is_slow: bool) -> None:
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    windows = [ann, window(house, home, "Ann")]
    ann.port.own_shares.shares = KeptShares(home / FILE)
    ann.model.status = Online("", OURS, "")
    windows[1].port.enter(room_id)
    house.settle()
    if is_slow:
        hear = windows[1].session.hear
        windows[1].session.hear = lambda message: house.clock.callLater(0.7, lambda: hear(message))
    told = [wrong(one) for one in windows]
    get_ready(house, [ann, ben])
    ann.port.start()
    house.settle()

    assert room_of(house, ann).stage is Stage.PLAYING
    assert told == [[], []]
    kept = KeptShares(home / FILE).opened_at(room_id, OURS)
    assert [one.number for one in kept] == [1]
    assert judged(records_of(house, room_id), kept) is Own.IN_KEY


@pytest.mark.issue(38)
def test_two_windows_count_their_openings_together(home: Path) -> None:
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    ann.port.own_shares.shares = KeptShares(home / FILE)
    ann.model.status = Online("", OURS, "")
    other = window(house, home, "Ann")
    other.port.enter(room_id)
    house.settle()
    hear = ben.session.hear
    for _ in range(4):
        get_ready(house, [ann, ben])
        ben.session.hear = None
        ann.port.start()
        house.settle(40)
        ben.session.hear = hear
        ben.port.enter(room_id)
        house.settle()
    get_ready(house, [ann, ben])
    told = wrong(other)
    ann.port.start()
    house.settle()

    assert room_of(house, ann).stage is Stage.PLAYING
    assert not [text for text in told if "not yours" in text or "not given" in text]
    assert judged(records_of(house, room_id), KeptShares(home / FILE).opened_at(room_id)) is (
        Own.IN_KEY
    )


@pytest.mark.issue(38)
def test_a_window_that_is_begun_in_the_middle_of_a_start_opens_the_share(home: Path) -> None:
    """The first window ended before it could; the second reads the bound share from the file."""
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    ann.port.own_shares.shares = KeptShares(home / FILE)
    ann.model.status = Online("", OURS, "")
    get_ready(house, [ann, ben])
    ann.port.outbox.line = Deaf(ann)
    ann.port.start()
    house.settle(2)
    assert room_of(house, ann).stage is Stage.STARTING

    other = window(house, home, "Ann")
    other.port.enter(room_id)
    house.settle()

    assert room_of(house, ben).stage is Stage.PLAYING


@attrs.define
class Deaf(PassingOn):
    """A connection that is lost before a share is opened."""

    def send(self, message: ClientMessage) -> None:
        if not isinstance(message, OpenShare):
            self.line.send(message)


@pytest.mark.issue(38)
def test_a_share_that_is_opened_is_not_opened_to_other_shares(home: Path) -> None:
    """A server could show a second window another start, whose other shares it chooses."""
    kept = KeptShares(home / FILE)
    kept.keep("room", STRAY, OURS)
    kept.keep("room", STRAY, OURS)

    with pytest.raises(shares.OpenedElsewhere):
        kept.keep("room", KeptShare(STRAY.share, b"t" * 32), OURS)

    assert kept.opened_at("room", OURS) == (STRAY,)


@pytest.mark.issue(38)
@pytest.mark.parametrize("text", ["", "[]", "{", '{"0 room": 3}', '{"0 room": ["ab", 1, "x", 2]}'])
def test_a_damaged_file_of_bound_shares_is_begun_anew(home: Path, text: str) -> None:
    """The file of bound shares serves one start only."""
    home.mkdir()
    kept, made = KeptShares(home / FILE), shares.BoundShare(b"s" * 32, 1, b"b" * 32)
    kept.bound_path.write_text(text)

    assert kept.bind("room", 0, b"\xab", lambda: made) == made
    assert kept.bind("room", 0, b"\xab", lambda: None) == made
    assert kept.bind("room", 1, b"\xab", lambda: None) is None
    assert kept.bind("room", 0, b"\xcd", lambda: None) is None
    assert kept.bound_path.stat().st_mode & 0o077 == 0


@pytest.mark.issue(38)
def test_nothing_that_two_windows_write_is_lost(home: Path) -> None:
    home.mkdir()
    both = threading.Barrier(4)
    times = 12

    def write(number: int) -> None:
        both.wait()
        for at in range(times):
            name = f"{number}-{at}"
            share = hashlib.sha256(name.encode()).digest()
            KeptShares(home / FILE).keep(f"room{number}", KeptShare(share, share), OURS)
            NoteBook(home / "notes.json").write(at, name)
            KnownServers(home / KNOWN_FILE).remember(Address(f"h{name}", 4470), share)
            setting = (("dice", at % 2 == 0), ("bell", True), ("story", False), ("mouse", False))
            config.change(
                home / "config.toml", (setting[number][0],), setting[number][1], load("en")
            )

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    names = {f"{number}-{at}" for number in range(4) for at in range(times)}
    assert {note.text for note in NoteBook(home / "notes.json").read()} == names
    known = KnownServers(home / KNOWN_FILE)
    assert all(known.fingerprint_of(Address(f"h{name}", 4470)) for name in names)
    for number in range(4):
        assert len(KeptShares(home / FILE).opened_at(f"room{number}")) == times
    assert set(tomlkit.parse((home / "config.toml").read_text())) == {
        "dice",
        "bell",
        "story",
        "mouse",
        "keys",
    }


@pytest.mark.issue(38)
def test_readiness_that_was_said_in_the_other_window_is_no_surprise(home: Path) -> None:
    house = House()
    ann, ben = seat_all(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    other = window(house, home, "Ben")
    other.port.enter(room_id)
    ben.port.own_shares.shares = KeptShares(home / FILE)
    ben.model.status = Online("", OURS, "")
    house.settle()
    get_ready(house, [ann, other])
    ann.port.choose_scenario(room_of(house, ann).scenario)
    house.settle()
    get_ready(house, [ann, ben])
    told = [wrong(one) for one in (ben, other)]
    ann.port.start()
    house.settle()

    assert room_of(house, ann).stage is Stage.PLAYING
    assert told == [[], []]
