"""What seats have before the start: preparations, and what a campaign left to them."""

import pytest

from protocol.bounds import MAX_REASONS
from protocol.common import events
from protocol.common.asks import Reason
from protocol.common.padded import MAX_CONTENT, PADDED_BYTES, Padded
from protocol.common.table import Legacy, RoomTable, Stage, Table, fold
from protocol.common.text import Text
from protocol.errors import SealedError
from protocol.event import Event, hidden, read
from server.kernel.errors import Refused
from tests.kernel.twins import blank
from tests.kit.tables.playing import (
    Policy,
    Recording,
    Shelf,
    cuts_for,
    opened,
    play,
    ready,
    refused,
    seated,
    started,
    viewers,
)
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy import CAMPAIGN, ToyRules
from tests.kit.tables.toy_table import WEATHERS, Content, ToyTable

WISHES = Content(rounds=1, has_wishes=True)
NO_WEATHER = Reason(Text("toy/no_weather", (", ".join(WEATHERS),)), "TOY-15")
LEGACY = Legacy(CAMPAIGN, (41).to_bytes(4))


def wish(seat: int, words: str) -> events.Prepared:
    return events.Prepared(seat, hidden(Padded.of(words.encode())))


def brought(seat: int, words: str) -> events.BroughtAlong:
    """Return the event of a seat that brings these words along."""
    return events.BroughtAlong(seat, hidden(Padded.of(words.encode())))


def continued() -> events.CampaignContinued:
    """Return the event of a host who continues a campaign."""
    return events.CampaignContinued("toy/plain", b"\1" * 32, LEGACY)


def lobby(content: Content = WISHES) -> Recording:
    """Return three seats at a table that has not begun."""
    return seated(opened(Recording(Shelf(content))), 3)


def wished(*words: str) -> Recording:
    """Return three seats before the start, each with a prepared wish."""
    recording = lobby()
    for seat, word in enumerate(words):
        recording.give(wish(seat, word), seat)
    return recording


def dreams(recording: Recording) -> dict[int, str]:
    """Return each seat's dream, by seat."""
    assert isinstance(recording.table.game, ToyTable)
    return {seat: dream.value for seat, dream in recording.table.game.dreams.items()}


# Padding -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content", [b"", b"a deck", b"\0", b"\x80", b"\0\x80\0", b"x" * MAX_CONTENT]
)
def test_padded_bytes_have_one_length_and_give_their_content_back(content: bytes) -> None:
    padded = Padded.of(content)

    assert len(padded.data) == PADDED_BYTES
    assert padded.content == content


def test_what_does_not_fit_is_not_padded() -> None:
    with pytest.raises(ValueError, match="4096 bytes; 4095 are the most"):
        Padded.of(b"x" * (MAX_CONTENT + 1))


@pytest.mark.parametrize("data", [bytes(PADDED_BYTES - 1), bytes(PADDED_BYTES + 1), b"\x80", b""])
def test_padded_bytes_of_another_length_are_refused(data: bytes) -> None:
    """Another length would reveal something about the content."""
    with pytest.raises(ValueError, match="Length"):
        Padded(data)


@pytest.mark.parametrize(
    ("data", "content"),
    [(bytes(PADDED_BYTES), b""), (b"x" * PADDED_BYTES, b"x" * PADDED_BYTES)],
)
def test_padded_bytes_without_a_mark_have_content_too(data: bytes, content: bytes) -> None:
    """A foreign client may omit the mark; all readers of the log must decode the same content."""
    assert Padded(data).content == content


# What is prepared --------------------------------------------------------------------------


def test_the_rules_are_given_what_a_seat_prepared() -> None:
    recording = play(ready(wished("fog", "rain", "sun")), Policy(3, noise=0))

    assert [dream.rpartition("+")[2] for dream in dreams(recording).values()] == [
        "fog",
        "rain",
        "sun",
    ]


def test_what_the_rules_refuse_is_refused_with_their_reason() -> None:
    recording = lobby()

    assert refused(recording, wish(1, "snow"), 1) == "prepared/unfit"
    with pytest.raises(Refused) as caught:
        recording.room.receive(wish(1, "snow"), time=recording.time, origin=1)
    assert caught.value.reasons == (NO_WEATHER,)


@pytest.mark.issue(39)
def test_what_the_rules_refuse_is_refused_with_all_reasons() -> None:
    """Each reason has its rule. A seat that has prepared nothing has only the first fault."""
    recording = lobby()

    def reasons(said: Event) -> tuple[Reason, ...]:
        with pytest.raises(Refused) as caught:
            recording.room.receive(recording.signed(said), time=recording.time, origin=1)
        return caught.value.reasons

    long = Reason(Text("toy/long_wish", (4, 5)), "TOY-16")
    assert reasons(wish(1, "storm")) == (NO_WEATHER, long)
    assert reasons(events.ReadySet(1, is_ready=True)) == (NO_WEATHER,)


