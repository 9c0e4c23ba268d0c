"""Seats, chat and waiting at tables of the first edition."""

import functools

import pytest

from client.journal.journal import Journal
from client.locale import LANGUAGES, load
from client.plain.settings import read_settings
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.preferences import Preferences
from protocol import messages
from protocol.common import events
from protocol.common.table import Observer, Settings
from protocol.event import Record
from protocol.games.first_edition.words import KEEPER
from protocol.keys import fingerprint, fingerprint_text
from tests.games.first_edition.house import RoomsHouse
from tests.kit.servers.house import Client
from tests.kit.servers.tables import come_back, happened, room_id_of, room_of, seat_all

rule = pytest.mark.rule

ANN, KIM, BEN = 0, 1, 2
USUAL = Settings(takebacks=False)


def a_game(settings: Settings = USUAL) -> tuple[RoomsHouse, Client, Client, Client]:
    """Return a game of Ann, who is the host, of Kim, who is the keeper, and of Ben."""
    house = RoomsHouse()
    ann, kim, ben = seat_all(house, ["Ann", "Kim", "Ben"], settings)
    kim.port.claim_role(KEEPER)
    house.settle()
    for client, who in ((ann, "bram-marrow"), (kim, ""), (ben, "nora-voss")):
        if who:
            client.port.claim((f"investigator/{who}",))
            house.settle()
        client.port.set_ready(is_ready=True)
        house.settle()
    ann.port.start()
    house.settle()
    return house, ann, kim, ben


def propose(house: RoomsHouse, seat: int, *, to_bot: bool, by: Client) -> None:
    by.port.propose_give_seat(seat, to_bot=to_bot)
    house.settle(0.2)


def agree(house: RoomsHouse, *clients: Client, is_agreed: bool = True) -> None:
    for client in clients:
        proposal = room_of(house, client).proposal
        if proposal is not None:
            client.port.consent(proposal.proposal_id, is_agreed=is_agreed)
            house.settle(0.2)


def refusal(client: Client) -> str:
    refused = client.session.all(messages.Refusal)
    return refused[-1].code if refused else ""


def ask_in(house: RoomsHouse, client: Client, by: Client) -> None:
    """Ask for the seat that stands open, by an invitation that others were sent."""
    house.join(client, by.session.last(messages.InvitationMade).code)


def seat_of(house: RoomsHouse, client: Client, by: Client) -> int | None:
    return room_of(house, by).seat_of(client.session.account.key)


@rule("K-EX-29", "K-DECIDE-3")
def test_nothing_changes_where_one_does_not_agree() -> None:
    house, ann, kim, ben = a_game()
    propose(house, KIM, to_bot=True, by=ann)
    agree(house, kim)
    agree(house, ben, is_agreed=False)

    assert room_of(house, ann).seats[KIM].key == kim.session.account.key
    assert room_of(house, ann).proposal is None


@rule("K-EX-29", "K-DECIDE-3")
def test_a_bot_has_the_keepers_seat_once_all_agree_and_its_secrets() -> None:
    house, ann, kim, ben = a_game()
    propose(house, KIM, to_bot=True, by=ann)
    agree(house, kim, ben)

    seat = room_of(house, ann).seats[KIM]
    assert (seat.is_bot, seat.role) == (True, KEEPER)
    (given,) = happened(house, room_id_of(ann), events.SeatGiven)
    assert given.with_secrets


@rule("K-EX-29", "K-DECIDE-3")
def test_who_was_keeper_gets_no_investigators_seat_and_the_keepers_again() -> None:
    house, ann, kim, ben = a_game()
    propose(house, KIM, to_bot=True, by=ann)
    agree(house, kim, ben)
    propose(house, BEN, to_bot=False, by=ann)
    agree(house, ben)
    ask_in(house, kim, ann)
    assert refusal(kim) == "table/role_apart"

    propose(house, KIM, to_bot=False, by=ann)
    ask_in(house, kim, ann)
    assert seat_of(house, kim, ann) == KIM


