"""PROTOCOL.md agrees with the code: its lists and vectors are up to date, and vectors hold."""

import hashlib
import importlib
import re
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from protocol import codec
from protocol.commitments import head_of
from protocol.common.events import Chatted
from protocol.describe import DEFAULT_SECTIONS, events_of, section, sections_in, updated
from protocol.errors import Malformed, OverLimit, ProtocolError, UnknownTag
from protocol.event import cut, read
from protocol.login import VERSIONS
from protocol.messages import Records, Sender, decode_message, message_kinds
from protocol.plugs import games
from server.lobby.lobby import Lobby  # noqa: F401 (importing it declares all handlers)
from server.lobby.requests.handlers import HANDLERS
from server.lobby.requests.pace import BUDGETS, Budget, Cost, Payer
from server.lobby.requests.visitor import MAX_INBOX
from server.lobby.tables.opening_policy import Policy
from server.net.limits import Limits
from tests.protocol.vectors import REFUSED, ROOM, records, vectors

DOCUMENT = Path(__file__).parents[2] / "protocol" / "PROTOCOL.md"
LISTS = DOCUMENT.with_name("TYPES.md").read_text("utf-8")
TEXT = DOCUMENT.read_text("utf-8") + LISTS
PAGES = {
    DOCUMENT.parent.name: DOCUMENT.read_text("utf-8"),
    "lists": LISTS,
    **{page.parent.name: page.read_text("utf-8") for page in DOCUMENT.parent.glob("games/*/*.md")},
}
"""Texts of the document, of its lists, and of the pages of each game, by name."""


def vector(title: str, name: str) -> str:
    """Return the vector under a heading and a name of the document."""
    part = TEXT.split(f"### {title}", 1)[1].split("\n### ", 1)[0]
    found = re.search(rf"^{re.escape(name)}\n    (.+)$", part, re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("page", "name"), [(page, name) for page, text in PAGES.items() for name in sections_in(text)]
)
def test_lists_are_up_to_date(page: str, name: str) -> None:
    """To update a page, run python -m protocol.describe --update PAGE."""
    assert updated(PAGES[page], {name: section(name)}) == PAGES[page]
    assert "**" in section(name)


def test_vectors_are_up_to_date() -> None:
    """To update them, run python -m tests.protocol.vectors protocol/TYPES.md."""
    assert updated(LISTS, {"vectors": vectors()}) == LISTS


@pytest.mark.issue(36)
def test_the_document_can_be_read_in_an_evening() -> None:
    """At 200 words a minute; lists and the bytes of a session are not counted."""
    text, _ = DOCUMENT.read_text("utf-8").split("\n## 18.", 1)

    assert len(text.split()) < 16_250


def test_every_list_is_there() -> None:
    assert set(DEFAULT_SECTIONS) <= set(sections_in(TEXT))
    assert {page for page in PAGES if page not in {"protocol", "lists"}} == set(games())
    assert f"version {VERSIONS[-1]}" in TEXT.splitlines()[0]


def test_every_message_and_common_event_is_listed() -> None:
    tags = [*message_kinds()]
    tags += [kind.tag for kind in events_of("protocol.common.events")]

    assert [tag for tag in tags if f"**`{tag}`**" not in TEXT] == []


def test_every_reply_that_a_message_names_is_a_message() -> None:
    kinds = {kind.__name__ for kind in message_kinds().values()}
    named = re.findall(r"Reply: `(\w+)`", TEXT)

    assert named
    assert [name for name in named if name not in kinds] == []


@pytest.mark.parametrize(
    "package", ["protocol.common.events", "protocol.games.second_edition.events"]
)
def test_every_event_is_named_by_its_package(package: str) -> None:
    offered = importlib.import_module(package).__all__

    assert [kind.__name__ for kind in events_of(package) if kind.__name__ not in offered] == []


@pytest.mark.parametrize("name", REFUSED)
def test_what_must_be_refused_is_refused(name: str) -> None:
    with pytest.raises(ProtocolError):
        codec.unpack(bytes.fromhex(vector("Bytes that must be refused", name)))


def test_another_library_verifies_the_signatures_of_the_vectors() -> None:
    hello = codec.unpack(bytes.fromhex(vector("A login", "payload of the hello")))
    signed = bytes.fromhex(vector("A login", "what the server signs"))
    assert isinstance(hello, tuple)
    _, nonce, identity, signature = hello
    assert isinstance(identity, bytes)
    assert isinstance(signature, bytes)

    Ed25519PublicKey.from_public_bytes(identity).verify(signature, signed)
    assert codec.unpack(signed) == (
        "manse hello 1",
        nonce,
        bytes.fromhex(vector("A login", "exporter value")),
    )


