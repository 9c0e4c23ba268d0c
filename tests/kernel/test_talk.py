"""Talk at the table: open, unless the rules have closed it."""

from protocol.common import events as on
from protocol.event import Event, everything, hidden, read
from tests.kit.tables.playing import Policy, Recording, begin, opened, play, refused, seated
from tests.kit.tables.toy_table import Content

HUSHED = Content(rounds=1, is_hushed=True)


def said() -> on.Chatted:
    """Return a line of talk."""
    return on.Chatted(0, hidden(b"hello"))


def test_talk_is_refused_while_the_rules_have_closed_it() -> None:
    """The toy closes talk by day."""
    recording = begin(3, HUSHED)

    assert not recording.table.is_chat_open
    assert refused(recording, said()) == "chat/closed"


def test_talk_is_open_before_and_after_a_game_that_forbids_it() -> None:
    recording = seated(opened(Recording()), 3)
    recording.give(said(), 0)

    over = play(Recording(begin(3, HUSHED).shelf), Policy(1, noise=0))
    assert any(isinstance(event, on.ChatSet) for event in events(over))
    over.give(said(), 0)


def test_talk_that_is_so_already_is_not_set_again() -> None:
    assert not any(isinstance(event, on.ChatSet) for event in events(begin(3)))

    changes = [
        event.is_open
        for event in events(play(Recording(begin(3, HUSHED).shelf), Policy(1, noise=0)))
        if isinstance(event, on.ChatSet)
    ]
    assert changes == [False, True]


def test_going_back_makes_talk_what_it_was() -> None:
    recording = begin(1, HUSHED)
    start = min(recording.table.checkpoints)
    assert recording.table.checkpoints[start].is_chat_open

    recording.propose_back(0, start)

    assert recording.table.is_chat_open
    recording.give(said(), 0)


def events(recording: Recording) -> list[Event]:
    """Return all events of a game."""
    room_id = recording.room.room_id
    return [read(room_id, everything(stored)).event for stored in recording.log]
