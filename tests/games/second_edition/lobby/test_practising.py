"""Practice games: who may open one, where it begins, and how one player plays all seats."""

from collections.abc import Sequence

import pytest

from client.locale import LANGUAGES
from client.locale import load as load_words
from client.net.fetching import FetchedGame
from protocol import messages
from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import RoomTable, Stage
from protocol.event import Audiences, Event, Stored, read_own
from tests.games.second_edition.lobby.test_sharing import agree, asked
from tests.kit.servers.house import Client, House
from tests.kit.servers.slow import SlowStore
from tests.kit.servers.tables import get_ready, room_id_of, room_of, seat_all, start_all
from tests.verifying.logs import types, verifier

pytestmark = pytest.mark.issue(17)

ANSWERS = 10


@pytest.fixture
def house() -> House:
    return House()


def answer(house: House, clients: Sequence[Client]) -> None:
    """Let the first client with an open question pick its first choices."""
    for client in clients:
        view = client.model.view
        assert view is not None
        question = view.my_question()
        if question is not None and view.ask is not None:
            picks = tuple(c.choice_id for c in question.choices[: max(1, question.at_least)])
            if view.ask.has_open_votes:
                client.port.vote(view.ask.ask_id, picks)
            else:
                client.port.answer(view.ask.ask_id, picks)
            house.settle(0.3)
            return
    raise AssertionError("nobody is asked")


def given_up(house: House, names: Sequence[str] = ("Ann", "Ben")) -> list[Client]:
    """Return people who have played for a while and given the game up."""
    clients = start_all(house, names)
    for _ in range(ANSWERS):
        answer(house, clients)
    give_up(house, clients)
    return clients


def give_up(house: House, clients: Sequence[Client]) -> None:
    """Have all clients agree to give their game up."""
    clients[0].port.propose_give_up()
    house.settle()
    for client in clients[1:]:
        proposal = room_of(house, client).proposal
        assert proposal is not None
        client.port.consent(proposal.proposal_id, is_agreed=True)
        house.settle()
    assert room_of(house, clients[0]).stage is Stage.OVER


def practised(house: House, client: Client, source: str, event: int) -> str:
    """Have a client open and enter a practice game; return its room."""
    client.port.practise(source, event)
    house.settle()
    assert client.model.finished.practice
    return client.model.finished.practice


def events_in(house: House, room_id: str) -> list[Event]:
    return [read_own(room_id, stored).event for stored in house.log_of(room_id)]


def table_of(house: House, room_id: str) -> RoomTable:
    return house.lobby.registry.hosts[room_id].room.table.room


def refusal(house: House, client: Client, source: str, event: int = 10**6) -> str:
    """Ask for a practice game; return the code of the refusal, empty if none."""
    reply = asked(house, client, messages.Practise(client.next_serial(), source, event))[-1]
    return reply.code if isinstance(reply, messages.Refusal) else ""


def test_one_player_plays_all_seats_from_the_last_checkpoint(house: House) -> None:
    ann, _ = given_up(house)
    source = room_id_of(ann)
    room_id = practised(house, ann, source, 10**6)

    room = table_of(house, room_id)
    assert room.stage is Stage.PLAYING
    assert not ann.session.all(messages.Notice)
    assert {seat.key for seat in room.seats.values()} == {ann.model.key}
    assert room.source is not None
    assert room.source.room_id == source
    for _ in range(3 * ANSWERS):
        answer(house, [ann])
    given = answers_in(events_in(house, room_id)[room.source.sequence :])
    assert {seat for _, seat in given} == {0, 1}


def answers_in(happened: Sequence[Event]) -> list[tuple[str, int]]:
    answers = [e for e in happened if isinstance(e, events.Answered | events.Passed | events.Voted)]
    return [(e.tag, e.seat) for e in answers]


