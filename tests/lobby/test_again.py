"""Playing again: another table for the same people; and removing a table that never began."""

from collections.abc import Sequence

import attrs
import pytest
from twisted.internet.defer import Deferred

from protocol import messages
from protocol.common.table import Settings, Stage
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import get_ready, room_id_of, room_of, seat_all, start_all
from tests.kit.stores.memory import MemoryStore

pytestmark = pytest.mark.issue(14)


@attrs.define(eq=False)
class NeverRemovingStore(MemoryStore):
    """A store whose removal of a log never ends."""

    def remove(
        self,
        room_id: str,
        values: Sequence[tuple[str, str]] = (),
    ) -> Deferred[None]:
        return Deferred()


def finished(house: House, settings: Settings | None = None) -> list[Client]:
    """Return two clients at a table whose game they have given up."""
    ada, ben = start_all(house, ["Ada", "Ben"], settings)
    give_up(house, ada, ben)
    return [ada, ben]


def over(house: House, ada: Client, ben: Client) -> None:
    """Begin a game at a table that waits in its lobby, and give the game up."""
    get_ready(house, [ada, ben])
    ada.port.start()
    house.settle()
    give_up(house, ada, ben)


def give_up(house: House, ada: Client, ben: Client) -> None:
    ada.port.propose_give_up()
    house.settle()
    proposal = room_of(house, ada).proposal
    assert proposal is not None
    ben.port.consent(proposal.proposal_id, is_agreed=True)
    house.settle()
    assert room_of(house, ada).stage is Stage.OVER


def test_who_asks_first_opens_a_table_and_the_others_come_to_it() -> None:
    house = House()
    settings = Settings(time_limit_seconds=120)
    ada, ben = finished(house, settings)
    before, first = room_of(house, ada), room_id_of(ada)

    ben.port.play_again()
    house.settle()
    told = ada.session.last(messages.Notice)
    ada.port.play_again()
    house.settle()

    assert (told.code, told.room_id) == ("table/again", first)
    assert room_id_of(ada) == room_id_of(ben) != first
    after = room_of(house, ben)
    assert (after.stage, after.settings, after.scenario) == (
        Stage.LOBBY,
        settings,
        before.scenario,
    )
    assert [seat.name for seat in after.seats.values()] == ["Ben", "Ada"]
    assert first not in house.lobby.visitors.followed_by(ada.session)


def test_two_who_ask_at_once_come_to_one_table() -> None:
    house = House()
    ada, ben = finished(house)

    ada.port.play_again()
    ben.port.play_again()
    house.settle()

    assert room_id_of(ada) == room_id_of(ben)
    assert len(room_of(house, ada).seats) == 2


def test_who_comes_back_to_a_finished_table_is_told_of_the_next() -> None:
    house = House()
    ada, ben = finished(house)
    first = room_id_of(ben)
    ben.disconnect()
    ada.port.play_again()
    house.settle()
    second = room_id_of(ada)

    house.restart()
    back = house.client("Ben")
    back.port.enter(first)
    house.settle()

    assert back.session.last(messages.Notice).code == "table/again"
    back.port.play_again()
    house.settle()
    assert room_id_of(back) == second


def test_a_game_that_goes_on_has_no_next() -> None:
    house = House()
    ada, _ = start_all(house, ["Ada", "Ben"])

    ada.port.play_again()
    house.settle()

    assert ada.session.last(messages.Refusal).code == "table/not_over"
    assert len(house.lobby.registry.summaries) == 1


def test_a_next_table_that_was_removed_is_opened_anew() -> None:
    house = House()
    ada, ben = finished(house)
    ada.port.play_again()
    house.settle()
    gone = room_id_of(ada)
    ada.port.remove_table()
    house.settle()

    ben.port.play_again()
    house.settle()

    assert room_id_of(ben) != gone


def test_the_host_removes_a_table_that_never_began() -> None:
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"])
    room_id, code = room_id_of(ada), ada.session.last(messages.TableOpened).code

    ada.port.remove_table()
    house.settle()

    assert ben.session.last(messages.Notice).code == "table/removed"
    assert (ada.model.view, ben.model.view) == (None, None)
    assert room_id not in house.lobby.registry.summaries
    assert house.log_of(room_id) == []
    ben.port.join(code)
    house.settle()
    assert ben.session.last(messages.Refusal).code == "invitation/unknown"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_who_was_at_a_table_that_is_removed_reads_so(language: str) -> None:
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"])
    for player in (ada, ben):
        player.port.set_language(language)
    house.settle()

    ada.port.remove_table()
    house.settle()

    say_it = ben.model.locale.say
    assert ben.model.bar.text == say_it("error.table/removed")
    assert ada.model.bar.text == say_it("lobby.removed")
    assert not ada.model.bar.is_wrong
    assert (ada.model.lobby.last_room, ben.model.lobby.last_room) == ("", "")


