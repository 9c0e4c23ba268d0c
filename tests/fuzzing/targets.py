"""Targets of the fuzzer: functions that parse untrusted bytes, with their first inputs."""

import functools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import attrs

from client.journal.journal import JournalWriter
from client.journal.markdown import journal_markdown
from client.locale import load as load_locale
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.tables import OutOfStep, TableView
from protocol import archive, codec
from protocol.bounds import MAX_TEMPLATE
from protocol.brief import BriefReader
from protocol.common.text import MAX_RENDERED, Text, subjects_in
from protocol.event import Cut
from protocol.event_contents import shown_strings
from protocol.frames import LIMIT_AFTER_LOGIN, LIMIT_BEFORE_LOGIN, FrameDecoder, encode_frame
from protocol.login import ServerLogin
from protocol.messages import Records, Refusal, Sender, Words, decode_message, encode_message
from server.admin.port import read_request
from server.admin.vocabulary import Request, decode, encode
from tests.admin.samples import SAMPLES as ADMIN
from tests.fuzzing.guided import MAX_INPUT, Coverage, Target
from tests.protocol.test_login import EXPORTER, IDENTITY, client, server
from tests.protocol.test_messages import SAMPLES

CORPUS: Final = Path(__file__).parent / "corpus"
MOST_KEPT_BYTES: Final = 8192
"""Maximum total bytes of the inputs kept for one target in the repository."""
ROOT: Final = Path(__file__).parents[2]


def of_client(data: bytes) -> str:
    """Parse a client's message after the login."""
    return type(decode_message(data, Sender.CLIENT)).tag


def of_server(data: bytes) -> str:
    """Parse a server's message after the login."""
    return type(BriefReader().read(decode_message(data, Sender.SERVER))).tag


def login_of_client(data: bytes) -> str:
    """Parse a client's answer to the hello."""
    one = ServerLogin(IDENTITY, EXPORTER, b"n" * 32, "Manse")
    one.hello()
    return str(one.receive(data).language)


def hello_of_server(data: bytes) -> str:
    """Parse a server's hello."""
    return str(client().receive(data) is not None)


def stream(data: bytes) -> str:
    """Split a stream that arrives in two pieces into frames."""
    decoder = FrameDecoder(LIMIT_BEFORE_LOGIN)
    half = len(data) // 2
    return str(len(decoder.feed(data[:half]) + decoder.feed(data[half:])))


def of_operator(data: bytes) -> str:
    """Parse a request of `manse admin`."""
    return read_request(data).tag


def to_operator(data: bytes) -> str:
    """Parse a server's reply to `manse admin`."""
    return decode(data).tag


MOST_OF_A_LINE: Final = 4 * MAX_RENDERED
"""Maximum characters of a line of the journal, which joins a few texts."""
_GAME: Final = ROOT / "tests" / "golden" / "0.1.0" / "short" / "every-way-to-settle.manse"
_BEGINNING: Final = 28
"""Number of records of the game before those of the input."""


def shown(data: bytes) -> str:
    """Render a server's message during a game: its texts and its journal lines."""
    reader, store, view = BriefReader(), WordStore(language="en"), _view()
    speaker = Speaker(load_locale("en").for_game(view.table.room.ruleset), store)
    writer, lines = JournalWriter(), []
    for payload in FrameDecoder(LIMIT_AFTER_LOGIN).feed(data):
        message = reader.read(decode_message(payload, Sender.SERVER))
        if isinstance(message, Words):
            store.add(message.language, message.subjects)
        if isinstance(message, Records):
            try:
                steps = view.receive(message.cuts)
            except OutOfStep:
                return "out of step"
            lines += [line for step in steps for line in writer.lines_of(step, speaker)]
        for text in _texts_in(message):
            assert len(store.say(text)) <= MAX_RENDERED
    assert all(len(line.text) <= MOST_OF_A_LINE for line in lines)
    journal_markdown(lines, "journal", speaker.locale)
    return f"{len(lines)} lines"


@functools.cache
def _game() -> archive.Archive:
    return archive.load(_GAME.read_bytes())


