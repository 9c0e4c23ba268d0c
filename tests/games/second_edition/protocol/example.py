"""Session in bytes for PROTOCOL.md: an independent client meets the real lobby.

`python -m tests.games.second_edition.protocol.example protocol/PROTOCOL.md` writes it into the
document. Keys, nonce, shares and salts are fixed, and the pack is a frozen one.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from content.games.second_edition.schema.pack import Pack
from protocol.describe import updated
from protocol.frames import encode_frame
from protocol.keys import fingerprint
from protocol.login import ClientLogin, ServerLogin
from protocol.messages import Sender, ServerMessage, decode_message, encode_message
from server.net.handler import Account
from server.packs.zips import read_zip
from tests.kit import compiled
from tests.kit.servers.house import FakeSession, House
from tests.protocol.readers import outsider
from tests.protocol.readers.outsider import Plain, decode, encode, sha
from tests.protocol.vectors import EXPORTER, IDENTITY, NONCE, PLAYER

PACK = Path(__file__).parents[3] / "golden" / "0.1.0" / "packs" / "lock-house.zip"
SHARE, BRANCH_SHARE = b"\x11" * 32, b"\x22" * 32
WIDTH = 112
"""Hexadecimal digits per line."""
MOST_SHOWN, SHOWN = 80, 40
"""Maximum bytes of a server message that is shown whole, and bytes shown of a longer one."""


class LockHouse(House):
    """Server with one small frozen pack."""

    def __attrs_post_init__(self) -> None:
        self.identity = IDENTITY
        self.open()

    def content(self) -> Pack:
        pack = compiled.kept(*read_zip("lock-house", PACK.read_bytes()))
        assert isinstance(pack, Pack)
        return pack

    def scenario_id(self) -> str:
        return "lock-house/first-night"


@attrs.define(eq=False)
class Foreigner:
    """Client written from the document alone: it knows arrays, a hash and a signature."""

    house: House
    lines: list[str] = attrs.field(factory=list)
    heard: list[Plain] = attrs.field(factory=list)
    session: FakeSession = attrs.field(init=False)
    pages: list[str] = attrs.field(factory=list)
    """Parts of the page written so far."""
    serial: int = 0
    is_told: bool = True
    """True if messages are written to the page."""

    def __attrs_post_init__(self) -> None:
        account = Account(PLAYER.public, "Zoë", "en")
        self.session = FakeSession(account, hear=self._hear)
        self.house.lobby.sessions.connected(self.session)
        self.house.settle()
        self.heard.clear()
        self.lines.clear()

    def _hear(self, message: ServerMessage) -> None:
        payload = encode_message(message)
        self.heard.append(decode(payload))
        if self.is_told:
            self.lines += _received(payload)

    def say(self, tag: str, *fields: Plain) -> list[Plain]:
        """Send a message; return the replies."""
        self.serial += 1
        payload = encode([tag, self.serial, *fields])
        self.heard.clear()
        if self.is_told:
            self.lines += _shown(">", payload)
        message: Any = decode_message(payload, Sender.CLIENT)
        self.house.lobby.sessions.received(self.session, message)
        self.house.settle()
        return list(self.heard)

    def note(self, text: str) -> None:
        """Write the messages since the last note into the page, then a text."""
        code, self.lines = self.lines, []
        if code:
            self.pages.append("```\n" + "\n".join(code) + "\n```\n")
        self.pages.append(text + "\n")


def _shown(who: str, payload: bytes, *, is_whole: bool = True) -> list[str]:
    """Return a message as a value, and its bytes in hex."""
    shown = payload.hex()
    if len(payload) > MOST_SHOWN and not is_whole:
        shown = f"{payload[:SHOWN].hex()}… ({len(payload)} bytes)"
    rows = [shown[at : at + WIDTH] for at in range(0, len(shown), WIDTH)]
    return [f"{who} {_value(decode(payload))}", *(f"    {row}" for row in rows)]


def _received(payload: bytes) -> list[str]:
    tag, *fields = decode(payload)
    if tag == "words":
        language, subjects = fields
        return [f'< ["words", "{language}", [{_value(subjects[0])}, … {len(subjects)}]]']
    if tag != "records":
        return _shown("<", payload, is_whole=False)
    room_id, cuts = fields
    lines = [f'< ["records", "{room_id}", [{len(cuts)} cut{"s" * (len(cuts) > 1)}]]']
    if len(payload) <= MOST_SHOWN:
        lines.append(f"    {payload.hex()}")
    for at, (public, openings) in enumerate(cuts):
        if len(cuts) > 8 and 4 <= at < len(cuts) - 2:
            lines += [f"      … {len(cuts) - 6} more"] * (at == 4)
            continue
        line = outsider.read(room_id, public, openings)
        lines.append(f"      {line.sequence} {line.tag} {_value(line.fields)}")
        told = [(slot, secret) for slot, secret in enumerate(line.secrets) if secret.is_open]
        lines += [f"         slot {slot}: {_value(secret.value)}" for slot, secret in told]
        if line.tag == "seeds_committed":
            sealed = enumerate(line.secrets)
            lines += [f"         slot {slot}: {one.commitment.hex()}" for slot, one in sealed]
    return lines


def _value(value: Plain, depth: int = 0) -> str:
    """Return a value as text, with long bytes, texts and arrays cut."""
    if isinstance(value, bytes):
        return f"h'{value.hex()}'" if len(value) <= 8 else f"h'{value[:4].hex()}…({len(value)})'"
    if isinstance(value, tuple):
        most = 12 if depth < 2 else 3
        items = [_value(item, depth + 1) for item in value[:most]]
        whole = f"[{', '.join([*items, *['…'] * (len(value) > most)])}]"
        return whole if len(whole) <= 120 or depth == 0 else whole[:110] + "…]"
    if isinstance(value, str):
        return json.dumps(value if len(value) <= 48 else value[:47] + "…", ensure_ascii=False)
    return "nil" if value is None else str(value).lower()


def _signed(*statement: Plain) -> bytes:
    return PLAYER.sign(encode(list(statement)))


def records_in(heard: Sequence[Plain]) -> list[outsider.Line]:
    """Return the records in the received messages, with the secrets this client can open."""
    return [
        outsider.read(message[1], public, openings)
        for message in heard
        if message[0] == "records"
        for public, openings in message[2]
    ]


def _ceremony(zoe: Foreigner, room_id: str, seeds: outsider.Line, share: bytes) -> list[Plain]:
    """Commit to and open this client's share of chance, as section 10 says."""
    number, before = 1, b""
    bound = sha(encode(["manse share 3", room_id, 0, number, before, share]))
    zoe.say("commit_share", room_id, bound)
    commitments = [secret.commitment for secret in seeds.secrets]
    start = sha(encode(["manse kept start 1", room_id, 4, commitments, None, [[0, bound]]]))
    said = ("manse opening 1", room_id, 0, number, before, start, sha(share))
    zoe.note(
        f"The id of this start is `{start.hex()}`, made of both commitments of `seeds_committed` "
        'and that of the only seat. Signed is `["manse opening 1", room id, 0, 1, "", that id, '
        "SHA-256 of the share]`."
    )
    return zoe.say("open_share", room_id, share, number, before, _signed(*said))


