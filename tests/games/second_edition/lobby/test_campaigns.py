"""Campaigns: the next table continues from the end of the last."""

from typing import Any

import attrs
import pytest

from client.journal.journal import Journal
from client.screens.base.boxes import Menu
from client.screens.base.screen import Desk
from client.screens.table.again import begin_another
from content.games.second_edition.schema.campaigns import Campaign
from content.games.second_edition.schema.counters import Counter, Scope
from content.games.second_edition.schema.effects import Count, End
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Scenario
from protocol import messages
from protocol.common.table import Legacy, Stage
from protocol.games.second_edition.carried import packed
from server.lobby.tables import campaigns
from tests.games.second_edition.simulate import core, scenario_id
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, room_of, seat_all

ONE, TWO = "core/part-one", "core/part-two"
DEBTS = "campaign/debts"
THREE, FOUR = "core/part-three", "core/part-four"
WOLVES = "campaign/wolves"
ALONE = "core/alone"
"""Scenario that belongs to no campaign."""


def part(id_: str, *, owes: bool = True) -> Scenario:
    """Return a scenario that ends at once, after adding 3 to the campaign's debt if `owes`."""
    known = core().scenarios[scenario_id()]
    blank: dict[str, Any] = {"mythos": (), "triggers": (), "effects": {}, "starting_items": ()}
    debt = Counter(of=Scope.CAMPAIGN, first=1, most=9)
    return attrs.evolve(
        known,
        id=id_,
        setup=(*[Count("debt", add=3)] * owes, End(won=True, epilogue=known.prologue)),
        counters={"debt": debt} if owes else {},
        **blank,
    )


class Saga(House):
    """Server with two campaigns of two parts each; the second one carries nothing over."""

    def content(self) -> Pack:
        made = {
            DEBTS: Campaign(DEBTS, (ONE, TWO), {"debt": Counter(first=1, most=9)}),
            WOLVES: Campaign(WOLVES, (THREE, FOUR)),
        }
        scenarios = {
            id_: part(id_, owes=c.id == DEBTS) for c in made.values() for id_ in c.scenarios
        }
        scenarios[ALONE] = part(ALONE, owes=False)
        return attrs.evolve(core(), scenarios={**scenarios, **core().scenarios}, campaigns=made)


@pytest.fixture
def saga() -> Saga:
    return Saga()


def finished(saga: Saga, names: list[str], scenario: str = ONE) -> list[Client]:
    """Return people who have played a first part; the first of them was host."""
    clients = seat_all(saga, names)
    clients[0].port.choose_scenario(scenario)
    saga.settle()
    assert played(saga, clients) == (
        Legacy(DEBTS, packed((4,))) if scenario == ONE else Legacy(WOLVES, packed(()))
    )
    return clients


def all_played(saga: Saga, seated: list[Client] | None = None) -> list[Client]:
    """Play the whole campaign with the people seated, or with new people if None; return them."""
    if seated is None:
        clients = finished(saga, ["Ann", "Ben"])
    else:
        clients = seated
        clients[0].port.choose_scenario(ONE)
        saga.settle()
        played(saga, clients)
    clients = seat_again(saga, clients)
    go_on(saga, clients[0])
    played(saga, clients)
    return clients


def played(saga: Saga, clients: list[Client]) -> Legacy | None:
    """Play a table to its end; return its legacy."""
    get_ready(saga, clients)
    clients[0].port.start()
    saga.settle()
    table = saga.host_of(clients[0]).room.table
    assert table.room.stage is Stage.OVER
    assert table.game is not None
    return table.game.left_over()


def go_on(saga: Saga, host: Client) -> None:
    """Continue the campaign at the client's table."""
    host.port.continue_campaign()
    saga.settle()


def test_next_table_begins_with_what_the_last_one_left(saga: Saga) -> None:
    """The debt is one plus three, then plus three again."""
    clients = seat_again(saga, finished(saga, ["Ann", "Ben"]))
    go_on(saga, clients[0])

    room = room_of(saga, clients[0])
    assert (room.scenario, room.legacy) == (TWO, Legacy(DEBTS, packed((4,))))
    assert played(saga, clients) == Legacy(DEBTS, packed((7,)))


@pytest.mark.issue(39)
def test_where_a_bot_ended_in_the_seat_of_the_host_the_next_person_goes_on(saga: Saga) -> None:
    ann, ben = finished(saga, ["Ann", "Ben"])
    room = saga.host_of(ann).room
    seats = room.table.room.seats
    by_bot = attrs.evolve(seats[0], key=b"b" * 32, name="Bot", is_bot=True)
    table = room.table.with_room(seats={**seats, 0: by_bot})
    room._state = attrs.evolve(room._state, table=table)
    ben.port.leave_table()

    saga.open_table(ben)
    go_on(saga, ben)

    assert room_of(saga, ben).legacy == Legacy(DEBTS, packed((4,)))


