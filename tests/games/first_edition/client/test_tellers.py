"""The journal: every kind of event of the game is told, or silent for a reason."""

from collections.abc import Callable

import pytest

from client.games.first_edition.face import FACE
from client.journal import room
from client.journal.journal import all_lines
from client.locale import LANGUAGES, load
from client.locale.speaker import Speaker
from client.tellers.base import Tone
from protocol.common import events
from protocol.common.events import Player
from protocol.describe import events_of
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER
from tests.games.first_edition.client import wild
from tests.games.first_edition.client.kit import (
    ADA,
    ANN,
    BOB,
    KIM,
    REED,
    Night,
    happening,
    house,
    lobby,
    playing,
    view_of,
    words,
)

pytestmark = pytest.mark.issue(40)


def told(
    seat: int | None, language: str = "en", night: Callable[[], Night] = happening
) -> list[tuple[Tone, str]]:
    speaker = Speaker(load(language, game="first_edition"), words(language))
    records = view_of(night(), seat).records
    return [(line.tone, line.text) for line in all_lines(records, speaker)]


def test_every_kind_is_told_or_silent_on_purpose() -> None:
    declared = {*events_of(fe.__name__)}

    assert declared == {*FACE.tellers} | {*FACE.silent}
    assert {*FACE.tellers} & {*FACE.silent} == set()
    assert ({*FACE.tellers} | {*FACE.silent}) & ({*room.TELLERS} | {*room.SILENT}) == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("night", [happening, wild.happening])
@pytest.mark.parametrize("seat", [KIM, ANN, BOB, None])
def test_nothing_lacks_words(seat: int | None, night: Callable[[], Night], language: str) -> None:
    lines = [text for _, text in told(seat, language, night)]

    assert [text for text in lines if "<" in text or "{" in text or not text.strip()] == []


def test_every_kind_happens_here() -> None:
    """Or else the test above checks less than it says."""
    nights = (happening(), wild.happening())
    happened = {type(record.event) for night in nights for record in night.records}

    assert {*FACE.tellers} - happened == set()


@pytest.mark.rule("K-INFO-7")
def test_a_card_face_down_is_told_to_its_recipient_and_to_the_keeper() -> None:
    line = (Tone.PRIVATE, "For your eyes alone: A Whisper. Face down. It opens at a failed test.")

    assert [line in told(seat) for seat in (KIM, ANN, BOB, None)] == [True, True, False, False]


@pytest.mark.rule("K-SECRET-6")
def test_the_objective_is_told_to_the_keeper_until_it_is_revealed() -> None:
    name = "Let the River In"

    first = [next(text for _, text in told(seat) if name in text) for seat in (KIM, ANN, None)]

    assert first[0] == f"For your eyes alone, your objective: {name}"
    assert first[1:] == [f"The objective is revealed: {name}"] * 2


@pytest.mark.rule("K-SECRET-4")
def test_a_trauma_card_shows_its_text_when_it_is_played() -> None:
    lines = told(None)
    at = lines.index((Tone.STEP, "The keeper plays a trauma card on Amos Reed: Sprain (injury)"))

    assert lines[at + 1] == (Tone.CARD, "One step less in each turn.")


@pytest.mark.parametrize("seat", [KIM, ANN, None])
def test_the_text_of_a_room_is_told_when_somebody_first_enters_it(seat: int | None) -> None:
    night = playing()
    texts = {"room/hall": "Nobody has wound the clock.", "room/gallery": "Every eye follows."}
    store = words()
    store.add("en", tuple((room, (("name", room), ("text", texts[room]))) for room in texts))
    speaker = Speaker(load("en", game="first_edition"), store)
    night.emit(
        fe.Moved(ADA, "house/f"),
        fe.Moved(ADA, "house/a"),
        fe.Moved(ADA, "house/f"),
        fe.Moved(REED, "house/f"),
        fe.Moved(REED, "house/e"),
    )

    told = [line.text for line in all_lines(view_of(night, seat).records, speaker)]

    assert [told.count(text) for text in texts.values()] == [1, 1]
    assert told[told.index(texts["room/hall"]) - 1] == "Round 1"
    assert "Ada" in told[told.index(texts["room/gallery"]) - 1]


def test_a_start_that_is_no_space_is_told_without_a_text() -> None:
    night = lobby()
    night.emit(
        events.GameStarted((Player(KIM, KEEPER, ()), Player(ANN, INVESTIGATOR, (ADA,)))),
        fe.BoardLaid((house(),), (), "nowhere/a", 8),
        fe.RoundBegan(1),
    )
    speaker = Speaker(load("en", game="first_edition"), words())

    told = [line.text for line in all_lines(view_of(night, None).records, speaker)]

    assert told[-1] == "Round 1"
