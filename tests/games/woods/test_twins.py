"""Twin games of the woods: nothing sent reveals the keeper's hidden choice."""

import pytest

from protocol import messages
from protocol.common.table import Settings
from tests.games.twins.compare import unlike
from tests.games.twins.notes import Note, noting
from tests.games.woods.table import Party, a_game
from tests.kit.servers.house import Client

pytestmark = pytest.mark.issue(11)


def evening(snares: tuple[str, ...]) -> dict[str, list[Note]]:
    """Return the messages to everybody but the keeper, with the snare in these clearings."""
    party = a_game(Settings(spectators=True))
    ann, ben = party.others
    wat = party.house.client("Wat")
    notes: dict[str, list[Note]] = {}
    for name, client in {"ann": ann, "ben": ben, "wat": wat}.items():
        notes[name] = noting(party.house, client)
    wat.port.watch(party.kim.session.last(messages.TableOpened).watch_code)
    party.house.settle()
    for snare in snares:
        one_round(party, (ann, ben), snare)
    return notes


def one_round(party: Party, walkers: tuple[Client, ...], snare: str) -> None:
    """Lay the snare, and have these players walk to the brook."""
    party.answer(party.kim, snare)
    for client in walkers:
        party.answer(client, "brook")


def test_where_nobody_walks_the_snare_tells_nothing() -> None:
    first = evening(("glade", "thicket", "glade"))
    second = evening(("thicket", "glade", "glade"))

    assert all(len(notes) > 10 for notes in first.values())
    assert {name: unlike(first[name], second[name]) for name in first} == dict.fromkeys(first)


def test_where_somebody_walks_it_is_seen() -> None:
    """A walk in public makes the messages differ: the comparison can find a difference."""
    assert evening(("glade",)) != evening(("brook",))
