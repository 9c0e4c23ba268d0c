"""Campaigns: the next table goes on where the last one ended."""

from typing import Any

import attrs
import pytest

from content.schema.campaigns import Campaign
from content.schema.counters import Counter, Scope
from content.schema.effects import Count, End
from content.schema.pack import Pack
from content.schema.scenario import Scenario
from protocol import messages as say
from protocol.common.table import Legacy, Stage
from tests.lobby.house import Client, House
from tests.lobby.tables import get_ready, room_of, seat_all
from tests.second_edition.simulate import core, scenario_id

ONE, TWO = "core/part-one", "core/part-two"
DEBTS = "campaign/debts"


def part(id_: str) -> Scenario:
    """Return a scenario that is over as soon as it begins, and adds three to the debt."""
    known = core().scenarios[scenario_id()]
    blank: dict[str, Any] = {"mythos": (), "triggers": (), "effects": {}, "starting_items": ()}
    return attrs.evolve(
        known,
        id=id_,
        setup=(Count("debt", add=3), End(won=True, epilogue=known.prologue)),
        counters={"debt": Counter(of=Scope.CAMPAIGN, first=1, most=9)},
        **blank,
    )


class Saga(House):
    """A house with a campaign of two parts."""

    def content(self) -> Pack:
        """Return what is on the shelf."""
        campaign = Campaign(DEBTS, (ONE, TWO), {"debt": Counter(first=1, most=9)})
        scenarios = {id_: part(id_) for id_ in (ONE, TWO)}
        return attrs.evolve(
            core(), scenarios={**scenarios, **core().scenarios}, campaigns={DEBTS: campaign}
        )


@pytest.fixture
def saga() -> Saga:
    """Return an empty house."""
    return Saga()


def finished(saga: Saga, names: list[str]) -> list[Client]:
    """Return people who have played the first part, of whom the first was host."""
    clients = seat_all(saga, names)
    clients[0].port.choose_scenario(ONE)
    saga.settle()
    assert played(saga, clients) == Legacy(DEBTS, (4,))
    return clients


def played(saga: Saga, clients: list[Client]) -> Legacy | None:
    """Play a table to its end; return what it leaves."""
    get_ready(saga, clients)
    clients[0].port.start()
    saga.settle()
    table = saga.host_of(clients[0]).room.table
    assert table.room.stage is Stage.OVER
    assert table.game is not None
    return table.game.left_over()


def go_on(saga: Saga, host: Client) -> None:
    """Ask for the campaign at the table that is followed."""
    host.port.continue_campaign()
    saga.settle()


def test_next_table_begins_with_what_the_last_one_left(saga: Saga) -> None:
    """One and three; then three more. After the last part it is the first that is gone on from."""
    clients = seat_again(saga, finished(saga, ["Ann", "Ben"]))
    go_on(saga, clients[0])
    room = room_of(saga, clients[0])
    assert (room.scenario, room.legacy) == (TWO, Legacy(DEBTS, (4,)))
    assert played(saga, clients) == Legacy(DEBTS, (7,))

    clients = seat_again(saga, clients)
    go_on(saga, clients[0])
    assert room_of(saga, clients[0]).legacy == Legacy(DEBTS, (4,))


def test_only_the_host_of_the_finished_table_goes_on(saga: Saga) -> None:
    """Ben only played; his own table goes on with nothing."""
    clients = finished(saga, ["Ann", "Ben"])
    saga.open_table(clients[1])

    go_on(saga, clients[1])

    assert clients[1].session.last(say.Refused).code == "table/no_campaign"
    assert room_of(saga, clients[1]).legacy is None


def test_only_the_host_of_the_new_table_says_so(saga: Saga) -> None:
    """And only before the game."""
    clients = seat_again(saga, finished(saga, ["Ann", "Ben"]))

    go_on(saga, clients[1])
    assert clients[1].session.last(say.Refused).code == "table/host_only"
    go_on(saga, clients[0])
    played(saga, clients)
    go_on(saga, clients[0])

    assert clients[0].session.last(say.Refused).code == "table/already_started"


def test_who_chooses_another_scenario_leaves_the_campaign(saga: Saga) -> None:
    """Nothing is carried into it."""
    ann, _ = seat_again(saga, finished(saga, ["Ann", "Ben"]))
    go_on(saga, ann)
    assert room_of(saga, ann).legacy is not None

    ann.port.choose_scenario(TWO)
    saga.settle()

    room = room_of(saga, ann)
    assert (room.scenario, room.legacy) == (TWO, None)


def test_without_a_finished_table_there_is_nothing_to_go_on_with(saga: Saga) -> None:
    """A table that is not over leaves nothing."""
    (ann,) = seat_all(saga, ["Ann"])

    go_on(saga, ann)

    assert ann.session.last(say.Refused).code == "table/no_campaign"


def seat_again(saga: Saga, clients: list[Client]) -> list[Client]:
    """Open another table for the same people."""
    code = saga.open_table(clients[0])
    for client in clients[1:]:
        saga.join(client, code)
    return clients
