"""
A client that knows only the types of one protocol number plays against today's server.

It uses a real socket, and the types that were kept for the number. The newest number has no file
before its release; its types are those of `protocol/types.json`.
"""

import copy
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from tests.golden.kept_client import Client, Ended, NotKnown, connected
from tests.golden.test_types import KEPT, TODAY
from tests.server.test_reloading import SETTINGS, served

SCENARIO: Final = "core/sluice-house"
ANSWERS: Final = 400
LISTS: Final = (
    *("list_tables", "list_awaited", "list_lost_seats", "list_setups", "list_reviews"),
    "list_scenarios",
)
HEARD: Final = {
    *("scenarios", "table_opened", "entered", "brief_records", "words", "done", "tables"),
    *("seat_taken", "share_opened/2", "asked/3", "room_closed/2"),
}
"""Tags that must come in the game, among many others."""

pytestmark = pytest.mark.issue(37)

Json = dict[str, Any]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Yield the port of a server of today."""
    home = tmp_path_factory.mktemp("home")
    (home / "server").mkdir(mode=0o700)
    (home / "server" / "serve.toml").write_text(SETTINGS)
    with served(home) as (_, port):
        yield port


def of_number(number: int) -> Json:
    """Return the types of a protocol number that today's server speaks."""
    types: Json = KEPT.get(number, TODAY)
    return types


def lists(client: Client) -> None:
    """Request every list that a client shows."""
    for tag in LISTS:
        assert client.ask(tag).tag != "refused"


@pytest.mark.parametrize("number", TODAY["versions"])
def test_a_client_of_the_kept_types_plays(port: int, number: int) -> None:
    with connected(port, of_number(number), seed=37) as client:
        client.login(number, "Ann")
        lines = client.ask("list_scenarios").lines
        role = next(line.roster.roles[0] for line in lines if line.scenario == SCENARIO)
        client.open_table(SCENARIO)
        assert client.ask("add_bot", role="").tag == "done"
        client.start(role.characters[:1], seats=2)
        given = client.play(ANSWERS)
        lists(client)

        assert (client.stage, given > 20) == ("over", True)
        assert client.heard >= HEARD


def visit(port: int, types: Json) -> None:
    """Log in, open a table and ask for every list."""
    with connected(port, types, seed=5) as client:
        client.login(types["versions"][-1], "Eve")
        client.open_table(SCENARIO)
        lists(client)


def shorten(part: str, name: str) -> Callable[[Json], None]:
    """Return a change of types that removes the last field of a kind or class."""

    def change(types: Json) -> None:
        within = types[part]
        kind = within[name] if part == "classes" else find(within, name)
        kind["fields"].pop()

    return change


def find(kinds: list[Json], tag: str) -> Json:
    return next(kind for kind in kinds if kind["tag"] == tag)


def forget(types: Json) -> None:
    """Remove a value of an enumeration."""
    types["enumerations"]["Stage"].remove("lobby")


def untag(types: Json) -> None:
    """Remove a kind of event."""
    find(types["events"], "presence_changed")["tag"] = "earlier"


def test_a_client_without_a_fault_comes_and_goes(port: int) -> None:
    """Without this control, the faults below would prove nothing."""
    visit(port, copy.deepcopy(of_number(TODAY["versions"][-1])))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (shorten("classes", "TableLine"), r"TableLine has \d+ fields, \d+ found"),
        (shorten("messages", "entered"), r"entered has \d+ fields, \d+ found"),
        (shorten("events", "seat_taken"), r"seat_taken has \d+ open fields, \d+ found"),
        (forget, r"Stage has no 'lobby'"),
        (untag, r"no event is called presence_changed"),
    ],
    ids=["class", "message", "event", "value", "tag"],
)
def test_what_came_within_the_number_ends_an_older_client(
    port: int, change: Callable[[Json], None], told: str
) -> None:
    """
    A client stops at what it does not know, even if the server's version number is the same.

    The planted fault takes something from the client's types, as if the server had added it.
    """
    types = copy.deepcopy(of_number(TODAY["versions"][-1]))
    change(types)

    with pytest.raises(NotKnown, match=told):
        visit(port, types)


def test_a_request_that_grew_within_the_number_ends_an_older_client(port: int) -> None:
    """The planted fault makes the client send an older request, which today's server refuses."""
    types = copy.deepcopy(of_number(TODAY["versions"][-1]))
    shorten("messages", "open_table")(types)

    with pytest.raises(Ended, match="protocol/malformed"):
        visit(port, types)