def test_after_the_last_part_the_campaign_is_over(saga: Saga) -> None:
    clients = seat_again(saga, all_played(saga))

    go_on(saga, clients[0])

    assert clients[0].session.last(messages.Refusal).code == "table/campaign_over"
    assert room_of(saga, clients[0]).legacy is None


def test_campaign_that_is_over_can_be_begun_anew(saga: Saga) -> None:
    clients = seat_again(saga, all_played(saga))
    clients[0].port.choose_scenario(ONE)
    saga.settle()
    assert played(saga, clients) == Legacy(DEBTS, packed((4,)))

    clients = seat_again(saga, clients)
    go_on(saga, clients[0])

    room = room_of(saga, clients[0])
    assert (room.scenario, room.legacy) == (TWO, Legacy(DEBTS, packed((4,))))


def test_campaign_that_is_over_does_not_hide_another(saga: Saga) -> None:
    clients = finished(saga, ["Ann", "Ben"], THREE)
    clients = seat_again(saga, clients)
    clients = seat_again(saga, all_played(saga, clients))

    go_on(saga, clients[0])

    room = room_of(saga, clients[0])
    assert (room.scenario, room.legacy) == (FOUR, Legacy(WOLVES, packed(())))


@pytest.mark.parametrize(("bound", "is_found"), [(2, True), (1, False)])
def test_only_so_many_finished_tables_are_looked_at(
    saga: Saga, monkeypatch: pytest.MonkeyPatch, bound: int, *, is_found: bool
) -> None:
    """Ben hosted the last table but one, so a bound of 2 finds it and a bound of 1 does not."""
    ben, ann = finished(saga, ["Ben", "Ann"])
    host = seat_again(saga, [ann, ben])[0]
    host.port.choose_scenario(ONE)
    saga.settle()
    played(saga, [ann, ben])
    saga.open_table(ben)
    monkeypatch.setattr(campaigns, "MAX_LOOKED_AT", bound)

    go_on(saga, ben)

    assert (room_of(saga, ben).legacy is not None) == is_found