def test_the_chain_holds() -> None:
    title = 'A log of two records in the room "room"'
    head = hashlib.sha256(b"manse chain 1" + ROOM.encode()).digest()
    assert head.hex() == vector(title, "head of the empty log")
    for stored in records():
        head = hashlib.sha256(b"manse chain 1" + head + stored.public).digest()

    assert head.hex() in TEXT
    assert head == head_of(ROOM, (stored.public for stored in records()))


def test_the_commitment_holds() -> None:
    title = 'A commitment: room "room", sequence 5, slot 2'
    hashed = bytes.fromhex(vector(title, "what is hashed"))

    assert hashlib.sha256(hashed).hexdigest() == vector(title, "commitment")


def test_the_records_of_the_document_can_be_read() -> None:
    title = 'A log of two records in the room "room"'
    payload = bytes.fromhex(vector(title, "payload of both records for seat 0"))

    said = decode_message(payload, Sender.SERVER)

    assert isinstance(said, Records)
    chatted = read(ROOM, said.cuts[1]).event
    assert isinstance(chatted, Chatted)
    assert chatted.words.value == b"Hello"
    assert cut(records()[1], None).openings == ()


def test_every_refusal_is_listed() -> None:
    server = DOCUMENT.parents[1] / "server"
    sources = [path.read_text("utf-8") for path in server.rglob("*.py")]
    asks = (DOCUMENT.parent / "common" / "asks.py").read_text("utf-8")
    families = (
        "table|invitation|start|setup|answer|standing|proposal|chat|rule|prepared|review|notes"
    )
    code = rf'"((?:{families})/[a-z_]+)"'
    used = set(re.findall(code, "\n".join([*sources, asks])))
    part = LISTS.split("## Codes of refusals", 1)[1].split("\n## ", 1)[0]
    listed = set(re.findall(r"`([a-z]+/[a-z_]+)`", part))

    assert listed == used


@pytest.mark.issue(10)
def test_every_code_that_ends_a_connection_is_listed() -> None:
    sources = [path.read_text("utf-8") for path in (DOCUMENT.parents[1] / "server").rglob("*.py")]
    used = set(re.findall(r"\.close\(\s*\"([a-z]+/[a-z_]+)\"", "\n".join(sources)))
    used |= {kind.code for kind in (Malformed, OverLimit, UnknownTag)}
    part = TEXT.split("| Code | What ended it |", 1)[1].split("No other code", 1)[0]

    assert set(re.findall(r"`([a-z]+/[a-z_]+)`", part)) == {*used, "protocol/wrong_direction"}


@pytest.mark.issue(10)
def test_the_paces_are_those_that_are_kept() -> None:
    limits = Limits()
    part = LISTS.split("## Paces", 1)[1].split("All other messages", 1)[0]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in part.splitlines()[7:] if row]
    every, waiting, *others = rows
    budgets, (tables, *connections) = others[: len(BUDGETS)], others[len(BUDGETS) :]
    here, *connections = connections

    assert every[2:4] == [
        f"{limits.messages_at_once:g}",
        f"{limits.messages_per_second:g} a second",
    ]
    assert waiting[2] == f"{MAX_INBOX}"
    assert tables[2] == f"{Policy().tables_per_key}"
    assert here[2] == f"{Policy().tables_per_address}"
    places = limits.places
    before = f"{places.handshakes} from all without TLS, {places.logins} with"
    assert [row[2:4] for row in connections] == [
        [f"{places.sessions_per_address}, and {places.sessions} from all", ""],
        [f"{places.waiting_per_address}, and {before}", ""],
        [f"{places.address_logins_at_once:g}", f"{places.address_logins_per_second:g} a second"],
        [f"{places.key_logins_at_once:g}", f"{places.key_logins_per_second:g} a second"],
    ]
    for known in (
        f"for {places.known_seconds / 86400:g} days",
        f"{places.sessions_per_known_key} of its sessions",
        f"{places.reserved} sessions beyond the {places.sessions}",
        f"a login has {places.crowded_seconds:g} seconds",
    ):
        assert known in TEXT
    assert [row[1:4] for row in budgets] == [_told(budget) for budget in BUDGETS]
    for row, budget in zip(budgets, BUDGETS, strict=True):
        if not row[0].startswith("the same"):
            named = re.findall(r"`([a-z_]+)`", row[0])
            costs = {kind.tag: handler.cost for kind, handler in HANDLERS.items()}
            assert named == sorted(tag for tag, cost in costs.items() if budget.cost in cost)
        else:
            assert budget.cost is Cost.STORED


_PAYERS = {
    Payer.KEY: "a key, all its connections together",
    Payer.ADDRESS: "an address, all its keys together",
    Payer.ROOM: "a table, all without a seat there together",
    Payer.SERVER: "the server, all addresses together",
}


def _told(budget: Budget) -> list[str]:
    """Return payer, burst and rate of a budget as the document's table writes them."""
    pace = budget.per_second
    often = f"{pace:g} a second" if pace >= 1 else f"one in {1 / pace:g} seconds"
    return [_PAYERS[budget.payer], f"{budget.at_once:g}", often]
