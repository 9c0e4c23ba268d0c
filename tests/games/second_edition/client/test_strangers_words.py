"""Thousands of hostile words in every place that shows words, read by a terminal emulator.

Each place is a function from words to output. The output must consist of lines of visible text: no
control sequence, no additional line, no invisible character.
"""

import contextlib
import io
import itertools
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, Final, cast

import pyte
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.vt100 import Vt100_Output
from twisted.logger import LogLevel

import client.journal.markdown
import client.plain.talk
import client.terminal.console
import client.text.printable
import client.widgets.canvas
import commands.parser
import server.authoring.cli
import server.system.logs
from client.journal.markdown import journal_markdown
from client.locale import load
from client.model.status import GaveUp
from client.net.causes import refusal_in_words
from client.tellers.base import JournalLine, Tone
from client.terminal.console import tell
from client.terminal.notifier import MAX_TITLE
from client.text.printable import clip, printable
from client.widgets.canvas import Canvas
from commands.speaking import words_of
from content.reading.remarks import Remark
from protocol.common.events import MAX_CHAT, Chatted
from protocol.common.visible import INVISIBLE
from protocol.event import hidden
from protocol.invitation import parse_invitation
from protocol.keys import Unreadable
from protocol.plain_text import clean, is_plain, name_fault
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import asked
from tests.games.second_edition.client.stage import text_of
from tests.games.second_edition.client.test_hostile import _written
from tests.kit.hostile import KINDS, hostile_words

pytestmark = pytest.mark.issue(13)

SAMPLE: Final = 500
"""Number of strings in each run of `make test`."""
ALL: Final = 100_000
BATCH: Final = 50
COLUMNS: Final = 4000
"""Columns of a terminal that is wide enough to break no line of a batch."""
FIXED_SPACES: Final = "\u00a0\u202f"
LOCALE: Final = load("en")

Place = Callable[[Sequence[str]], str]


# Places ------------------------------------------------------------------------------------


def on_a_screen(texts: Sequence[str]) -> str:
    """Draw words on a canvas, as names, chat, rooms, invitations, settings and boxes are."""
    canvas = Canvas(len(texts), 60)
    for row, text in enumerate(texts):
        canvas.pane().write(row, 0, text)
    return text_of(_written(canvas))


def in_the_title(texts: Sequence[str]) -> str:
    """Set words as the terminal's title."""
    sink = io.StringIO()
    output = Vt100_Output(sink, lambda: Size(24, 80), term="xterm-256color", enable_cpr=False)
    for text in texts:
        output.set_title(clip(text, MAX_TITLE))
    output.flush()
    return text_of(sink.getvalue())


def in_plain_mode(texts: Sequence[str]) -> str:
    """Print words as plain mode prints everything."""
    console = Console(asked())
    console.fresh()
    console.client._talk.print(texts)
    return "".join(f"{line}\n" for line in console.fresh())


def in_chat(texts: Sequence[str]) -> str:
    """Chat at a table whose server filters nothing, and print the journal in plain mode."""
    script = asked()
    for text in texts:
        said = text.encode("utf-8", "replace").decode()[:MAX_CHAT]
        script.emit(Chatted(1, hidden(said.encode())), origin=1)
    return "".join(f"{line}\n" for line in Console(script).type("journal"))


def in_an_answer_of_a_command(texts: Sequence[str]) -> str:
    """Print words as a server's reason for refusing a connection."""
    sink = io.StringIO()
    for text in texts:
        tell(refusal_in_words(LOCALE, GaveUp("odd/code", text)), sink)
    return sink.getvalue()


def as_an_invitation(texts: Sequence[str]) -> str:
    """Parse words as invitations and print the errors."""
    sink = io.StringIO()
    for text in texts:
        with contextlib.suppress(Unreadable):
            parse_invitation(text)
            raise AssertionError("that is an invitation")
        try:
            parse_invitation(text)
        except Unreadable as error:
            tell(LOCALE.unreadable(error), sink)
    return sink.getvalue()


def in_a_command_line(texts: Sequence[str]) -> str:
    """Refuse a command line that quotes the words."""
    with contextlib.redirect_stderr(io.StringIO()) as sink, contextlib.suppress(SystemExit):
        commands.parser.parser_for("play", words_of("client", "en")).error("; ".join(texts))
    return sink.getvalue()


def in_a_document(texts: Sequence[str]) -> str:
    """Export a journal with these words in its title and lines as Markdown."""
    tones = itertools.cycle(Tone)
    lines = [JournalLine(at, 0, 0, next(tones), text) for at, text in enumerate(texts)]
    return journal_markdown(lines, texts[0], LOCALE)


def in_the_servers_log(texts: Sequence[str]) -> str:
    """Log words as values in the server's entries."""
    made = {"log_format": "{who}: {why}", "log_level": LogLevel.info, "log_time": 0.0}
    return "".join(
        server.system.logs.entry({**made, "log_namespace": "server", "who": "x", "why": text})
        for text in texts
    )


def of_a_pack(texts: Sequence[str]) -> str:
    """Print words as errors in a pack."""
    with contextlib.redirect_stdout(io.StringIO()) as sink:
        server.authoring.cli.tell([Remark(t, 1, 1, t, t) for t in texts], as_json=False)
        server.authoring.cli.tell([Remark(t, 1, 1, t, t) for t in texts], as_json=True)
    return sink.getvalue()