def test_a_table_that_is_being_removed_is_on_no_list() -> None:
    """Clients ask for their tables before the store has finished the removal."""
    house = House(store=NeverRemovingStore())
    ada, ben = seat_all(house, ["Ada", "Ben"])

    ada.port.remove_table()
    house.settle()

    assert ben.session.last(messages.Notice).code == "table/removed"
    assert ben.model.lobby.tables == ()


@pytest.mark.parametrize("by_host", [True, False])
def test_nobody_else_and_nothing_later_removes_a_table(*, by_host: bool) -> None:
    house = House()
    ada, ben = start_all(house, ["Ada", "Ben"]) if by_host else seat_all(house, ["Ada", "Ben"])

    (ada if by_host else ben).port.remove_table()
    house.settle()

    refused = (ada if by_host else ben).session.last(messages.Refusal).code
    assert refused == ("table/already_started" if by_host else "table/host_only")
    assert room_id_of(ada) in house.lobby.registry.summaries


def test_who_asks_first_may_choose_what_is_played_next() -> None:
    house = House()
    ada, ben = finished(house)
    first = room_of(house, ada).scenario
    other = next(
        card.scenario
        for card in house.lobby.services.shelf.scenarios()
        if card.scenario != first and card.ruleset == room_of(house, ada).ruleset
    )

    ben.port.play_again(other)
    house.settle()
    ada.port.play_again(first)
    house.settle()

    assert room_id_of(ada) == room_id_of(ben)
    assert room_of(house, ada).scenario == other


@pytest.mark.parametrize("scenario", ["core/none", "toy/nothing"])
def test_what_is_not_there_is_not_played_next(scenario: str) -> None:
    house = House()
    ada, _ = finished(house)
    before = room_id_of(ada)

    ada.port.play_again(scenario)
    house.settle()

    assert ada.session.last(messages.Refusal).code == "table/no_such_scenario"
    assert room_id_of(ada) == before
    assert len(house.lobby.registry.summaries) == 1


# Spectators --------------------------------------------------------------------------------


def watcher(house: House, host: Client, name: str = "Wat") -> Client:
    """Return a client that watches the table of another."""
    wat = house.client(name)
    wat.port.watch(host.session.last(messages.TableOpened).watch_code)
    house.settle()
    assert wat.model.view is not None
    return wat


@pytest.mark.issue(38)
def test_who_watches_is_led_along() -> None:
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"], Settings(spectators=True))
    wat = watcher(house, ada)
    over(house, ada, ben)
    first = room_id_of(ada)

    wat.port.play_again()
    house.settle()
    too_early = wat.session.last(messages.Refusal).code
    ada.port.play_again()
    house.settle()
    told = wat.session.last(messages.Notice)
    wat.port.play_again()
    house.settle()

    assert too_early == "table/no_next"
    assert (told.code, told.room_id) == ("table/again", first)
    assert room_id_of(wat) == room_id_of(ada) != first
    assert wat.model.view is not None
    assert wat.model.view.seat is None
    assert [seat.name for seat in room_of(house, wat).seats.values()] == ["Ada"]
    assert not wat.model.codes.get(room_id_of(wat))
    second = house.client("Wat")
    second.port.entry._watch_codes.update(wat.port.entry._watch_codes)
    second.model.follow(wat.model.view)
    second.port.entry.come_back()
    house.settle()
    assert second.session.last(messages.Joined).room_id == room_id_of(ada)


@pytest.mark.issue(38)
def test_who_watches_later_is_led_along_once_they_have_seen_the_end() -> None:
    """Until then, a spectator must not learn that the game is over."""
    house = House()
    settings = Settings(spectators=True, spectators_delay_seconds=300)
    ada, ben = seat_all(house, ["Ada", "Ben"], settings)
    wat = watcher(house, ada)
    house.settle(400)
    over(house, ada, ben)
    ada.port.play_again()
    house.settle()
    wat.port.play_again()
    house.settle()
    early = wat.session.last(messages.Refusal).code

    assert early == "table/not_over"
    assert "table/again" not in [one.code for one in wat.session.all(messages.Notice)]
    house.settle(310)
    wat.port.play_again()
    house.settle()
    assert wat.session.last(messages.TableOpened).room_id == room_id_of(ada)


@pytest.mark.issue(38)
def test_nobody_else_is_led_to_the_next_table() -> None:
    house = House()
    ada, ben = seat_all(house, ["Ada", "Ben"], Settings(spectators=True))
    over(house, ada, ben)
    ada.port.play_again()
    house.settle()
    eve = house.client("Eve")
    eve.port.say(messages.PlayAgain(eve.next_serial(), room_id_of(ben)))
    house.settle()

    assert eve.session.last(messages.Refusal).code == "table/no_such_table"