def test_tables_that_leave_nothing_are_not_among_those_looked_at(
    saga: Saga, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients = seat_again(saga, finished(saga, ["Ann", "Ben"]))
    clients[0].port.choose_scenario(ALONE)
    saga.settle()
    assert played(saga, clients) is None
    ann, _ = seat_again(saga, clients)
    ann.port.choose_scenario(ONE)
    saga.settle()
    monkeypatch.setattr(campaigns, "MAX_LOOKED_AT", 1)

    go_on(saga, ann)

    assert room_of(saga, ann).legacy == Legacy(DEBTS, packed((4,)))


def test_each_group_goes_on_where_it_left_off(saga: Saga) -> None:
    """Ann has finished the campaign with Cid; with Ben she still has part two to play."""
    ann, ben = finished(saga, ["Ann", "Ben"])
    cid = saga.client("Cid")
    all_played(saga, seat_again(saga, [ann, cid]))

    seat_again(saga, [ann, ben])
    go_on(saga, ann)

    assert room_of(saga, ann).legacy == Legacy(DEBTS, packed((4,)))


def test_group_that_has_ended_a_campaign_does_not_take_another_groups(saga: Saga) -> None:
    """Ann and Ben have ended the campaign; the table Ann played with Cid later is not theirs."""
    ann, ben = all_played(saga)
    cid = saga.client("Cid")
    seat_again(saga, [ann, cid])
    ann.port.choose_scenario(ONE)
    saga.settle()
    played(saga, [ann, cid])

    seat_again(saga, [ann, ben])
    go_on(saga, ann)

    assert ann.session.last(messages.Refusal).code == "table/campaign_over"


def test_group_that_one_is_missing_from_goes_on_together(saga: Saga) -> None:
    """Cid missed part two, the last of the campaign, and the group has ended it all the same."""
    ann, ben, cid = finished(saga, ["Ann", "Ben", "Cid"])
    seat_again(saga, [ann, ben])
    go_on(saga, ann)
    played(saga, [ann, ben])

    seat_again(saga, [ann, ben, cid])
    go_on(saga, ann)

    assert ann.session.last(messages.Refusal).code == "table/campaign_over"


def test_who_sits_alone_goes_on_with_what_they_played_alone(saga: Saga) -> None:
    """Ann continues the game played with a bot, not the later one played with Ben."""
    (ann,) = seat_all(saga, ["Ann"])
    ann.port.choose_scenario(ONE)
    ann.port.add_bot()
    saga.settle()
    played(saga, [ann])
    ben = saga.client("Ben")
    all_played(saga, seat_again(saga, [ann, ben]))

    seat_again(saga, [ann])
    go_on(saga, ann)

    assert room_of(saga, ann).legacy == Legacy(DEBTS, packed((4,)))


def test_people_who_never_played_together_go_on_with_the_hosts_last_table(saga: Saga) -> None:
    """Ann, the host, continues her last table with Dan in Ben's place."""
    (ann, _) = finished(saga, ["Ann", "Ben"])
    seat_again(saga, [ann, saga.client("Dan")])

    go_on(saga, ann)

    assert room_of(saga, ann).legacy == Legacy(DEBTS, packed((4,)))


def test_table_that_was_looked_at_is_unloaded_again(saga: Saga) -> None:
    over = room_of(saga, finished(saga, ["Ann", "Ben"])[0]).room_id
    saga.restart()
    ann = saga.client("Ann")
    saga.open_table(ann)

    go_on(saga, ann)

    assert room_of(saga, ann).legacy is not None

    assert over not in saga.lobby.registry.hosts


def test_what_another_campaign_left_is_not_taken(
    saga: Saga, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The numbers of another campaign mean something else."""
    finished(saga, ["Ann", "Ben"])
    moved = Campaign(WOLVES, (ONE, TWO), {"debt": Counter(first=1, most=9)})
    pack = attrs.evolve(saga.content(), campaigns={WOLVES: moved}, digest=b"moved".ljust(32, b"."))
    monkeypatch.setattr(Saga, "beside", lambda _: (pack,))
    saga.restart()
    ann = saga.client("Ann")
    saga.open_table(ann)

    go_on(saga, ann)

    assert ann.session.last(messages.Refusal).code == "table/no_campaign"


def test_only_the_host_of_the_finished_table_goes_on(saga: Saga) -> None:
    clients = finished(saga, ["Ann", "Ben"])
    saga.open_table(clients[1])

    go_on(saga, clients[1])

    assert clients[1].session.last(messages.Refusal).code == "table/no_campaign"
    assert room_of(saga, clients[1]).legacy is None


def test_only_the_host_of_the_new_table_says_so(saga: Saga) -> None:
    clients = seat_again(saga, finished(saga, ["Ann", "Ben"]))

    go_on(saga, clients[1])
    assert clients[1].session.last(messages.Refusal).code == "table/host_only"
    go_on(saga, clients[0])
    played(saga, clients)
    go_on(saga, clients[0])

    assert clients[0].session.last(messages.Refusal).code == "table/already_started"


def test_who_chooses_another_scenario_leaves_the_campaign(saga: Saga) -> None:
    ann, _ = seat_again(saga, finished(saga, ["Ann", "Ben"]))
    go_on(saga, ann)
    assert room_of(saga, ann).legacy is not None

    ann.port.choose_scenario(TWO)
    saga.settle()

    room = room_of(saga, ann)
    assert (room.scenario, room.legacy) == (TWO, None)


def test_without_a_finished_table_there_is_nothing_to_go_on_with(saga: Saga) -> None:
    """An unfinished table has no legacy."""
    (ann,) = seat_all(saga, ["Ann"])

    go_on(saga, ann)

    assert ann.session.last(messages.Refusal).code == "table/no_campaign"


def seat_again(saga: Saga, clients: list[Client]) -> list[Client]:
    """Seat the same people at a new table."""
    code = saga.open_table(clients[0])
    for client in clients[1:]:
        saga.join(client, code)
    return clients


# After the end ------------------------------------------------------------------------------------


def menu(client: Client) -> list[str]:
    """Return what the menu after the end of a game offers."""
    model = client.model
    desk = Desk(model, client.port, Journal(lambda: model.speaker))
    model.words.add("en", ((TWO, (("name", "Part Two"),)), (ONE, (("name", "Part One"),))))
    begin_another(desk, room_title(client))
    (box,) = desk.boxes
    assert isinstance(box, Menu)
    return [item.text for item in box.items]


def room_title(client: Client) -> str:
    assert client.model.view is not None
    return client.model.view.table.room.scenario


@pytest.mark.issue(38)
@pytest.mark.parametrize("asks", [0, 1])
def test_the_next_part_is_offered_after_the_end_and_continues(saga: Saga, asks: int) -> None:
    """The offer comes first in the menu.

    Either player may ask; the other comes to the same table.
    """
    clients = finished(saga, ["Ann", "Ben"])
    for client in clients:
        client.port.list_tables()
    saga.settle()
    assert menu(clients[asks])[0] == "The next part of the campaign: Part Two"

    clients[asks].port.play_again(TWO)
    saga.settle()
    clients[1 - asks].port.play_again()
    saga.settle()

    room = room_of(saga, clients[asks])
    assert (room.scenario, room.legacy) == (TWO, Legacy(DEBTS, packed((4,))))
    assert len(room.seats) == 2
    seated = [clients[asks], clients[1 - asks]]
    assert played(saga, seated) == Legacy(DEBTS, packed((7,)))


@pytest.mark.issue(38)
def test_after_the_last_part_no_next_one_is_offered(saga: Saga) -> None:
    """The first part, if it is chosen again, begins without a legacy."""
    clients = all_played(saga)
    clients[0].port.list_tables()
    saga.settle()

    assert not [said for said in menu(clients[0]) if "campaign" in said]

    clients[0].port.play_again(ONE)
    saga.settle()
    assert room_of(saga, clients[0]).legacy is None
