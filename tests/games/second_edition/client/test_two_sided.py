"""Spells and two-sided Items on the screen, in the journal and in plain mode."""

import pytest

from client.journal.journal import all_lines
from client.locale import load
from client.locale.speaker import Speaker
from client.tellers.base import Tone
from protocol.common import events
from protocol.common.chance import Stream
from protocol.event import hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Possession
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import Script, playing, words
from tests.games.second_edition.client.stage import view_of

ADA, VERA = "investigator/ada", "investigator/vera"
LANTERN, LIT = "item/lantern", "back/lantern-lit"
PILE, COPY = "deck/spell/ward", "ward-copy"


def dealt() -> Script:
    """Return a game in which Ada has a Spell, and Vera a Lantern with a back."""
    script = playing()
    script.emit(
        events.Shuffled(
            Stream.SETUP,
            0,
            f"shuffle {PILE}",
            pile=PILE,
            handles=(COPY,),
            knowers=(),
            order=hidden(("back/ward-price",)),
        ),
        se.SupplyLaidOut({LANTERN: 2, "spell/ward": 1}),
        se.BacksLaidOut({LANTERN: LIT}),
        se.PossessionGained(ADA, Possession("p9", "spell/ward", COPY)),
    )
    return script


def told(script: Script, seat: int | None = 1) -> list[tuple[Tone, str]]:
    """Return the journal of a viewer."""
    speaker = Speaker(load("en"), words("en"))
    return [(line.tone, line.text) for line in all_lines(view_of(script, seat).records, speaker)]


def cards(script: Script, seat: int | None) -> list[str]:
    """Return the cards listed for a viewer in plain mode."""
    return [line.strip() for line in Console(script, seat=seat).type("cards")]


@pytest.mark.rule("TWOSIDED-2", "SECRET-9")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_both_sides_of_an_item_can_be_read_by_anybody(seat: int | None) -> None:
    lines = cards(dealt(), seat)

    at = lines.index("Lantern")
    assert lines[at + 3 : at + 5] == [
        "On its back: Lit Lantern",
        "A light that can be seen from the dyke.",
    ]


@pytest.mark.rule("SECRET-3")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_back_of_a_spell_is_shown_to_nobody(seat: int | None) -> None:
    lines = [*cards(dealt(), seat), *(text for _, text in told(dealt(), seat))]

    assert "Nobody knows its back before it is flipped." in lines
    assert not [line for line in lines if "Price" in line or "Suffer" in line]


@pytest.mark.rule("DECIDE-126")
def test_a_flipped_spell_is_told_and_shown_to_all() -> None:
    script = dealt()
    script.emit(se.PossessionFlipped(ADA, "p9", COPY, "back/ward-price"))

    assert told(script)[-2:] == [
        (Tone.ACTION, "Ada Lorne flips Chalk Ward: The Price"),
        (Tone.CARD, "Suffer 1 Horror."),
    ]
    assert "The Price" in cards(script, 1)

    script.emit(se.PossessionDropped(ADA, "p9", "hall/a"))
    lines = cards(script, 1)
    assert lines[lines.index("Lying about") + 1 :][:5] == [
        "The Price",
        "Hall (1)",
        "Suffer 1 Horror.",
        "On its front: Chalk Ward",
        "Action: flip this card.",
    ]


@pytest.mark.rule("TWOSIDED-3")
def test_what_is_flipped_back_goes_by_its_front_again() -> None:
    script = dealt()
    script.emit(
        se.PossessionFlipped(ADA, "p9", COPY, "back/ward-price"),
        se.PossessionFlipped(ADA, "p9", COPY, None),
        se.PossessionGiven(ADA, VERA, "p9"),
    )

    assert [text for _, text in told(script)[-2:]] == [
        "Ada Lorne turns The Price to its front.",
        "Ada Lorne gives Chalk Ward to Vera Sand.",
    ]


# Conditions ------------------------------------------------------------------------------------

HEXED = "condition/hexed"


def hexed() -> Script:
    """Return a game in which Ada has a two-sided Condition."""
    script = playing()
    pile = f"deck/{HEXED}"
    script.emit(
        events.Shuffled(
            Stream.SETUP,
            0,
            f"shuffle {pile}",
            pile=pile,
            handles=("hex-copy",),
            knowers=(),
            order=hidden(("back/ward-price",)),
        ),
        se.SupplyLaidOut({HEXED: 1}),
        se.ConditionGained(ADA, HEXED, "hex-copy"),
    )
    return script


@pytest.mark.rule("SECRET-5")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_back_of_a_condition_is_shown_to_nobody(seat: int | None) -> None:
    lines = [*cards(hexed(), seat), *(text for _, text in told(hexed(), seat))]

    assert "Nobody knows its back before it is flipped." in lines
    assert not [line for line in lines if "Price" in line or "Suffer" in line]


@pytest.mark.rule("DECIDE-126")
def test_a_flipped_condition_is_told_and_shown_to_all() -> None:
    script = hexed()
    script.emit(se.ConditionFlipped(ADA, HEXED, "hex-copy", "back/ward-price"))

    (action, story) = told(script)[-2:]
    assert action[0] is Tone.ACTION
    assert action[1].startswith("Ada Lorne flips ")
    assert action[1].endswith(": The Price")
    assert story == (Tone.CARD, "Suffer 1 Horror.")
    lines = cards(script, 1)
    at = lines.index("The Price")
    assert "Suffer 1 Horror." in lines[at:]
    assert any(line.startswith("On its front: ") for line in lines[at:])


@pytest.mark.rule("TWOSIDED-3")
def test_a_condition_that_is_flipped_back_goes_by_its_front_again() -> None:
    script = hexed()
    script.emit(
        se.ConditionFlipped(ADA, HEXED, "hex-copy", "back/ward-price"),
        se.ConditionFlipped(ADA, HEXED, "hex-copy", None),
    )

    assert told(script)[-1] == (Tone.ACTION, "Ada Lorne turns The Price to its front.")
    assert "The Price" not in cards(script, 1)


def test_a_condition_that_nobody_has_is_told_as_it_is_named() -> None:
    """No rule flips a Condition that nobody has, but a hostile server may send such a record."""
    script = hexed()
    script.emit(se.ConditionFlipped(ADA, HEXED, "other-copy", "back/ward-price"))

    (action, _story) = told(script)[-2:]
    assert action[1].endswith(": The Price")