def test_a_vote_is_given_for_one_seat_after_the_other(house: House) -> None:
    ann, _ = given_up(house)
    practised(house, ann, room_id_of(ann), 10**6)
    view = ann.model.view
    assert view is not None
    for _ in range(300):
        if view.ask is not None and view.ask.has_open_votes:
            break
        answer(house, [ann])
    before = view.ask
    assert before is not None
    first = view.seat
    answer(house, [ann])
    after = view.ask
    assert (after and after.ask_id, view.seat) != (before.ask_id, first)


def test_both_verifiers_take_a_practice_game_that_ended(house: House) -> None:
    ann, _ = given_up(house)
    room_id = practised(house, ann, room_id_of(ann), 10**6)
    ann.port.propose_give_up()
    house.settle()

    assert table_of(house, room_id).stage is Stage.OVER
    fetched: list[FetchedGame] = []
    ann.port.fetch_game(room_id, fetched.append)
    house.settle(5)
    assert audit(load(fetched[0].data)).is_finished
    verifier().verify(fetched[0].data, types())


def test_what_was_answered_up_to_the_moment_is_answered_again(house: House) -> None:
    """Repeating stops at an answer that is no longer offered; the player takes over from there."""
    ann, _ = given_up(house)
    source = room_id_of(ann)
    happened = events_in(house, source)
    rests = [at for at, e in enumerate(happened) if isinstance(e, events.CheckpointReached)]
    answers = [at for at, e in enumerate(happened) if answers_in([e])]
    # The first answer behind a checkpoint that is followed by another answer before the next one.
    at = next(a for a in answers if max((r for r in rests if r < a), default=-1) > 0)
    room_id = practised(house, ann, source, at)

    room = table_of(house, room_id)
    assert room.source is not None
    fresh = answers_in(events_in(house, room_id)[room.source.sequence :])
    assert fresh == answers_in(happened[room.source.sequence : at + 1])
    assert fresh


def test_who_may_not_open_the_game_may_not_practise_it(house: House) -> None:
    ann, ben = given_up(house)
    source = room_id_of(ann)
    zoe = house.client("Zoe")

    assert refusal(house, zoe, source) == "table/no_such_table"
    for client in (ann, ben):
        agree(house, client, source)
    assert refusal(house, zoe, source) == ""


@pytest.mark.issue(36)
def test_a_practice_game_outlives_a_withdrawn_agreement(house: House) -> None:
    """The withdrawal only stops new practice games."""
    ann, ben = given_up(house)
    source = room_id_of(ann)
    for client in (ann, ben):
        agree(house, client, source)
    zoe = house.client("Zoe")
    room_id = practised(house, zoe, source, 10**6)
    agree(house, ben, source, is_agreed=False)

    (entered,) = [
        one
        for one in asked(house, zoe, messages.EnterTable(zoe.next_serial(), room_id, -1))
        if isinstance(one, messages.Entered)
    ]
    assert entered.next_sequence > 0
    assert refusal(house, zoe, source) == "table/no_such_table"
    for language in LANGUAGES:
        say = load_words(language).say
        texts = [say(f"games.{key}") for key in ("agreed", "withdrawn")]
        assert all({"en": "practice", "fr": "entraînement"}[language] in text for text in texts)


def test_an_agreement_withdrawn_meanwhile_counts() -> None:
    """Reading the log before anything is stored takes time, in which a seat may withdraw."""
    store = SlowStore()
    house = House(store=store)
    ann, ben = given_up(house)
    source = room_id_of(ann)
    for client in (ann, ben):
        agree(house, client, source)
        client.port.leave_table()
    zoe = house.client("Zoe")
    house.settle(90)

    store.clock = house.clock
    message = messages.Practise(zoe.next_serial(), source, 10**6)
    zoe.send(message)
    house.settle(0.4)
    ben.send(messages.ShareGame(ben.next_serial(), source, is_agreed=False))
    house.settle(20)
    store.clock = None
    replies = [m for m in zoe.session.sent if getattr(m, "serial", None) == message.serial]
    assert isinstance(replies[-1], messages.Refusal)
    assert not [one for one in house.lobby.registry.summaries.values() if one.is_practice]


def test_a_game_that_goes_on_is_not_practised(house: House) -> None:
    """The secrets of a running game are sealed."""
    [ann, _] = start_all(house, ["Ann", "Ben"])

    assert refusal(house, ann, room_id_of(ann)) == "table/not_over"


