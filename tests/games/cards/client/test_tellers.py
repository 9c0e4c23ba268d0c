"""The journal: every kind of event of the card game is told, or silent for a reason."""

import itertools
import re

import pytest

from client.games.cards.face import FACE
from client.journal import room
from client.journal.journal import all_lines
from client.locale import LANGUAGES, load
from client.locale.speaker import Speaker
from client.model.tables import TableView
from client.tellers.base import Tone
from protocol.common.text import Text
from protocol.describe import events_of
from protocol.event import hidden
from protocol.games.cards import events as c
from protocol.games.cards.table import ENCOUNTER
from protocol.games.cards.words import RULESET
from tests.games.cards.client.kit import lines_of, room_of, speaker_of, view_of
from tests.games.cards.client.stage import ADA, ANN, BOB, ROOM, Evening, begun, words

pytestmark = pytest.mark.issue(42)
SEEDS = range(3)


def test_every_kind_is_told_or_silent_on_purpose() -> None:
    declared = {*events_of(c.__name__)}

    assert declared == {*FACE.tellers} | {*FACE.silent}
    assert {*FACE.tellers} & {*FACE.silent} == set()
    assert ({*FACE.tellers} | {*FACE.silent}) & ({*room.TELLERS} | {*room.SILENT}) == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seat", [0, None])
def test_nothing_lacks_words(seat: int | None, language: str) -> None:
    lines = [line.text for seed in SEEDS for line in lines_of(room_of(seed), seat, language)]

    assert len(lines) > 300
    assert [text for text in lines if "<" in text or "{" in text or not text.strip()] == []


@pytest.mark.rule("C-SECRET-27")
def test_a_drawn_card_is_named_to_its_owner_alone() -> None:
    """The others read how many cards were drawn."""
    drew = {
        seat: [line.text for line in lines_of(room_of(1), seat) if "draws" in line.text]
        for seat in (0, 1, None)
    }
    owners = {
        record.event.investigator
        for record in view_of(room_of(1), None).records
        if isinstance(record.event, c.Drew)
    }

    assert len(owners) == 2
    told = [
        {text.split(" draws: ")[0] for text in drew[seat] if " draws: " in text} for seat in drew
    ]
    assert [len(names) for names in told] == [1, 1, 0]
    assert told[0] != told[1]
    assert any(" draws 1 card." in text for text in drew[0])


def test_own_draws_open_no_box() -> None:
    """A box for each card drawn would stop every round."""
    private = [line.text for line in lines_of(room_of(1), 0) if line.tone is Tone.PRIVATE]

    assert not any(" draws" in text for text in private)


def test_a_drawn_encounter_card_is_a_page_that_waits_to_be_read() -> None:
    """Otherwise a mythos phase in which nothing is asked is never seen on a small screen."""
    lines = lines_of(room_of(1), 0)
    drawn = [at for at, line in enumerate(lines) if " draws an encounter card: " in line.text]

    assert drawn
    assert {lines[at + 1].tone for at in drawn} == {Tone.CARD}


def test_the_next_act_or_agenda_is_a_page_that_waits_to_be_read() -> None:
    lines = [line for seed in SEEDS for line in lines_of(room_of(seed), 0)]
    laid = [at for at, line in enumerate(lines) if re.match(r"The (act|agenda): ", line.text)]
    later = [at for at in laid if lines[at].round_number]

    assert later
    assert {lines[at + 1].tone for at in later} == {Tone.CARD}


def test_a_committed_card_is_told_by_its_name_alone() -> None:
    lines = [line.text for seed in SEEDS for line in lines_of(room_of(seed), 0)]
    committed = [text for text in lines if " commits: " in text]

    assert committed
    assert [text for text in committed if "(" in text] == []


def test_a_hidden_encounter_card_is_a_page_for_its_drawer_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Evening, "seats_of", lambda _, knower: (ANN,) if knower == ADA else ())
    evening = begun()
    evening.shuffle(ENCOUNTER, ("card/eel",))
    handles = evening.game.piles[ENCOUNTER]
    evening.emit(c.Drew(ADA, ENCOUNTER, handles, hidden(("card/eel",))))
    told = {}
    for seat in (ANN, BOB):
        view = TableView(ROOM, seat)
        view.receive(evening.cuts(seat))
        speaker = Speaker(load("en", game=RULESET), words("en"))
        told[seat] = [(line.tone, line.text) for line in all_lines(view.records, speaker)][-9:]

    assert any("draws an encounter card: " in text for _, text in told[ANN])
    assert Tone.CARD in {tone for tone, _ in told[ANN]}
    assert Tone.CARD not in {tone for tone, _ in told[BOB]}


def test_a_line_says_what_was_put_on_each_card_and_taken_off() -> None:
    lines = [line.text for seed in SEEDS for line in lines_of(room_of(seed), 0)]
    found = [at for at, text in enumerate(lines) if text.endswith("\N{MINUS SIGN} 1 clue")]

    assert any(lines[at + 1].endswith(": + 1 clue") for at in found)


def test_the_end_is_told_with_the_text_of_its_resolution() -> None:
    lines = [(line.tone, line.text) for line in lines_of(room_of(1), 0)]
    at = lines.index((Tone.STEP, "You have lost."))

    assert lines[at - 1] == (Tone.STORY, speaker_of("en").text(Text("resolution/none")))


def test_a_symbol_that_is_revealed_in_a_test_says_what_it_does() -> None:
    lines = [line.text for seed in SEEDS for line in lines_of(room_of(seed), 0)]
    revealed = [
        (symbol, after)
        for line, after in itertools.pairwise(lines)
        for symbol in ("Moth", "Key", "Eye", "Hook")
        if line == f"From the chaos bag: {symbol}"
    ]

    assert {symbol for symbol, _ in revealed} >= {"Moth", "Key"}
    assert [after for symbol, after in revealed if not after.startswith(f"{symbol}: ")] == []


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Half Tide takes effect (Ada Lorne)"), ("fr", "Mi-marée prend effet (Ada Lorne)")],
)
def test_what_nobody_chose_is_not_said_to_be_used(language: str, said: str) -> None:
    evening = begun()
    piece = evening.piece("card/agenda")
    evening.emit(c.Used(ADA, piece, "card/agenda", 0, is_forced=True))
    view = TableView(ROOM, ANN)
    view.receive(evening.cuts(ANN))
    speaker = Speaker(load(language, game=RULESET), words(language))

    assert [line.text for line in all_lines(view.records, speaker)][-1] == said