@functools.cache
def _begun() -> TableView:
    view = TableView(_game().header.room_id, 0)
    view.receive(_game().cuts[:_BEGINNING])
    return view


def _view() -> TableView:
    """Return a view of the game at the point where the inputs follow."""
    view = _begun()
    records, cuts, commitments = [*view.records], [*view.cuts], dict(view.commitments)
    return attrs.evolve(view, records=records, cuts=cuts, commitments=commitments)


def _texts_in(value: object) -> Iterator[Text]:
    if isinstance(value, Text):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts_in(item)
    elif attrs.has(type(value)):
        for field in attrs.fields(type(value)):  # type: ignore[arg-type]  # just asked
            yield from _texts_in(getattr(value, field.name))


def _shown() -> list[bytes]:
    """Return a possible next record of each kind, with its words."""
    game, made = _game(), dict[str, bytes]()
    words = {subject: fields for of in game.words for subject, fields in of.subjects}
    for cut, record in zip(game.cuts, game.records, strict=True):
        plain = codec.unpack(cut.public)
        assert isinstance(plain, tuple)
        moved = Cut(codec.pack((_BEGINNING, *plain[1:])), ())
        named = [each for each in subjects_in(shown_strings(cut)) if each in words]
        said = tuple((subject, words[subject]) for subject in named)
        messages = Words("en", said), Records(game.header.room_id, (moved,))
        frames = b"".join(encode_frame(encode_message(one)) for one in messages)
        if len(frames) < MAX_INPUT:
            made.setdefault(record.event.tag, frames)
    # A text that names itself in full, as often as a template may.
    inner = Text("a/b", ("a/b",))
    for _ in range(4):
        inner = Text("a/b", (inner,))
    full = Words("en", (("a/b", (("text", "{0}" * (MAX_INPUT // 6)), ("name", "n" * 500))),))
    refused = Refusal(1, "a", inner)
    bomb = b"".join(encode_frame(encode_message(one)) for one in (full, refused))
    assert len(bomb) < MAX_INPUT < MAX_TEMPLATE
    return [*made.values(), bomb]


TARGETS: Final[dict[str, Target]] = {
    one.__name__: one
    for one in (
        *(of_client, of_server, login_of_client, hello_of_server, stream),
        *(of_operator, to_operator, shown),
    )
}


def beginnings(name: str) -> list[bytes]:
    """Return inputs that a target accepts."""
    said = {side: [encode_message(m) for m in SAMPLES if m.side is side] for side in Sender}
    hello = server().hello()
    # A frame begins with four bytes of its length.
    asked = [encode(one)[4:] for one in ADMIN if isinstance(one, Request)]
    told = [encode(one)[4:] for one in ADMIN if not isinstance(one, Request)]
    return {
        "of_client": said[Sender.CLIENT],
        "of_server": said[Sender.SERVER],
        "login_of_client": [client().receive(hello) or b""],
        "hello_of_server": [hello],
        "of_operator": asked,
        "to_operator": told,
        "shown": _shown(),
        "stream": [b"".join(map(encode_frame, said[Sender.CLIENT]))],
    }[name]


def kept(name: str) -> list[bytes]:
    """Return inputs stored by earlier runs."""
    path = CORPUS / f"{name}.json"
    return [bytes.fromhex(line) for line in json.loads(path.read_text("ascii"))]


def keep(name: str, inputs: Iterable[bytes]) -> None:
    """Store inputs for later runs, the shortest first."""
    chosen, left = list[str](), MOST_KEPT_BYTES
    for data in sorted(set(inputs), key=lambda data: (len(data), data)):
        left -= len(data)
        if left >= 0:
            chosen.append(data.hex())
    lines = json.dumps(chosen, indent=0)
    (CORPUS / f"{name}.json").write_text(lines + "\n", "ascii")


def coverage() -> Coverage:
    """Return the coverage recorder of our code that parses the wire or shows the result."""
    read = ("protocol", "server/admin", "client/journal", "client/tellers", "client/games")
    return Coverage(tuple(str(ROOT / folder) for folder in read))