@pytest.mark.issue(39)
def test_no_refusal_has_too_many_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand of cards may break many rules at once, and a message has its bounds."""
    recording = lobby()
    many = tuple(Reason(Text("toy/about"), f"TOY-{n}") for n in range(MAX_REASONS + 1))
    monkeypatch.setattr(ToyRules, "prepared_fault", lambda *_: many)

    with pytest.raises(Refused) as caught:
        recording.room.receive(wish(1, "snow"), time=recording.time, origin=1)

    assert caught.value.reasons == many[:MAX_REASONS]


def test_nothing_can_be_prepared_for_a_game_without_preparations() -> None:
    recording = lobby(Content())

    assert refused(recording, wish(1, "fog"), 1) == "prepared/unfit"
    ready(recording)


def test_nobody_is_ready_without_what_they_have_to_prepare() -> None:
    recording = lobby()

    assert refused(recording, events.ReadySet(0, is_ready=True)) == "prepared/unfit"
    recording.give(events.ReadySet(0, is_ready=False), 0)
    recording.give(wish(0, "fog"), 0)
    recording.give(events.ReadySet(0, is_ready=True), 0)


def test_preparing_again_replaces_it_and_takes_ready_back() -> None:
    recording = ready(wished("fog", "rain", "sun"))
    recording.give(wish(1, "hail"), 1)

    seat = recording.table.room.seats[1]
    assert not seat.is_ready
    assert seat.prepared is not None
    assert seat.prepared.value.content == b"hail"
    assert recording.table.room.seats[0].is_ready


def test_nothing_is_prepared_once_the_start_has_begun() -> None:
    recording = ready(wished("fog", "rain", "sun"))

    assert refused(recording, wish(4, "fog"), 4) == "table/no_such_seat"
    recording.give(events.StartRequested(0), 0)
    assert refused(recording, wish(1, "fog"), 1) == "table/already_started"


def test_who_sits_down_after_somebody_has_nothing_of_theirs() -> None:
    recording = wished("fog", "rain", "sun")
    recording.give(continued(), 0)
    recording.give(brought(2, "an old dream"), 2)
    recording.give(events.SeatLeft(2), 2)
    recording.give(events.SeatTaken(2, "Zoe", b"z" * 32, is_bot=False), 2)

    seat = recording.table.room.seats[2]
    assert seat.prepared is None
    assert seat.brought is None


def test_another_wish_of_another_length_changes_nothing_that_others_are_sent() -> None:
    games = [
        play(ready(wished("fog", words, "sun")), Policy(3, noise=0)) for words in ("fog", "hail")
    ]
    first, second = games

    assert dreams(first) != dreams(second)
    for viewer in (0, 2, None):
        assert sent_to(first, viewer) == sent_to(second, viewer)
    assert sent_to(first, 1) != sent_to(second, 1)


def sent_to(recording: Recording, viewer: int | None) -> list[tuple[bytes, list[bytes]]]:
    """Return what a viewer was sent by the end, without commitments and salts."""
    return [
        (blank(shown.public), [opening.value for _, opening in shown.openings])
        for shown in cuts_for(recording, viewer)
    ]


def test_a_wish_takes_as_many_bytes_as_any_other() -> None:
    sizes = {
        len(stored.public) + len(stored.openings)
        for words in WEATHERS
        for stored in wished("fog", words).log[-1:]
    }

    assert len(sizes) == 1


# Campaigns ---------------------------------------------------------------------------------


def test_the_rules_begin_with_what_the_last_game_left_to_all_and_to_each() -> None:
    recording = lobby(Content(rounds=1))
    recording.give(continued(), 0)
    recording.give(brought(1, "an old dream"), 1)
    play(ready(recording), Policy(3, noise=0))

    game = recording.game
    assert game.legacy is not None
    points = sum(person.points for person in game.people.values())
    assert int.from_bytes(game.legacy.shared) == 41 + points
    assert dreams(recording)[1].endswith("+an old dream")
    assert not dreams(recording)[0].endswith("+an old dream")
    assert {seat: left.value.content.decode() for seat, left in game.own.items()} == dreams(
        recording
    )


def test_nobody_brings_anything_along_from_no_campaign() -> None:
    recording = lobby(Content())
    assert refused(recording, brought(1, "x"), 1) == "table/no_campaign"

    recording.give(continued(), 0)
    recording.give(brought(1, "x"), 1)
    recording.give(events.ScenarioChosen("toy/plain", b"\1" * 32), 0)

    assert recording.table.room.seats[1].brought is None
    assert recording.table.room.legacy is None


def test_each_seat_alone_reads_what_it_has() -> None:
    recording = wished("fog", "rain", "sun")
    recording.give(continued(), 0)
    recording.give(brought(1, "an old dream"), 1)

    for viewer in viewers(recording):
        seat = seen_by(recording, viewer).seats[1]
        for sealed in (seat.prepared, seat.brought):
            assert sealed is not None
            assert sealed.is_open is (viewer == 1)
    recording.restart()
    assert recording.table.room.seats[1].prepared is not None
    started(ready(recording))
    again = resume(
        recording.room.room_id, recording.log, recording.shelf, recording.entropy, from_start=True
    )
    assert again.table == recording.table
    assert again.table.room.stage is Stage.PLAYING


def seen_by(recording: Recording, viewer: int | None) -> RoomTable:
    """Return the room as folded from what a viewer was sent."""
    table = Table()
    for shown in cuts_for(recording, viewer):
        table = fold(table, read(recording.room.room_id, shown))
    return table.room


def test_a_table_in_print_tells_nothing_of_it() -> None:
    """Printed tables and errors end up in logs, so they must not show a seat's preparation."""
    recording = wished("fog", "rain", "sun")

    assert "rain" not in repr(recording.table)
    assert "rain" not in repr(Padded.of(b"rain"))
    with pytest.raises(SealedError):
        assert seen_by(recording, None).seats[1].prepared.value  # type: ignore[union-attr]
