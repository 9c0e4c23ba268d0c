"""Tables: opening, joining, playing, falling away and coming back."""

import attrs
import pytest

from client.model.tables import TableView
from protocol import messages
from protocol.archive import load
from protocol.audit import audit
from protocol.common.table import Settings, Stage
from server.storage import StoreFull
from tests.kit.closing import close_for
from tests.kit.servers.house import Client, House


@pytest.fixture
def house() -> House:
    """Return an empty server."""
    return House()


def seat_two(house: House, settings: Settings | None = None) -> tuple[Client, Client]:
    """Return two clients at one table."""
    ada, ben = house.client("Ada"), house.client("Ben")
    house.join(ben, house.open_table(ada, settings))
    return ada, ben


def start_two(house: House, settings: Settings | None = None) -> tuple[Client, Client]:
    """Return two clients in a game, at its first question."""
    ada, ben = seat_two(house, settings)
    pieces = ada.model.lobby.scenarios[0].roster.characters if ada.model.lobby.scenarios else ()
    for client, piece in ((ada, pieces[0]), (ben, pieces[1])):
        client.port.claim((piece,))
        house.settle()
        client.port.set_ready(True)
        house.settle()
    ada.port.start()
    house.settle()
    assert house.host_of(ada).room.table.room.stage is Stage.PLAYING
    return ada, ben


def test_an_invitation_seats_a_friend(house: House) -> None:
    ada, ben = seat_two(house)

    assert ada.model.view is not None
    assert [s.name for s in ada.model.view.table.room.seats.values()] == ["Ada", "Ben"]
    assert ben.model.view is not None
    assert ben.model.view.seat == 1


def test_a_wrong_code_is_refused(house: House) -> None:
    eve = house.client("Eve")

    house.join(eve, "aaaa-bbbb-cccc-dddd-eeee")

    assert eve.session.last(messages.Refusal).code == "invitation/unknown"


def test_a_stranger_cannot_follow_a_table(house: House) -> None:
    ada, _ = seat_two(house)
    eve = house.client("Eve")
    assert ada.model.view is not None

    eve.port.enter(ada.model.view.room_id)
    house.settle()

    assert eve.session.last(messages.Refusal).code == "table/no_such_table"
    assert not eve.session.all(messages.Records)


def test_a_stranger_cannot_act_for_a_seat(house: House) -> None:
    ada, _ = start_two(house)
    eve = house.client("Eve")
    assert ada.model.view is not None
    before = house.host_of(ada).room.head

    eve.send(messages.Chat(99, ada.model.view.room_id, "let me in"))
    house.settle()

    assert eve.session.last(messages.Refusal).code == "table/no_such_table"
    assert house.host_of(ada).room.head == before


def test_spectators_need_the_setting_and_see_no_secret(house: House) -> None:
    ada, _ = start_two(house, Settings(spectators=True))
    code = ada.session.last(messages.TableOpened).watch_code
    wat = house.client("Wat")

    wat.port.watch(code)
    house.settle()

    assert wat.model.view is not None
    assert wat.model.view.seat is None
    openings = [c.openings for m in wat.session.all(messages.Records) for c in m.cuts]
    assert not any(openings)


def test_a_table_without_spectators_gives_no_watch_code(house: House) -> None:
    ada, _ = seat_two(house)

    assert ada.session.last(messages.TableOpened).watch_code == ""


def test_whoever_comes_back_is_asked_the_same_question(house: House) -> None:
    ada, ben = start_two(house)
    asked = next(c for c in (ada, ben) if c.model.view and c.model.view.my_question())
    assert asked.model.view is not None
    question = asked.model.view.my_question()
    room_id = asked.model.view.room_id

    asked.disconnect()
    again = house.client(asked.model.name)
    again.port.enter(room_id)
    house.settle()

    assert again.model.view is not None
    assert again.model.view.my_question() == question


def test_a_killed_server_goes_on_at_the_same_question(house: House) -> None:
    ada, ben = start_two(house)
    asked = next(c for c in (ada, ben) if c.model.view and c.model.view.my_question())
    assert asked.model.view is not None
    before = (asked.model.view.my_question(), asked.model.view.room_id)

    house.restart()
    again = house.client(asked.model.name)
    again.port.enter(before[1])
    house.settle()

    assert again.model.view is not None
    assert again.model.view.my_question() == before[0]