@rule("K-EX-29", "K-DECIDE-3")
def test_who_was_investigator_gets_that_seat_again_and_never_the_keepers() -> None:
    house, ann, kim, ben = a_game()
    propose(house, BEN, to_bot=True, by=ann)
    agree(house, kim, ben)
    propose(house, KIM, to_bot=False, by=ann)
    agree(house, kim)
    ask_in(house, ben, ann)
    assert refusal(ben) == "table/role_apart"

    zoe = house.client("Zoe")
    ask_in(house, zoe, ann)
    assert seat_of(house, zoe, ann) == KIM
    propose(house, BEN, to_bot=False, by=ann)
    agree(house, zoe)
    ask_in(house, ben, ann)
    assert seat_of(house, ben, ann) == BEN


@rule("K-EX-29", "K-DECIDE-3", "K-DECIDE-97")
@pytest.mark.parametrize("seat", [KIM, BEN])
def test_an_observer_gets_neither_seat(seat: int) -> None:
    key = RoomsHouse().client("Zoe").session.account.key
    settings = Settings(takebacks=False, observers=(Observer("Zoe", fingerprint(key)),))
    house, ann, kim, ben = a_game(settings)
    zoe = house.client("Zoe")
    propose(house, seat, to_bot=False, by=ann)
    agree(house, kim, ben)
    ask_in(house, zoe, ann)

    assert refusal(zoe) == "table/observer"


@rule("K-DECIDE-96", "K-INFO-11", "K-INFO-12")
def test_what_an_investigator_says_the_keeper_reads_too() -> None:
    house, ann, kim, ben = a_game()
    ann.port.chat("The cellar next?")
    house.settle()

    for client in (ann, kim, ben):
        view = client.model.view
        assert view is not None
        (said,) = [r.event.words for r in view.records if isinstance(r.event, events.Chatted)]
        assert (said.audience, said.is_open) == ((ANN, KIM, BEN), True)


@rule("K-DECIDE-98")
def test_the_table_waits_for_a_keeper_who_is_away() -> None:
    house, ann, kim, ben = a_game()
    kim.disconnect()
    for client in (ann, ben):
        view = client.model.view
        assert view is not None
        assert view.ask is not None
        client.port.answer(view.ask.ask_id, ())
    house.settle(100)
    assert len(happened(house, room_id_of(ann), events.Asked)) == 1

    propose(house, KIM, to_bot=True, by=ann)
    assert room_of(house, ann).proposal is not None


@rule("K-DECIDE-98")
@pytest.mark.parametrize("least_seconds", [0, 2])
def test_no_step_counts_and_no_limit_runs_while_the_keeper_is_away(least_seconds: int) -> None:
    settings = Settings(takebacks=False, least_seconds=least_seconds, time_limit_seconds=60)
    house, ann, kim, ben = a_game(settings)
    for _ in range(3):
        for client in (ann, kim, ben):
            if rule_asked(house, ann) != "K-DECIDE-16":
                answer(house, client)
    asked = room_of(house, ann).ask
    assert asked is not None
    assert asked.rule == "K-DECIDE-16"
    kim.disconnect()
    answer(house, ann if ANN in asked.questions else ben)
    house.settle(200)
    assert room_of(house, ann).ask == asked

    come_back(house, "Kim", room_id_of(ann))
    house.settle(3)
    assert room_of(house, ann).ask != asked


@rule("K-DECIDE-98")
def test_no_limit_of_a_plain_question_runs_while_the_keeper_is_away() -> None:
    house, ann, kim, ben = a_game(Settings(takebacks=False, time_limit_seconds=60))
    for client in (ann, kim, ben):
        if rule_asked(house, ann) == "K-SETUP-11":
            answer(house, client)
    answer(house, kim)
    kim.disconnect()
    house.settle(200)
    assert not happened(house, room_id_of(ann), events.TimedOut)

    come_back(house, "Kim", room_id_of(ann))
    house.settle(61)
    assert happened(house, room_id_of(ann), events.TimedOut)


def rule_asked(house: RoomsHouse, client: Client) -> str:
    ask = room_of(house, client).ask
    return "" if ask is None else ask.rule


def answer(house: RoomsHouse, client: Client) -> None:
    """Answer the open question of a client, if there is one, by its default."""
    view = client.model.view
    question = None if view is None else view.my_question()
    if view is not None and view.ask is not None and question is not None:
        client.port.answer(view.ask.ask_id, question.row_default)
        house.settle(0.2)


