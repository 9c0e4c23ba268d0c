"""Seats, chat and waiting at tables of the first edition."""

import functools

import pytest

from client.commands.verify import check
from client.journal.journal import Journal
from client.locale import LANGUAGES, load
from client.plain.settings import read_settings
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.preferences import Preferences
from protocol import messages
from protocol.archive import BadArchive
from protocol.archive import load as load_log
from protocol.audit import audit
from protocol.common import events
from protocol.common.absence import ABSENCE_MS
from protocol.common.table import Observer, Settings, Stage
from protocol.event import OPERATOR, Record
from protocol.games.first_edition.events import GameEnded
from protocol.games.first_edition.words import KEEPER
from protocol.keys import fingerprint, fingerprint_text
from server.kernel.admission.by_table import check_for_absent
from server.kernel.errors import Refused
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


def propose_to_give_up(house: RoomsHouse, by: Client, *others: Client) -> int:
    """Propose it with the consent of others; return the number of the proposal."""
    by.port.propose_give_up()
    house.settle(0.2)
    agree(house, *others)
    proposal = room_of(house, by).proposal
    assert proposal is not None
    return proposal.proposal_id


def agree_for_absent(house: RoomsHouse, number: int, by: Client) -> None:
    by.port.agree_for_absent(number)
    house.settle(0.2)


def exported(house: RoomsHouse, client: Client) -> bytes:
    client.send(messages.ExportTable(9999, room_id_of(client)))
    house.settle()
    return b"".join(part.data for part in client.session.all(messages.ExportPart))


@rule("K-DECIDE-98")
@pytest.mark.parametrize("is_ben_here", [True, False])
def test_a_game_is_given_up_a_day_later_if_the_keeper_is_still_away(is_ben_here: bool) -> None:
    house, ann, kim, ben = a_game()
    kim.disconnect()
    if not is_ben_here:
        ben.disconnect()
    number = propose_to_give_up(house, ann, *([ben] if is_ben_here else []))
    agree_for_absent(house, number, ann)
    assert (refusal(ann), room_of(house, ann).stage) == ("proposal/too_early", Stage.PLAYING)

    house.wall_began += ABSENCE_MS
    agree_for_absent(house, number, ann)

    (closed,) = happened(house, room_id_of(ann), events.RoomClosed)
    assert closed.how is events.HowClosed.GIVEN_UP
    assert room_of(house, ann).stage is Stage.OVER
    assert not happened(house, room_id_of(ann), GameEnded)
    counts = audit(load_log(exported(house, ann))).counts
    assert (counts.given_up, counts.gifts, counts.absences) == (1, 0, 0)


@rule("K-DECIDE-98")
def test_a_keeper_who_comes_back_is_asked_whether_the_game_is_given_up() -> None:
    house, ann, kim, ben = a_game()
    kim.disconnect()
    number = propose_to_give_up(house, ann, ben)
    house.wall_began += ABSENCE_MS
    again = come_back(house, "Kim", room_id_of(ann))
    agree_for_absent(house, number, ann)
    assert refusal(ann) == "proposal/not_absent"

    agree(house, again, is_agreed=False)
    again.disconnect()
    agree_for_absent(house, number, ann)
    assert (refusal(ann), room_of(house, ann).stage) == ("proposal/stale", Stage.PLAYING)


@rule("K-DECIDE-98")
@pytest.mark.parametrize("is_bot_keeper", [True, False])
def test_nobody_agrees_for_an_investigator_to_give_up_while_the_keeper_is_there(
    is_bot_keeper: bool,
) -> None:
    """His seat can be given away instead."""
    house, ann, kim, ben = a_game()
    if is_bot_keeper:
        propose(house, KIM, to_bot=True, by=ann)
        agree(house, kim, ben)
    ben.disconnect()
    number = propose_to_give_up(house, ann, *([] if is_bot_keeper else [kim]))
    house.wall_began += ABSENCE_MS
    agree_for_absent(house, number, ann)
    assert (refusal(ann), room_of(house, ann).stage) == ("proposal/not_absent", Stage.PLAYING)

    agree(house, ann, is_agreed=False)
    propose(house, BEN, to_bot=True, by=ann)
    if not is_bot_keeper:
        agree(house, kim)
    house.wall_began += ABSENCE_MS
    proposal = room_of(house, ann).proposal
    assert proposal is not None
    agree_for_absent(house, proposal.proposal_id, ann)
    assert room_of(house, ann).seats[BEN].is_bot


@rule("K-DECIDE-98", "K-DECIDE-107")
def test_nobody_agrees_for_an_absent_keeper_to_give_up_a_game_by_calendar() -> None:
    """Its limits run on without him, and people are there at other hours."""
    week = 7 * 24 * 3600
    settings = Settings(takebacks=False, time_limit_seconds=week, by_calendar=True)
    house, ann, kim, ben = a_game(settings)
    kim.disconnect()
    number = propose_to_give_up(house, ann, ben)
    house.wall_began += ABSENCE_MS
    agree_for_absent(house, number, ann)

    assert (refusal(ann), room_of(house, ann).stage) == ("proposal/not_absent", Stage.PLAYING)


@rule("K-DECIDE-98")
def test_who_runs_the_server_agrees_for_no_absent_keeper_to_give_up() -> None:
    house, ann, kim, ben = a_game()
    kim.disconnect()
    propose_to_give_up(house, ann, ben)
    host = house.host_of(ann)

    room = host.room.table.room
    at = room.proposed_at + ABSENCE_MS
    with pytest.raises(Refused) as caught:
        check_for_absent(room, time=at, origin=OPERATOR, is_halted=False)

    assert caught.value.code == "proposal/no_voice"


# What a server might write all the same, and an audit finds


def given_up(monkeypatch: pytest.MonkeyPatch, how: str) -> bytes:
    """Return the log of a game that a server let Ann give up for the others as it should not."""
    house, ann, kim, ben = a_game()
    monkeypatch.setattr("server.kernel.room.check_for_absent", lambda *_, **__: None)
    if how == "keeper there":
        monkeypatch.setattr("server.kernel.admission.by_table.absentees", lambda _: (BEN,))
        monkeypatch.setattr("server.lobby.tables.seats.absentees", lambda _: (BEN,))
        ben.disconnect()
        number = propose_to_give_up(house, ann, kim)
    else:
        kim.disconnect()
        number = propose_to_give_up(house, ann, ben)
    house.wall_began += ABSENCE_MS - (3_600_000 if how == "early" else 0)
    agree_for_absent(house, number, ann)
    assert room_of(house, ann).stage is Stage.OVER
    return exported(house, ann)


@rule("K-DECIDE-98")
def test_an_audit_refuses_to_give_up_for_others_while_the_keeper_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(BadArchive, match="speaks for others"):
        audit(load_log(given_up(monkeypatch, "keeper there")))


@rule("K-DECIDE-98")
def test_an_audit_refuses_to_give_up_for_the_keeper_before_a_day_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(BadArchive, match="less than a day"):
        audit(load_log(given_up(monkeypatch, "early")))


@rule("K-DECIDE-98")
@pytest.mark.parametrize("language", LANGUAGES)
def test_verify_says_that_the_game_was_given_up_for_absent_players(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    locale = load(language)
    lines = check(given_up(monkeypatch, "rightly")).lines("game", locale)

    assert locale.say("verify.given_up") in lines
    assert not any(line == locale.say("verify.gifts", 1) for line in lines)


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
