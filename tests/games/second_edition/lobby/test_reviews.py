"""Reviews: who may join, who leads, what members are told, and the notes that stay."""

import pytest

from protocol import messages
from protocol.bounds import MAX_ID
from protocol.common.table import Settings
from protocol.messages import ClientMessage, RoomMessage
from server.lobby.finished import game_notes, reviews
from server.lobby.rooms.removal import GAME_NOTES
from tests.games.second_edition.lobby.test_campaigns import Saga
from tests.games.second_edition.lobby.test_sharing import (
    NOWHERE,
    agree,
    asked,
    played,
    shared,
)
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, seat_all

pytestmark = pytest.mark.issue(17)


@pytest.fixture
def house() -> House:
    return Saga()


def told(house: House, client: Client, message: ClientMessage) -> str:
    """Send a message; return the code of the refusal, empty if none."""
    reply = asked(house, client, message)[-1]
    return reply.code if isinstance(reply, messages.Refusal) else ""


def join(house: House, client: Client, room_id: str) -> str:
    """Join the review of a room; return the code of the refusal, empty if none."""
    return told(house, client, messages.JoinReview(client.next_serial(), room_id))


def lead(house: House, client: Client, room_id: str, event: int) -> str:
    """Move to an event as the leader; return the code of the refusal, empty if none."""
    return told(house, client, messages.LeadReview(client.next_serial(), room_id, event, -1, False))


def state(client: Client) -> messages.ReviewState:
    return client.session.last(messages.ReviewState)


def leader(client: Client) -> str:
    """Return the name of the leader, as a client was told."""
    now = state(client)
    return next(one.name for one in now.members if one.number == now.leader)


def listed(house: House, client: Client) -> tuple[messages.ReviewLine, ...]:
    """Return the reviews that a client is told of."""
    (reply,) = asked(house, client, messages.ListReviews(client.next_serial()))
    assert isinstance(reply, messages.Reviews)
    return reply.lines