@rule("K-SECRET-25", "K-EX-27", "K-DECIDE-17")
def test_an_answer_that_does_not_count_yet_is_sent_to_nobody_else() -> None:
    house, ann, kim, ben = a_game()
    for _ in range(3):
        asked = room_of(house, ann).ask
        if asked is not None and asked.rule == "K-DECIDE-16":
            break
        for client in (ann, kim, ben):
            answer(house, client)
    asked = room_of(house, ann).ask
    assert asked is not None
    assert asked.rule == "K-DECIDE-16"
    active = ann if ANN in asked.questions and asked.questions[ANN].is_open else ben
    before = [len(client.session.sent) for client in (kim, ben if active is ann else ann)]
    answer(house, active)

    after = [len(client.session.sent) for client in (kim, ben if active is ann else ann)]
    assert before == after
    house.settle(USUAL.least_seconds)
    assert room_of(house, ann).ask != asked


@rule("K-SECRET-20", "K-DECIDE-17")
def test_no_window_opens_or_ends_as_the_keeper_says() -> None:
    """A table with stops would show others at which windows the keeper looks, and when he is done.

    A host whose own client sends that setting gets a table without it.
    """
    house, ann, _, _ = a_game(Settings(takebacks=False, stops=True))

    assert not room_of(house, ann).settings.stops


# Observers and settings


def game_line(house: RoomsHouse, client: Client) -> messages.GameLine:
    """Return the line of this game in the lobby of a client."""
    client.port.list_tables()
    house.settle()
    (line,) = [one for one in client.model.lobby.offered_games if one.ruleset == "first_edition"]
    return line


@rule("K-DECIDE-97", "K-DECIDE-100")
def test_a_new_table_has_no_takebacks_no_observers_and_no_spectators() -> None:
    house = RoomsHouse()
    ann = house.client("Ann")
    house.open_table(ann, read_settings([], load("en"), game_line(house, ann)))

    settings = room_of(house, ann).settings
    assert (settings.takebacks, settings.observers, settings.spectators) == (False, (), False)


@rule("K-DECIDE-97")
@pytest.mark.parametrize(("typed", "seconds"), [([], 900), (["5"], 300), (["0"], 0)])
def test_an_observer_is_15_minutes_behind_unless_the_host_says_otherwise(
    typed: list[str], seconds: int
) -> None:
    house = RoomsHouse()
    ann = house.client("Ann")
    mark = fingerprint_text(fingerprint(house.client("Rea").session.account.key))
    words = ["observer", "Rea", mark, *typed, "limit", "5"]
    settings = read_settings(words, load("en"), game_line(house, ann))

    (observer,) = settings.observers
    assert (observer.name, observer.delay_seconds) == ("Rea", seconds)
    assert settings.time_limit_seconds == 300


@rule("K-DECIDE-97")
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_observer_is_named_to_all_before_they_sit_down_and_reads_later(language: str) -> None:
    key = RoomsHouse().client("Rea").session.account.key
    observer = Observer("Rea", fingerprint(key), 900)
    house = RoomsHouse()
    ann = house.client("Ann")
    code = house.open_table(ann, Settings(takebacks=False, observers=(observer,)))
    watch = ann.session.last(messages.TableOpened).watch_code
    kim = house.client("Kim")
    house.join(kim, code)
    for client in (ann, kim):
        client.port.set_language(language)
        house.settle()
        model = client.model
        journal = Journal(functools.partial(getattr, model, "speaker"))
        journal.begin(model.view)
        ui = Ui(Desk(client.model, client.port, journal, prefs=Preferences(story=False)))
        drawn = " ".join(ui.draw(60, 160).plain().split())
        assert "Rea" in drawn
        assert "15 min" in drawn
    rea = house.client("Rea")
    rea.port.watch(watch)
    house.settle()
    assert [
        one.event for one in records_shown(rea) if isinstance(one.event, events.SeatTaken)
    ] == []
    house.settle(901)
    assert len([1 for one in records_shown(rea) if isinstance(one.event, events.SeatTaken)]) == 2


def records_shown(client: Client) -> list[Record]:
    return [] if client.model.view is None else list(client.model.view.records)
