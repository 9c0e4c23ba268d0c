"""Cards gained in play are told with their words and can be read again."""

import pytest

from client.journal.journal import all_lines
from client.locale import load
from client.locale.speaker import Speaker
from client.tellers.base import Tone
from protocol.event import hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Harm, Possession
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import Script, agreeing, asked, playing, words
from tests.games.second_edition.client.stage import OnStage, model_of, play, view_of

ADA, VERA = "investigator/ada", "investigator/vera"
FIREBUG = "You win if the house burns."


def told(script: Script, seat: int | None) -> list[tuple[Tone, str]]:
    """Return the journal of a viewer."""
    speaker = Speaker(load("en"), words("en"))
    return [(line.tone, line.text) for line in all_lines(view_of(script, seat).records, speaker)]


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize(
    ("happened", "text"),
    [
        (se.HarmTaken(ADA, Harm.HORROR, "h1", "horror/dread"), "One die less in tests of will."),
        (
            se.HarmTurnedFaceup(ADA, Harm.HORROR, "h0", "horror/dread"),
            "One die less in tests of will.",
        ),
        (se.BecameWounded(ADA, "condition/wounded"), "One move action each round."),
        (se.ConditionGained(ADA, "condition/dazed", ""), "One die less in tests of lore."),
        (
            se.BecameInsane(VERA, "condition/insane", "i1", hidden("insane/arson")),
            "Read the back. Tell nobody.",
        ),
        (
            se.PossessionGained(ADA, Possession("p9", "item/lantern")),
            "Once per round, reroll one die of observation.",
        ),
    ],
)
def test_a_card_is_told_with_its_words(
    seat: int | None, happened: se.SecondEditionEvent, text: str
) -> None:
    script = playing()
    before = len(told(script, seat))
    script.emit(happened)

    tones = [tone for tone, _ in told(script, seat)[before:]]
    assert tones[0] in {Tone.ACTION, Tone.GAIN}
    assert tones[1] is Tone.CARD
    assert told(script, seat)[before + 1] == (Tone.CARD, text)


@pytest.mark.rule("SECRET-2")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_facedown_card_has_no_words(seat: int | None) -> None:
    script = playing()
    script.emit(se.HarmTaken(ADA, Harm.HORROR, "h1", None))

    assert told(script, seat)[-1] == (Tone.ACTION, "Ada Lorne suffers 1 facedown Horror.")


@pytest.mark.rule("SECRET-6")
def test_only_the_owner_is_told_the_back_of_an_insane_card() -> None:
    script = playing()
    script.emit(se.BecameInsane(VERA, "condition/insane", "i1", hidden("insane/arson")))

    assert any(FIREBUG in text for _, text in told(script, 1)[-1:])
    assert not any(FIREBUG in text for _, text in told(script, 0)[-2:])


def test_a_card_opens_in_a_box_below_who_has_it() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        script.emit(se.HarmTaken(VERA, Harm.HORROR, "h1", "horror/dread"))
        await stage.arrive(script)
        assert "┌ A card ─" in stage.text
        below = stage.text.partition("┌ A card ─")[2]
        lines = below.split("\n")
        assert "   Vera Sand suffers 1 faceup Horror: Dread  " in lines[2]
        assert "   One die less in tests of will.  " in lines[4]

    play(model_of(script), look, rows=40, columns=120)


def test_a_facedown_card_opens_no_box() -> None:
    script = asked()

    async def look(stage: OnStage) -> None:
        script.emit(se.HarmTaken(VERA, Harm.HORROR, "h1", None))
        await stage.arrive(script)
        assert "┌ A card" not in stage.text

    play(model_of(script), look, rows=40, columns=120)


def test_cards_are_no_part_of_the_story_so_far() -> None:
    """The book repeats the story without cards; those are in the journal and the inventory."""

    async def look(stage: OnStage) -> None:
        await stage.press("t")
        assert "Sprain" not in stage.text.partition("┌ ")[2].partition("└")[0]

    play(model_of(playing()), look, rows=40, columns=120)


@pytest.mark.parametrize("is_asked", [True, False])
@pytest.mark.parametrize(
    ("piece", "text"),
    [
        ("WOUNDED", "One move action each round."),
        ("Sprain", "Move one space less."),
        ("Vera Sand (Bob)", "Prints the news nobody else dares to."),
    ],
)
def test_a_click_on_a_card_opens_its_words(piece: str, text: str, *, is_asked: bool) -> None:

    async def click(stage: OnStage) -> None:
        await stage.click(piece)
        assert "┌ Inventory" in stage.text
        assert text in stage.text

    script = asked() if is_asked else playing()
    assert play(model_of(script), click, rows=60, columns=200).port.said == []


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (60, 200)])
def test_a_card_in_question_stands_with_its_words_beside_the_question(
    rows: int, columns: int
) -> None:
    """Players vote on who takes a card, and have to know what the card does."""

    async def look(stage: OnStage) -> None:
        asking = stage.text.partition("Your vote")[2]
        read = " ".join(line.partition("│")[0].strip() for line in asking.split("\n"))
        assert "Who takes the Lantern? Once per round, reroll one die of observation." in read

    play(model_of(agreeing()), look, rows=rows, columns=columns)


def test_plain_mode_reads_out_a_card_in_question() -> None:
    lines = Console(agreeing()).printed

    assert "Lantern: Once per round, reroll one die of observation." in lines