def _question(heard: Sequence[Plain]) -> tuple[int, Plain]:
    asked = [line for line in records_in(heard) if line.tag == "asked/3"][-1]
    [mine] = [secret.value for secret in asked.secrets if secret.is_open]
    return asked.fields[0], mine


def login() -> list[str]:
    """Return the lines of the login."""
    server = ServerLogin(IDENTITY, EXPORTER, NONCE, "Manse")
    client = ClientLogin(PLAYER, "Zoë", "en", EXPORTER, fingerprint(IDENTITY.public))
    hello = server.hello()
    said = client.receive(hello) or b""
    server.receive(said)
    welcome = server.welcome()
    lines = []
    for who, payload in (("<", hello), (">", said), ("<", welcome)):
        lines += _shown(who, payload)
    return [*lines, "the frame of the last one", f"    {encode_frame(welcome).hex()}"]


def played() -> tuple[str, bytes, bytes]:
    """Return the page, and the archives of the game and of the branch."""
    house = LockHouse()
    zoe = Foreigner(house)
    zoe.note(INTRODUCTION)
    zoe.lines += login()
    zoe.note("**A table.** The reply has its room and the codes of two invitations.")
    rest: list[object] = [False, 10, [], False, False, False, 4, "by_calendar", False, False]
    settings: list[object] = [True, 0, True, True, True, 0, *rest]
    opened = zoe.say("open_table", settings, house.scenario_id(), "")
    [room_id] = [one[2] for one in opened if one[0] == "table_opened"]
    zoe.note("**The log** of the table, from its beginning (-1).")
    zoe.say("enter_table", room_id, -1, b"")
    zoe.note(
        "**The lobby.** A player alone plays two characters. Readiness is signed over "
        '`["manse ready 1", room id, 0, true, 1]`, '
        'the start over `["manse start 1", room id, 0, 2]`.'
    )
    zoe.say("claim_pieces", room_id, sorted(house.content().investigators)[:2])
    said = ("manse ready 1", room_id, 0, True, 1)
    zoe.say("set_ready", room_id, True, 1, _signed(*said))
    started = zoe.say("start_game", room_id, 2, _signed("manse start 1", room_id, 0, 2))
    [seeds] = [line for line in records_in(started) if line.tag == "seeds_committed"]
    zoe.note("**The ceremony.** The share is 32 times `11`, its commitment as in section 10.")
    heard = _ceremony(zoe, room_id, seeds, SHARE)
    zoe.note(
        "**The game.** Slot 0 of `asked/3` is the question to this seat; an answer names its "
        "choices. What follows from it comes at once, up to the next question."
    )
    ask_id, mine = _question(heard)
    zoe.say("answer", room_id, ask_id, [mine[1][0][0]])
    zoe.note("**The end.** Everybody, here one person, agrees to give up. The seeds are opened.")
    ended = zoe.say("propose_give_up", room_id)
    last = records_in(ended)[-1].sequence
    zoe.note("**The file** (section 13), in parts. Its bytes are joined in order.")
    parts = zoe.say("export_table", room_id)
    game = b"".join(part[5] for part in parts if part[0] == "export_part")
    zoe.note(
        "**A branch.** A practice game from the last checkpoint before a record. Its log repeats "
        "that of the game, then comes `branched`, and a ceremony with shares of its own."
    )
    joined = zoe.say("practise", room_id, last)
    [branch_id] = [one[2] for one in joined if one[0] == "joined"]
    entered = zoe.say("enter_table", branch_id, -1, b"")
    seeds = [line for line in records_in(entered) if line.tag == "seeds_committed"][-1]
    _ceremony(zoe, branch_id, seeds, BRANCH_SHARE)
    zoe.note("The game goes on with the question that it had there.")
    zoe.is_told = False
    zoe.say("propose_give_up", branch_id)
    parts = zoe.say("export_table", branch_id)
    branch = b"".join(part[5] for part in parts if part[0] == "export_part")
    return "\n".join(zoe.pages), game, branch


INTRODUCTION = """\
What a client says (`>`) and hears (`<`), as values and as the bytes of the payload, which goes in a
frame (section 2). Long values are cut here, and so are long messages of the server. Indented below
`records` are the records in them: sequence, kind and public fields, then the secrets that this
client may know (of `seeds_committed` the commitments). Keys, nonce and exporter value of the login
are those of the [test vectors](TYPES.md#test-vectors); the server is a real one whose randomness is
fixed.

**The login.**"""


def page() -> str:
    return played()[0]


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(updated(path.read_text("utf-8"), {"example": page()}), "utf-8")