def both(house: House) -> tuple[Client, Client, str]:
    """Return two people in the review of their game; the first one leads."""
    ann, ben = played(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    assert (join(house, ann, room_id), join(house, ben, room_id)) == ("", "")
    return ann, ben, room_id


# Following ---------------------------------------------------------------------------------


def test_whoever_comes_first_leads_and_others_are_told_where_they_are(house: House) -> None:
    ann, ben = played(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    join(house, ann, room_id)
    assert lead(house, ann, room_id, 3) == ""

    join(house, ben, room_id)

    assert (leader(ben), state(ben).event) == ("Ann", 3)
    assert lead(house, ann, room_id, 5) == ""
    assert (state(ben).event, state(ben).seat, state(ben).is_all) == (5, -1, False)


def test_nobody_else_leads(house: House) -> None:
    ann, ben, room_id = both(house)

    assert lead(house, ben, room_id, 4) == "review/not_leader"
    handing = messages.HandReview(ben.next_serial(), room_id, state(ben).me)
    assert told(house, ben, handing) == "review/not_leader"

    assert (leader(ann), state(ann).event) == ("Ann", -1)


def test_the_leader_hands_it_over(house: House) -> None:
    ann, ben, room_id = both(house)

    gone = messages.HandReview(ann.next_serial(), room_id, 99)
    assert told(house, ann, gone) == "review/no_such_member"
    assert told(house, ann, messages.HandReview(ann.next_serial(), room_id, state(ben).me)) == ""

    assert leader(ann) == leader(ben) == "Ben"
    assert lead(house, ben, room_id, 4) == ""
    assert lead(house, ann, room_id, 5) == "review/not_leader"


def test_where_the_leader_leaves_the_next_member_leads(house: House) -> None:
    ann, ben, room_id = both(house)
    lead(house, ann, room_id, 3)

    assert told(house, ann, messages.LeaveReview(ann.next_serial(), room_id)) == ""

    assert (leader(ben), state(ben).event) == ("Ben", 3)
    assert [one.name for one in state(ben).members] == ["Ben"]
    assert listed(house, ann)[0].members == ("Ben",)
    told(house, ben, messages.LeaveReview(ben.next_serial(), room_id))
    assert listed(house, ann) == ()


def test_all_hear_what_is_said_and_see_what_is_pointed_at(house: House) -> None:
    ann, ben, room_id = both(house)

    told(house, ben, messages.TalkInReview(ben.next_serial(), room_id, "there!"))
    told(house, ben, messages.PointInReview(ben.next_serial(), room_id, 2, "space", "attic"))

    assert ann.session.last(messages.ReviewSaid) == messages.ReviewSaid(room_id, "Ben", "there!")
    pointed = messages.ReviewPointed(room_id, "Ben", 2, "space", "attic")
    assert ann.session.last(messages.ReviewPointed) == pointed
    told(house, ann, messages.LeaveReview(ann.next_serial(), room_id))
    ann.session.sent.clear()
    join(house, ann, room_id)
    assert ann.session.last(messages.ReviewSaid).words == "there!"


# Who may join ------------------------------------------------------------------------------


def everything_said(client: Client, room_id: str) -> list[RoomMessage]:
    """Return each message of reviews and notes that can be sent about a room."""
    kinds: list[tuple[type[RoomMessage], tuple[object, ...]]] = [
        (messages.JoinReview, ()),
        (messages.LeaveReview, ()),
        (messages.LeadReview, (1, -1, True)),
        (messages.HandReview, (0,)),
        (messages.PointInReview, (1, "", "")),
        (messages.TalkInReview, ("hello",)),
        (messages.ListGameNotes, ()),
        (messages.NoteGame, (1, "note", False)),
        (messages.UnnoteGame, (0,)),
    ]
    return [kind(client.next_serial(), room_id, *fields) for kind, fields in kinds]


def test_an_outsider_is_told_the_same_as_of_no_room(house: House) -> None:
    """A stranger must not learn that the room exists."""
    ann, _, room_id = both(house)
    told(house, ann, messages.NoteGame(ann.next_serial(), room_id, 1, "mine", False))
    eve = house.client("Eve")
    eve.session.sent.clear()

    of_this = [told(house, eve, one) for one in everything_said(eve, room_id)]
    of_none = [told(house, eve, one) for one in everything_said(eve, NOWHERE)]

    assert of_this == of_none
    assert all(of_this)
    assert listed(house, eve) == ()
    assert {type(one) for one in eve.session.sent} <= {messages.Refusal, messages.Reviews}


def test_nobody_joins_a_game_that_goes_on_or_whose_log_is_kept(house: House) -> None:
    running = seat_all(house, ["Ann"])[0]
    (kept,) = played(house, ["Cid"], Settings(publish=False))

    assert join(house, running, room_id_of(running)) == "table/not_over"
    assert join(house, kept, room_id_of(kept)) == "table/keeps_log"
    noting = messages.NoteGame(kept.next_serial(), room_id_of(kept), 1, "note", False)
    assert told(house, kept, noting) == "table/keeps_log"


def test_nobody_joins_while_a_fixed_setup_is_still_to_be_opened(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house of the setup may still be played at other tables."""
    (ann,) = played(house, ["Ann"])
    monkeypatch.setattr("server.lobby.finished.sharing.may_be_whole", lambda _: False)

    assert join(house, ann, room_id_of(ann)) == "table/keeps_log"


def test_everybody_joins_where_all_seats_agreed_until_one_withdraws(house: House) -> None:
    """Strangers are put out before anything more is sent to them."""
    (ann, ben), room_id = shared(house, ["Ann", "Ben"])
    eve = house.client("Eve")
    assert [join(house, one, room_id) for one in (ann, eve)] == ["", ""]
    assert listed(house, eve)[0].members == ("Ann", "Eve")

    agree(house, ben, room_id, is_agreed=False)
    eve.session.sent.clear()
    lead(house, ann, room_id, 4)

    assert [one.name for one in state(ann).members] == ["Ann"]
    assert eve.session.last(messages.Notice).code == reviews.ENDED
    assert eve.session.all(messages.ReviewState) == []
    assert join(house, eve, room_id) == "table/no_such_table"
    assert (
        told(house, eve, messages.TalkInReview(eve.next_serial(), room_id, "hi")) == "review/none"
    )


def test_its_seats_are_told_that_a_review_began_and_nobody_else(house: House) -> None:
    ann, ben = played(house, ["Ann", "Ben"])
    eve, room_id = house.client("Eve"), room_id_of(ann)

    join(house, ann, room_id)
    join(house, ben, room_id)

    told_of = [n.room_id for n in ben.session.all(messages.Notice) if n.code == reviews.OPEN]
    assert told_of == [room_id]
    assert eve.session.all(messages.Notice) == []
    assert [n for n in ann.session.all(messages.Notice) if n.code == reviews.OPEN] == []


# Coming back -------------------------------------------------------------------------------


def test_whose_connection_is_lost_comes_back_as_the_same_member(house: House) -> None:
    ann, ben, room_id = both(house)
    was = state(ann).me

    ann.disconnect()

    assert leader(ben) == "Ben"
    assert [one.is_here for one in state(ben).members] == [False, True]
    again = house.client("Ann")
    assert join(house, again, room_id) == ""
    assert (state(again).me, leader(again)) == (was, "Ben")


def test_who_stays_away_is_forgotten(house: House) -> None:
    ann, ben, room_id = both(house)
    ann.disconnect()
    ben.disconnect()
    eve = house.client("Eve")
    house.settle(reviews.AWAY_SECONDS + 1)
    played(house, ["Cid"])

    again = house.client("Ben")
    join(house, again, room_id)

    assert [one.name for one in state(again).members] == ["Ben"]
    assert listed(house, eve) == ()


def test_after_a_restart_it_is_opened_anew_and_the_notes_are_there(house: House) -> None:
    """The new opening time shows that this is a different review."""
    ann, _, room_id = both(house)
    told(house, ann, messages.NoteGame(ann.next_serial(), room_id, 1, "mine", False))
    before = state(ann).opened_at

    house.restart_after(60)

    again = house.client("Ann")
    assert listed(house, again) == ()
    assert (
        told(house, again, messages.TalkInReview(again.next_serial(), room_id, "hi"))
        == "review/none"
    )
    assert join(house, again, room_id) == ""
    assert state(again).opened_at > before
    assert [one.text for one in again.session.last(messages.GameNotes).notes] == ["mine"]


# Notes -------------------------------------------------------------------------------------


def test_notes_are_told_to_all_who_may_open_the_game_with_their_author(house: House) -> None:
    (ann, ben), room_id = shared(house, ["Ann", "Ben"])
    eve = house.client("Eve")
    join(house, ben, room_id)

    told(house, ann, messages.NoteGame(ann.next_serial(), room_id, 4, "why?", False))
    told(house, ben, messages.NoteGame(ben.next_serial(), room_id, 2, "mistake", True))
    told(house, eve, messages.ListGameNotes(eve.next_serial(), room_id))

    notes = ben.session.last(messages.GameNotes).notes
    assert [(n.author, n.event, n.text, n.is_tag, n.is_mine) for n in notes] == [
        ("Ben", 2, "mistake", True, True),
        ("Ann", 4, "why?", False, False),
    ]
    assert [n.is_mine for n in eve.session.last(messages.GameNotes).notes] == [False, False]


def test_only_seats_write_and_only_the_author_takes_away(house: House) -> None:
    """Strangers may not write notes, as players could not be protected from such notes."""
    (ann, ben), room_id = shared(house, ["Ann", "Ben"])
    eve = house.client("Eve")
    told(house, ann, messages.NoteGame(ann.next_serial(), room_id, 4, "why?", False))
    number = ann.session.last(messages.GameNotes).notes[0].number

    writing = messages.NoteGame(eve.next_serial(), room_id, 4, "spam", False)
    assert told(house, eve, writing) == "table/no_seat"
    assert told(house, ben, messages.UnnoteGame(ben.next_serial(), room_id, number)) == "notes/none"
    assert told(house, ann, messages.UnnoteGame(ann.next_serial(), room_id, number)) == ""
    assert ann.session.last(messages.GameNotes).notes == ()


def test_notes_have_bounds(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds are notes per key, notes in all, bytes, length of a tag, and events that exist."""
    (ann,) = played(house, ["Ann"])
    room_id = room_id_of(ann)

    def note(text: str = "x", event: int = 1, *, is_tag: bool = False) -> str:
        message = messages.NoteGame(ann.next_serial(), room_id, event, text, is_tag)
        return told(house, ann, message)

    assert note("t" * (messages.MAX_TAG + 1), is_tag=True) == "notes/long_tag"
    assert note(event=100_000) == "table/no_such_record"
    monkeypatch.setattr(game_notes, "MAX_BYTES", 10)
    assert (note("é" * 5), note()) == ("", "notes/full")
    monkeypatch.setattr(game_notes, "MAX_BYTES", 1000)
    monkeypatch.setattr(game_notes, "MAX_BY_ONE", 2)
    assert (note(), note()) == ("", "notes/full")


def test_notes_that_cannot_be_read_are_not_written_over(house: House) -> None:
    (ann,) = played(house, ["Ann"])
    room_id = room_id_of(ann)
    house.store._values[GAME_NOTES, room_id] = b"\xc1"

    writing = messages.NoteGame(ann.next_serial(), room_id, 1, "x", False)
    assert told(house, ann, writing) == "notes/unreadable"
    assert house.store._values[GAME_NOTES, room_id] == b"\xc1"


def test_notes_go_with_the_room(house: House) -> None:
    (ann,) = played(house, ["Ann"])
    room_id = room_id_of(ann)
    told(house, ann, messages.NoteGame(ann.next_serial(), room_id, 1, "x", False))
    assert (GAME_NOTES, room_id) in house.store._values
    ann.disconnect()
    house.settle(400)

    removing = house.lobby.registry.remove(room_id, ())
    with pytest.raises(StopIteration):
        removing.send(None)

    assert (GAME_NOTES, room_id) not in house.store._values


# Bounds ------------------------------------------------------------------------------------


def test_a_review_has_bounds(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds are members, reviews per key, and reviews in all."""
    (ann, ben), room_id = shared(house, ["Ann", "Ben"])
    monkeypatch.setattr(messages, "MAX_MEMBERS", 1)
    assert join(house, ann, room_id) == ""
    assert join(house, ben, room_id) == "review/full"
    monkeypatch.undo()
    monkeypatch.setattr(reviews, "MAX_BY_ONE", 1)
    (_,), other = shared(house, ["Cid"])
    assert join(house, ann, other) == "review/too_many"
    monkeypatch.undo()
    monkeypatch.setattr(reviews, "MAX_REVIEWS", 1)
    assert join(house, ben, other) == "review/too_many"


def test_a_leader_who_hurries_is_slowed_down(house: House) -> None:
    """Each step is sent to every member."""
    ann, _, room_id = both(house)

    for event in range(60):
        ann.send(messages.LeadReview(ann.next_serial(), room_id, event % 9, -1, True))
    house.settle(0.3)

    codes = [one.code for one in ann.session.all(messages.Refusal)]
    assert set(codes) == {"table/too_busy"}
    assert len(codes) >= 20


@pytest.mark.parametrize("words", ["", "a\nb", "\x1b[2J", "x" * 2000, "\u202eevil"])
def test_texts_of_strangers_are_one_line_that_can_be_printed(words: str) -> None:
    """Invalid text ends the connection, as in any other message."""
    with pytest.raises(ValueError, match=r".+"):
        messages.TalkInReview(1, "room", words)
    with pytest.raises(ValueError, match=r".+"):
        messages.NoteGame(1, "room", 1, words, False)
    with pytest.raises(ValueError, match=r".+"):
        messages.PointInReview(1, "room", 1, "x" * (MAX_ID + 1), "")