def test_before_the_game_there_is_no_checkpoint(house: House) -> None:
    """A refused request leaves no table behind."""
    ann, _ = given_up(house)
    before = set(house.lobby.registry.summaries)

    assert refusal(house, ann, room_id_of(ann), 3) == "table/no_checkpoint"
    assert set(house.lobby.registry.summaries) == before


def test_a_practice_game_is_no_source_shared_or_followed_by_another(house: House) -> None:
    ann, _ = given_up(house)
    room_id = practised(house, ann, room_id_of(ann), 10**6)
    ann.port.propose_give_up()
    house.settle()

    assert refusal(house, ann, room_id) == "table/in_practice"
    reply = agree(house, ann, room_id)
    assert isinstance(reply, messages.Refusal)
    assert reply.code == "table/in_practice"
    again = asked(house, ann, messages.PlayAgain(ann.next_serial(), room_id))[-1]
    assert isinstance(again, messages.Refusal)
    found = asked(house, ann, messages.FindGames(ann.next_serial(), "", 0, 0, 0, 0, ""))[-1]
    assert isinstance(found, messages.GamesFound)
    assert room_id not in [line.room_id for line in found.lines]


def test_no_seat_of_a_practice_game_is_given_away(house: House) -> None:
    ann, _ = given_up(house)
    room_id = practised(house, ann, room_id_of(ann), 10**6)
    message = messages.ProposeGiveSeat(ann.next_serial(), room_id, 1, to_bot=True)

    [reply] = asked(house, ann, message)
    assert isinstance(reply, messages.Refusal)
    assert reply.code == "proposal/in_practice"


def test_nobody_speaks_for_a_seat_that_is_not_theirs(house: House) -> None:
    ann, ben = start_all(house, ["Ann", "Ben"])
    [reply] = asked(house, ben, messages.SpeakFor(ben.next_serial(), room_id_of(ann), 0))
    assert isinstance(reply, messages.Refusal)
    assert reply.code == "table/no_seat"


def test_nobody_else_enters_a_practice_game(house: House) -> None:
    ann, ben = given_up(house)
    room_id = practised(house, ann, room_id_of(ann), 10**6)

    [reply] = asked(house, ben, messages.EnterTable(ben.next_serial(), room_id, -1, b""))
    assert isinstance(reply, messages.Refusal)
    assert reply.code == "table/no_such_table"


def test_the_table_goes_back_alone(house: House) -> None:
    """The only player of a practice game agrees by proposing."""
    ann, _ = given_up(house)
    room_id = practised(house, ann, room_id_of(ann), 10**6)
    answer(house, [ann])
    rest = max(house.lobby.registry.hosts[room_id].room.table.checkpoints)
    ann.port.propose_take_back(rest)
    house.settle()

    assert isinstance(
        next(e for e in reversed(events_in(house, room_id)) if isinstance(e, events.TakenBack)),
        events.TakenBack,
    )


def test_a_practice_game_is_removed_by_its_player_at_any_time(house: House) -> None:
    ann, _ = given_up(house)
    room_id = practised(house, ann, room_id_of(ann), 10**6)
    asked(house, ann, messages.RemoveTable(ann.next_serial(), room_id))

    assert room_id not in house.lobby.registry.summaries
    assert not house.log_of(room_id)


def test_a_practice_game_is_on_the_list_and_awaits_nobody(house: House) -> None:
    ann, _ = given_up(house)
    room_id = practised(house, ann, room_id_of(ann), 10**6)
    tables = asked(house, ann, messages.ListTables(ann.next_serial()))[-1]
    awaited = asked(house, ann, messages.ListAwaited(ann.next_serial()))[-1]

    assert isinstance(tables, messages.Tables)
    assert isinstance(awaited, messages.Awaited)
    assert {line.room_id: line.is_practice for line in tables.lines}[room_id]
    assert not awaited.lines