def test_presence_is_on_the_log(house: House) -> None:
    ada, ben = start_two(house)

    ben.disconnect()

    assert ada.model.view is not None
    assert not ada.model.view.table.room.seats[1].is_present


def test_clients_hold_what_the_server_would_cut(house: House) -> None:
    ada, ben = start_two(house)

    for client in (ada, ben):
        view = client.model.view
        assert view is not None
        table = house.host_of(client).room.table
        assert view.table == close_for(table, view.seat)


def test_a_seat_given_to_a_bot_plays_on(house: House) -> None:
    ada, ben = start_two(house)
    ben.disconnect()

    ada.port.propose_give_seat(1, to_bot=True)
    house.settle(5)

    seat = house.host_of(ada).room.table.room.seats[1]
    assert seat.is_bot
    assert seat.is_present
    assert seat.name == "Bot 1"


def test_a_seat_given_away_is_redeemed_by_its_own_invitation(house: House) -> None:
    ada, ben = start_two(house)
    question = ben.model.view and ben.model.view.my_question()
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=False)
    house.settle()
    made = ada.session.last(messages.InvitationMade)
    cleo = house.client("Cleo")

    house.join(cleo, made.code)

    assert cleo.model.view is not None
    assert cleo.model.view.seat == 1
    assert house.host_of(ada).room.table.room.seats[1].name == "Cleo"
    asked_again = cleo.model.view.my_question()
    assert (asked_again is None) == (question is None)


def test_whoever_is_left_can_give_an_absent_hosts_seat_away(house: House) -> None:
    """The host may be gone for good."""
    ada, ben = start_two(house)
    ada.disconnect()

    ben.port.propose_give_seat(0, to_bot=True)
    house.settle(5)

    assert house.host_of(ben).room.table.room.seats[0].is_bot


def test_while_the_host_is_here_nobody_else_gives_seats_away(house: House) -> None:
    ada, ben = start_two(house)

    ben.port.propose_give_seat(0, to_bot=True)
    house.settle()

    assert ben.session.last(messages.Refusal).code == "table/host_only"
    assert not house.host_of(ada).room.table.room.seats[0].is_bot


def test_a_lost_invitation_to_a_vacated_seat_is_made_again(house: House) -> None:
    ada, ben = start_two(house)
    ben.disconnect()
    ada.port.propose_give_seat(1, to_bot=False)
    house.settle()
    assert ada.model.view is not None

    ada.send(messages.Invite(700, ada.model.view.room_id, is_to_watch=False))
    house.settle()

    cleo = house.client("Cleo")
    house.join(cleo, ada.session.last(messages.InvitationMade).code)
    assert cleo.model.view is not None
    assert cleo.model.view.seat == 1


def test_a_full_disk_stops_the_room_and_says_so(house: House) -> None:
    ada, ben = start_two(house)
    before = house.host_of(ada).room.head
    house.store.fail_with = StoreFull("the disk is full")

    ada.port.chat("anybody there?")
    house.settle()

    assert ada.session.last(messages.Notice).code == "table/stopped"
    assert ben.session.last(messages.Notice).code == "table/stopped"
    assert house.host_of(ada).room.head == before
    house.store.fail_with = None
    ben.port.chat("hello?")
    house.settle()
    assert ben.session.last(messages.Refusal).code == "table/stopped"


def test_a_running_game_is_exported_as_the_askers_cut(house: House) -> None:
    ada, _ = start_two(house)
    assert ada.model.view is not None

    ada.send(messages.ExportTable(500, ada.model.view.room_id))
    house.settle()

    archive = load(b"".join(part.data for part in ada.session.all(messages.ExportPart)))
    assert not archive.header.is_whole
    assert archive.header.seat == 0
    assert archive.cuts == tuple(ada.model.view.cuts)


def test_a_game_is_played_to_its_end_and_its_whole_log_verifies(house: House) -> None:
    ada, ben = start_two(house)
    players = [house.bot(ada, 1), house.bot(ben, 2)]
    host = house.host_of(ada)
    for _ in range(4000):
        if host.room.table.room.stage is Stage.OVER:
            break
        house.settle(0.5)
    assert all(player.is_over for player in players)
    assert ada.model.view is not None

    ada.send(messages.ExportTable(9999, ada.model.view.room_id))
    house.settle()

    archive = load(b"".join(part.data for part in ada.session.all(messages.ExportPart)))
    report = audit(archive)
    assert report.is_whole
    assert report.is_finished
    assert report.counts.computed.total() > 50
    replayed = TableView(ada.model.view.room_id, 0)
    replayed.receive(archive.cuts)
    assert replayed.table.game is not None


