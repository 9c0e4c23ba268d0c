"""Hostile server: the client survives any forged event or message."""

import functools
import io
from random import Random
from typing import cast

import attrs
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.vt100 import Vt100_Output

import protocol.games.first_edition.events  # noqa: F401 (also events of another game are forged)
from client.journal.journal import Journal
from client.journal.markdown import journal_markdown
from client.model.model import ClientModel
from client.net.port import ServerPort
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.preferences import Preferences
from client.terminal.notifier import Notifier
from protocol import messages
from protocol.boards.maps import MAX_COLUMN, MAX_ROW, PlacedTile
from protocol.common.asks import Settle
from protocol.common.patience import away
from protocol.errors import ProtocolError
from protocol.event import kinds
from protocol.messages import Sender, decode_message, encode_message
from protocol.vocabulary import ServerMessage, message_kinds
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import ROOM, asked
from tests.games.second_edition.client.stage import model_of, text_of
from tests.games.second_edition.client.test_hostile import _written
from tests.kit.every_run import first, half_of, some
from tests.kit.terminals.forged import HOSTILE, Forger, names_in

MESSAGES = tuple(tag for tag, kind in message_kinds().items() if issubclass(kind, ServerMessage))
LONG_GAMES = 12
"""Number of forged logs, each with events of all kinds."""


class _Line:
    """Network connection without a server."""

    def next_serial(self) -> int:
        return 1

    def send(self, message: messages.ClientMessage) -> None:
        """Drop the message."""

    def set_language(self, language: str) -> None:
        """Do nothing: nobody logs in."""

    def try_again(self) -> None:
        """Do nothing: there is no server."""


@attrs.define(eq=False)
class _Client:
    """Client without a terminal, with everything that it would show."""

    model: ClientModel
    port: ServerPort = attrs.field(init=False)
    journal: Journal = attrs.field(init=False)
    ui: Ui = attrs.field(init=False)
    title: io.StringIO = attrs.field(factory=io.StringIO, init=False)
    notifier: Notifier = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        model = self.model
        self.port = ServerPort(model, _Line(), lambda: bytes(32))
        self.journal = Journal(lambda: model.speaker)
        self.journal.begin(model.view)
        prefs = Preferences(title=True)
        desk = Desk(model, self.port, self.journal, prefs=prefs)
        model.followers += [self.journal, desk.watch]
        self.ui = Ui(desk)
        desk.watch.begin(model.view)
        output = Vt100_Output(self.title, lambda: Size(24, 80), term="xterm", enable_cpr=False)
        self.notifier = Notifier(desk, output)

    def hear(self, said: ServerMessage) -> None:
        try:
            self.port.received(decode_message(encode_message(said), Sender.SERVER))
        except ProtocolError:
            # The line would say so and begin anew.
            return

    def check(self) -> None:
        """Draw every screen and check the text that reaches the terminal."""
        for key in ("", "j", "m", "i", "o", "t", "w", "?"):
            if key:
                self.ui.press(key)
            assert text_of(_written(self.ui.draw(24, 80))).isprintable(), key
            self.ui.desk.boxes.clear()
        assert text_of(_written(self.ui.draw(60, 200))).isprintable()
        self.notifier.update()
        assert text_of(self.title.getvalue()).isprintable()
        document = journal_markdown(self.journal.lines, HOSTILE[0], self.model.locale)
        assert all(line.isprintable() for line in document.split("\n"))


def _forge(client: _Client, forger: Forger, tags: tuple[str, ...], count: int) -> bool:
    """Receive a number of forged records of these kinds, each after the last accepted one.

    Returns:
        True if one was taken, so that something else may be drawn than before.
    """
    begun = client.model.view
    last = -1 if begun is None else begun.last
    for _ in range(count):
        view = client.model.view
        if view is None:
            # A seat that was emptied in the lobby: its player is put out.
            return True
        try:
            made = forger.cut(forger.chance.choice(tags), ROOM, view.last + 1)
        except ValueError:
            # It cannot even be made, so it would not be read.
            continue
        client.hear(messages.Records(ROOM, (made,)))
        # Each is refused or taken by itself.
        client.model.update_table(fault="")
    return client.model.view is not begun or (begun is not None and begun.last != last)


@functools.cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(names_in(asked().table)))


def _forger(seed: str) -> Forger:
    return Forger(Random(seed), _names())


def _is_in_every_run(tag: str) -> bool:
    """True for common events and those of this game; no table here folds those of others."""
    game, _, name = tag.rpartition("/")
    return game in {"", "se"} or name.startswith("s")


@pytest.mark.parametrize("tag", some(sorted(kinds()), _is_in_every_run))
def test_no_forged_event_harms(tag: str) -> None:
    """The record is refused as invalid, or drawn if it makes sense."""
    client = _Client(model_of(asked()))

    if _forge(client, _forger(tag), (tag,), 4):
        client.check()


@pytest.mark.parametrize("seed", first(6, range(LONG_GAMES)))
def test_no_forged_log_harms(seed: int) -> None:
    client = _Client(model_of(asked()))

    _forge(client, _forger(str(seed)), tuple(sorted(kinds())), 60)

    client.check()


@pytest.mark.parametrize("seed", first(6, range(LONG_GAMES)))
def test_no_forged_log_harms_plain_mode(seed: int) -> None:
    console = Console(asked())
    client = _Client(console.model)

    _forge(client, _forger(f"plain {seed}"), tuple(sorted(kinds())), 60)
    console.client.update()
    console.client.hear("look")
    console.client.hear("status")
    console.client.hear("who")

    assert console.printed
    assert all(line.isprintable() for text in console.printed for line in text.split("\n"))


@pytest.mark.parametrize(("tag", "place"), half_of(MESSAGES, ("at a table", "in the lobby")))
def test_no_forged_message_harms(tag: str, place: str) -> None:
    is_lobby = place == "in the lobby"
    client = _Client(model_of(None if is_lobby else asked(), is_lobby=is_lobby))
    forger = _forger(tag)

    for _ in range(15):
        try:
            client.hear(cast("ServerMessage", forger.make(message_kinds()[tag])))
        except ValueError:
            # It cannot even be made, so it would not be read.
            continue

    client.check()


def test_what_takes_away_what_is_not_there_is_no_record_of_this_table() -> None:
    """The client reports a record that removes something absent, and does not apply it."""
    client = _Client(model_of(asked()))
    view = client.model.view
    assert view is not None
    before = view.last
    forger = Forger(Random(0), ("nowhere",))

    for tag in ("se/timer_removed", "se/feature_removed", "se/tile_removed", "se/attempt_began"):
        client.model.update_table(fault="")
        client.hear(messages.Records(ROOM, (forger.cut(tag, ROOM, before + 1),)))
        assert client.model.fault, tag

    assert view.last == before
    assert "makes no sense" in client.model.bar.text


def test_time_stands_still_for_nobody_who_has_no_seat() -> None:
    """A lying server asks an empty seat; the screen still has to be drawn."""
    model = model_of(asked())
    assert model.view is not None
    room = model.view.table.room
    assert room.ask is not None
    ask = attrs.evolve(room.ask, settle=Settle.UNLESS_OBJECTED)

    assert away(attrs.evolve(room, ask=ask, seats={})) == ()


def test_tiles_too_far_apart_are_refused_on_reading() -> None:
    """The client would fill billions of cells between such tiles, and hang."""
    for row, column in ((MAX_ROW + 1, 0), (0, -MAX_COLUMN - 1)):
        with pytest.raises(ValueError, match="must be"):
            PlacedTile("tile/far", row, column, ("+---+", "| a |", "+---+"), (("a", "room/far"),))