def test_a_practice_game_goes_on_after_a_restart(house: House) -> None:
    ann, _ = given_up(house)
    source = room_id_of(ann)
    room_id = practised(house, ann, source, 10**6)
    answer(house, [ann])
    zoe_like = messages.Practise(ann.next_serial(), source, 10**6)
    joined = asked(house, ann, zoe_like)[-1]
    assert isinstance(joined, messages.Joined)
    house.restart()

    ann = house.client("Ann")
    ann.port.enter(room_id)
    house.settle()
    answer(house, [ann])
    assert table_of(house, room_id).stage is Stage.PLAYING
    ann.port.enter(joined.room_id)
    house.settle()
    assert table_of(house, joined.room_id).stage is Stage.PLAYING


def test_the_words_of_talk_are_left_out(house: House) -> None:
    """The source game shows only that somebody spoke. The words stay with those who heard them."""
    ann, ben = start_all(house, ["Ann", "Ben"])
    ben.port.chat("the butler did it")
    house.settle()
    for _ in range(ANSWERS):
        answer(house, [ann, ben])
    ann.port.propose_give_up()
    house.settle()
    proposal = room_of(house, ben).proposal
    assert proposal is not None
    ben.port.consent(proposal.proposal_id, is_agreed=True)
    house.settle()
    room_id = practised(house, ann, room_id_of(ann), 10**6)

    words = [e.words.value for e in events_in(house, room_id) if isinstance(e, events.Chatted)]
    assert words == ["…".encode()]
    assert not any(b"butler" in stored.openings for stored in house.log_of(room_id))


def test_a_game_with_a_fixed_setup_is_practised_once_that_is_open(house: House) -> None:
    """Games keep their logs closed until the owner closes the setup.

    A player who practises one counts as knowing the setup.
    """
    zoe = house.client("Zoe")
    made = asked(house, zoe, messages.MakeSetup(zoe.next_serial()))[-1]
    assert isinstance(made, messages.SetupMade)
    clients = seat_all(house, ["Ann", "Ben"])
    clients[0].port.fix_setup(made.code)
    house.settle()
    get_ready(house, clients)
    clients[0].port.start()
    house.settle()
    give_up(house, clients)
    ann, source = clients[0], room_id_of(clients[0])
    assert refusal(house, ann, source) == "table/keeps_log"

    asked(house, zoe, messages.CloseSetup(zoe.next_serial(), made.code))
    house.settle(5)
    for client in clients:
        agree(house, client, source)
    eve = house.client("Eve")
    room_id = practised(house, eve, source, 10**6)
    eve.port.propose_give_up()
    house.settle()
    fetched: list[FetchedGame] = []
    eve.port.fetch_game(room_id, fetched.append)
    house.settle(5)
    assert audit(load(fetched[0].data)).is_finished
    verifier().verify(fetched[0].data, types())
    fixed = next(e for e in events_in(house, source) if isinstance(e, events.SetupFixed)).setup
    assert fixed is not None
    assert house.lobby.setups.known.knows(eve.model.key, fixed.setup_id)


def test_a_practice_game_is_loaded_from_its_snapshot(house: House) -> None:
    ann, _ = given_up(house)
    room_id = practised(house, ann, room_id_of(ann), 10**6)
    for _ in range(ANSWERS):
        answer(house, [ann])
    head = house.lobby.registry.hosts[room_id].room.head
    ann.port.leave_table()
    house.settle(120)
    assert room_id not in house.lobby.registry.hosts
    assert "snapshot" in [kind for kind, key in house.store._values if key == room_id]

    ann.port.enter(room_id)
    house.settle()
    room = house.lobby.registry.hosts[room_id].room
    assert room.halted is None
    assert room.table.room.source is not None
    assert ann.model.view is not None
    assert ann.model.view.head == room.head != head
    answer(house, [ann])


# Together ----------------------------------------------------------------------------------


def watched(house: House) -> tuple[Client, Client, str, str]:
    """Return a leader at a practice game, a member who watches it, and both rooms."""
    ann, ben = given_up(house)
    source = room_id_of(ann)
    for client in (ann, ben):
        client.port.leave_table()
        client.port.join_review(source)
        house.settle()
    return ann, ben, source, practised(house, ann, source, 10**6)