def as_names(texts: Sequence[str]) -> str:
    """Print those words that a server accepts as names."""
    return "".join(f"{text}\n" for text in texts if name_fault(text) is None)


PLACES: Final[dict[str, Place]] = {
    place.__name__: place
    for place in (
        on_a_screen,
        in_the_title,
        in_plain_mode,
        in_chat,
        in_an_answer_of_a_command,
        as_an_invitation,
        in_a_command_line,
        in_a_document,
        in_the_servers_log,
        of_a_pack,
        as_names,
    )
}
GATES: Final = {
    "on_a_screen": (client.widgets.canvas, "measured"),
    "in_plain_mode": (client.plain.talk, "printable"),
    "in_chat": (client.plain.talk, "printable"),
    "in_an_answer_of_a_command": (client.terminal.console, "printable"),
    "in_a_command_line": (commands.parser, "visible"),
    "in_a_document": (client.journal.markdown, "printable"),
    "in_the_servers_log": (server.system.logs, "visible"),
    "of_a_pack": (server.authoring.cli, "visible"),
}
"""
Function that makes strangers' words harmless in each place, as module and name. Titles and
invitations pass the functions of the other places.
"""


# The reader --------------------------------------------------------------------------------


def batches(count: int) -> Iterator[list[str]]:
    """Yield hostile words in small batches."""
    words = hostile_words(count)
    while batch := list(itertools.islice(words, BATCH)):
        yield batch


def faults(raw: str) -> list[str]:
    """Return what is wrong with the output of a place."""
    lines = raw.split("\n")
    found = [
        f"raw {char!r}"
        for char in {*raw} - {"\n", *FIXED_SPACES}
        if not char.isprintable() or char in INVISIBLE
    ]
    screen = pyte.Screen(COLUMNS, len(lines) + 1)
    usual = pyte.Screen(COLUMNS, len(lines) + 1)
    pyte.Stream(screen).feed("\r\n".join(lines))
    if (screen.title, screen.icon_name) != ("", ""):
        found.append("a title")
    if screen.mode != usual.mode or screen.charset != usual.charset:
        found.append("a mode")
    if screen.cursor.y != len(lines) - 1:
        found.append("a line")
    if screen.cursor.attrs != usual.cursor.attrs:
        found.append("a colour")
    return found


def first_harm(place: Place, count: int) -> tuple[list[str], list[str]] | None:
    """Return the first batch of words that harms, and the faults; None if none does."""
    told = ((batch, faults(place(batch))) for batch in batches(count))
    return next(((batch, found) for batch, found in told if found), None)


@pytest.mark.parametrize("name", PLACES)
def test_a_sample_of_hostile_words_harms_no_terminal(name: str) -> None:
    assert first_harm(PLACES[name], SAMPLE) is None


@pytest.mark.long
@pytest.mark.parametrize("name", PLACES)
def test_a_hundred_thousand_hostile_words_harm_no_terminal(name: str) -> None:
    assert first_harm(PLACES[name], ALL) is None


@pytest.mark.parametrize("name", GATES)
def test_a_place_that_lets_words_through_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each place that lacks its sanitiser is caught within the sample."""
    module, gate = GATES[name]
    open_gate: Any = (lambda text: (text, len(text), False)) if gate == "measured" else str
    monkeypatch.setattr(module, gate, open_gate)
    if name == "on_a_screen":
        monkeypatch.setattr(module, "cells", lambda text: ((char, 1) for char in text))

    assert first_harm(PLACES[name], SAMPLE) is not None


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_hostile_words_is_in_the_sample(kind: str) -> None:
    """Otherwise a kind might be tried by the slow test alone."""
    pieces = KINDS[kind]

    assert sum(any(piece in text for piece in pieces) for text in hostile_words(SAMPLE)) >= 10


# Words that stay words ---------------------------------------------------------------------


@pytest.mark.parametrize("piece", [*KINDS["braces"], *KINDS["style markup"], *KINDS["HTML"]])
def test_markup_and_braces_are_shown_as_they_are(piece: str) -> None:
    for place in (on_a_screen, in_plain_mode, in_an_answer_of_a_command, in_the_servers_log):
        assert printable(piece).strip() in place([f"a{piece}z"])


def test_a_document_has_no_tag_of_a_stranger() -> None:
    """No Markdown reader may turn a bracket into HTML."""
    for batch in batches(SAMPLE):
        bare = in_a_document(batch).replace("\\\\", "").replace("\\<", "").replace("\\&", "")
        texts = [line for line in bare.split("\n") if not line.startswith("- `")]
        assert not any("<" in line or "&" in line for line in texts)


def test_what_is_made_plain_is_plain() -> None:
    assert all(is_plain(clean(text)) for text in hostile_words(SAMPLE))


def test_nobody_can_write_an_entry_of_the_log() -> None:
    """Every line of a log entry but the first is indented, so none can pass for an entry."""
    for text in hostile_words(SAMPLE):
        _, *below, end = in_the_servers_log([text]).split("\n")
        assert all(line.startswith("    ") for line in below)
        assert not end
    failure = cast("Any", SimpleNamespace)(
        value=ValueError("\nsecret"), getTracebackObject=lambda: None
    )
    entry = server.system.logs.entry(
        {"log_format": "failed", "log_time": 0.0, "log_failure": failure}
    )

    assert entry.endswith("[-#-] failed\n    builtins.ValueError\n")