def test_a_time_limit_takes_the_default(house: House) -> None:
    ada, _ = start_two(house, Settings(time_limit_seconds=60))
    host = house.host_of(ada)
    assert host.room.table.room.ask is not None
    first = host.room.table.room.ask.ask_id

    house.settle(61)

    assert host.room.table.room.ask is not None
    assert host.room.table.room.ask.ask_id > first


def test_time_stands_still_while_the_server_is_down(house: House) -> None:
    ada, _ = start_two(house, Settings(time_limit_seconds=60))
    room_id = house.host_of(ada).room.room_id
    house.restart()
    again = house.client("Ada")
    again.port.enter(room_id)
    house.settle()

    left = house.host_of(again).clock.seconds_left()

    assert left is not None
    assert left > 55


def test_a_start_that_nobody_completes_fails_visibly(house: House) -> None:
    ada, ben = seat_two(house)
    pieces = ada.model.lobby.scenarios[0].roster.characters if ada.model.lobby.scenarios else ()
    for client, piece in ((ada, pieces[0]), (ben, pieces[1])):
        client.port.claim((piece,))
        house.settle()
        client.port.set_ready(True)
        house.settle()
    ben.disconnect()
    ada.port.start()
    house.settle()
    assert house.host_of(ada).room.table.room.stage is Stage.STARTING

    house.settle(31)

    room = house.host_of(ada).room.table.room
    assert room.stage is Stage.LOBBY
    assert not room.seats[1].is_ready


def test_words_come_in_the_language_of_the_session(house: House) -> None:
    ada = house.client("Ada")
    zoe = house.client("Zoé", language="fr")
    house.join(zoe, house.open_table(ada))

    assert {words.language for words in ada.session.all(messages.Words)} == {"en"}
    assert {words.language for words in zoe.session.all(messages.Words)} == {"fr"}


def test_nobody_is_sent_words_that_their_records_do_not_name(house: House) -> None:
    """The words of the catalog would tell the story in advance."""
    ada, _ = start_two(house)
    told = {subject for words in ada.session.all(messages.Words) for subject, _ in words.subjects}
    epilogues = {s for s in told if "epilogue" in s}

    assert not epilogues
    assert told


@pytest.mark.issue(13)
@pytest.mark.parametrize("name", ["Mia", "\u041c\u0456\u0430", "Mi\uff41", "M\u0131a"])
def test_two_whose_names_look_the_same_cannot_sit_at_one_table(house: House, name: str) -> None:
    mia = house.client("Mia")
    code = house.open_table(mia)
    other = house.client("Ben")
    other.session.account = attrs.evolve(other.session.account, name=name)

    house.join(other, code)
    refusals = [refusal.code for refusal in other.session.all(messages.Refusal)]
    other.session.account = attrs.evolve(other.session.account, name="Nia")
    house.join(other, code)

    assert refusals == ["table/name_looks_taken"]
    assert [s.name for s in house.host_of(mia).room.table.room.seats.values()] == ["Mia", "Nia"]


@pytest.mark.issue(13)
def test_two_who_sit_down_at_once_under_one_name_are_not_both_let_in(house: House) -> None:
    host = house.client("Ada")
    code = house.open_table(host)
    others = [house.client("Ben"), house.client("Cleo")]
    for each in others:
        each.session.account = attrs.evolve(each.session.account, name="Dora")
        each.port.join(code)
    house.settle()

    names = [s.name for s in house.host_of(host).room.table.room.seats.values()]
    assert names == ["Ada", "Dora"]


@pytest.mark.issue(13)
def test_a_bot_is_not_called_like_somebody_at_the_table(house: House) -> None:
    """If bots had fixed names, a player named `Bot 1` would keep others from adding bots."""
    host = house.client("B\u043et l")
    house.open_table(host)
    host.port.add_bot()
    house.settle()

    names = [s.name for s in house.host_of(host).room.table.room.seats.values()]
    assert names == ["B\u043et l", "Bot 2"]