def test_all_in_a_review_watch_what_its_leader_plays_on(house: House) -> None:
    ann, ben, _, room_id = watched(house)
    for _ in range(5):
        answer(house, [ann])

    assert ann.model.view is not None
    assert ben.model.view is not None
    assert ben.model.view.room_id == room_id
    assert ben.model.view.seat is None
    assert ben.model.view.head == ann.model.view.head
    assert [cut.openings for cut in ben.model.view.cuts] == [
        cut.openings for cut in ann.model.view.cuts
    ]


def test_what_no_seat_may_know_is_sent_to_nobody(house: House) -> None:
    """New seeds and new orders of piles stay secret even from the player of all seats."""
    ann, ben, _, room_id = watched(house)
    for _ in range(ANSWERS):
        answer(house, [ann])
    log = house.log_of(room_id)
    secret = {(at, slot) for at, one in enumerate(log) for slot in _shut_slots(one)}
    assert any(
        isinstance(read_own(room_id, log[at]).event, events.SeedsCommitted) for at, _ in secret
    )

    for client in (ann, ben):
        view = client.model.view
        assert view is not None
        assert len(view.cuts) == len(log)
        told = {(at, slot) for at, one in enumerate(view.cuts) for slot, _ in one.openings}
        assert not told & secret


def _shut_slots(stored: Stored) -> list[int]:
    return [slot for slot, seats in enumerate(Audiences.of(stored).by_slot) if not seats]


def test_all_come_back_with_the_leader(house: House) -> None:
    ann, ben, source, room_id = watched(house)
    ann.port.leave_table()
    house.settle()

    assert ann.model.view is None
    assert ben.model.view is None
    assert ben.model.review is not None
    assert (ben.model.review.room_id, ben.model.review.state.branch_id) == (source, "")
    assert room_id in house.lobby.registry.summaries


def test_who_watches_may_come_back_alone(house: House) -> None:
    ann, ben, _, room_id = watched(house)
    ben.port.leave_table()
    house.settle()

    assert ben.model.view is None
    assert ann.model.view is not None
    assert ann.model.view.room_id == room_id
    ben.port.go_to_practice(room_id)
    house.settle()
    assert ben.model.view is not None


def test_who_watches_says_nothing_for_a_seat(house: House) -> None:
    _, ben, _, room_id = watched(house)
    for message in (
        messages.SpeakFor(ben.next_serial(), room_id, 0),
        messages.Answer(ben.next_serial(), room_id, 0, ()),
        messages.RemoveTable(ben.next_serial(), room_id),
    ):
        reply = asked(house, ben, message)[-1]
        assert isinstance(reply, messages.Refusal)
        assert reply.code == "table/no_seat"


def test_only_a_practice_game_of_that_game_is_watched_together(house: House) -> None:
    """No other table of the leader and no practice game of others can be shown."""
    ann, ben, source, _ = watched(house)
    ann.port.leave_table()
    house.settle()
    mine = asked(house, ben, messages.Practise(ben.next_serial(), source, 10**6))[-1]
    assert isinstance(mine, messages.Joined)
    for other in (source, mine.room_id, "0" * 24):
        reply = asked(house, ann, messages.SupposeInReview(ann.next_serial(), source, other))[-1]
        assert isinstance(reply, messages.Refusal)
        assert reply.code == "review/no_practice"
    stranger = asked(house, ben, messages.SupposeInReview(ben.next_serial(), source, mine.room_id))[
        -1
    ]
    assert isinstance(stranger, messages.Refusal)
    assert stranger.code == "review/not_leader"


def test_once_nobody_shows_it_nobody_else_enters(house: House) -> None:
    ann, ben, _, room_id = watched(house)
    ann.port.leave_table()
    house.settle()
    [reply] = asked(house, ben, messages.EnterTable(ben.next_serial(), room_id, -1, b""))

    assert isinstance(reply, messages.Refusal)
    assert reply.code == "table/no_such_table"
