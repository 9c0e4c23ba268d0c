"""Inventory and monster drawer: they show everything a player may read and nothing else."""

import pytest

from client.games.second_edition.boxes.inventory import inventory
from client.settings.appearance import Wishes
from client.settings.preferences import Preferences
from client.widgets.paragraphs import Row
from protocol.common.text import Text
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Possession
from tests.games.second_edition.client.scripted import Script, asked, changing, lobby, playing
from tests.games.second_edition.client.stage import (
    SIZES,
    OnStage,
    model_of,
    play,
    same_screen,
)
from tests.games.second_edition.client.test_app_menus import scene_of, shown
from tests.games.second_edition.client.test_tables import _disclosure as disclosure
from tests.games.second_edition.client.test_two_sided import dealt
from tests.kit.every_run import screens

rule = pytest.mark.rule
ADA, VERA = "investigator/ada", "investigator/vera"
PRICE, FIREBUG = "Suffer 1 Horror.", "You win if the house burns."


def rows_of(script: Script, seat: int | None = 0) -> list[Row]:
    """Return the inventory of a viewer."""
    return inventory(scene_of(script, seat))


def texts_of(row: Row, side: int = 0) -> list[str]:
    return [text for _, text in row.sides[side]]


def found(script: Script, name: str, seat: int | None = 0) -> Row:
    return next(row for row in rows_of(script, seat) if row.text == name)


# What there is -----------------------------------------------------------------------------


@rule("APP-5")
def test_cards_are_listed_by_owner_one_s_own_first() -> None:
    script = asked()
    script.emit(se.PossessionDropped(VERA, "p1", "hall/b"))

    mine = [(row.indent, row.text) for row in rows_of(script, 0)]
    theirs = [row.text for row in rows_of(script, 1)]

    assert mine == [
        (0, "Ada Lorne"),
        (2, "# Insane"),
        (0, "Faceup Damage and Horror: Ada Lorne"),
        (2, "Sprain"),
        (0, "Amos Reed"),
        (0, "Vera Sand"),
        (2, "Wounded"),
        (0, "Lying about"),
        (2, "Lantern"),
    ]
    assert theirs[:3] == ["Vera Sand", "Wounded", "Ada Lorne"]


def test_a_card_says_what_it_is_and_whose() -> None:
    assert texts_of(found(asked(), "Lantern"))[:4] == [
        "Lantern",
        "Item, Vera Sand",
        "",
        "Once per round, reroll one die of observation.",
    ]
    assert texts_of(found(asked(), "Sprain"))[1] == "Faceup Damage, Ada Lorne"


def test_a_card_that_was_used_says_so() -> None:
    script = asked()
    script.emit(se.PowerUsed(VERA, "item/lantern"))

    assert "Used this round." in texts_of(found(script, "Lantern"))


def test_an_investigator_has_skills_harm_and_what_lies_facedown() -> None:
    texts = texts_of(found(asked(), "Ada Lorne"))

    assert texts[0] == "Ada Lorne"
    assert "Played by Ann" in texts
    assert "strength 3, agility 3, observation 3, lore 3, influence 3, will 3" in texts
    assert "Damage 1 of 7, Horror 1 of 6, 0 Clues" in texts
    assert "Facedown Horror: 1" in texts
    assert "A diver who came home with a limp." in texts


def test_what_can_be_done_with_a_card_stands_with_it() -> None:
    texts = texts_of(found(changing(), "Lantern"))

    assert texts[-2:] == ["You can now:", "  3 Reroll one die: Lantern"]


def test_a_card_in_question_comes_first() -> None:
    script = playing()
    script.ask({}, about=Text("ask/items", ("item/lantern",)))

    assert [row.text for row in rows_of(script)[:2]] == ["In question", "Lantern"]
    assert rows_of(script)[0].is_head


def test_before_the_game_there_is_nothing() -> None:
    assert rows_of(lobby()) == []


# Both sides --------------------------------------------------------------------------------


@rule("TWOSIDED-2", "SECRET-9")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_two_sided_item_is_turned_over(seat: int | None) -> None:
    row = found(dealt(), "Lantern", seat)

    assert "On its back: Lit Lantern" in texts_of(row)
    assert texts_of(row, 1)[:2] == ["Lit Lantern", "The other side of: Lantern"]
    assert "A light that can be seen from the dyke." in texts_of(row, 1)


@rule("SECRET-3")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_back_of_a_spell_is_said_to_be_unknown(seat: int | None) -> None:
    row = found(dealt(), "Chalk Ward", seat)

    assert texts_of(row, 1)[-1] == "Nobody knows its back before it is flipped."
    assert PRICE not in "".join(text for side in row.sides for _, text in side)


def test_what_was_flipped_has_its_front_below() -> None:
    script = dealt()
    script.emit(se.PossessionFlipped(ADA, "p9", "ward-copy", "back/ward-price"))

    row = found(script, "The Price", 1)

    assert PRICE in texts_of(row)
    assert texts_of(row, 1)[:2] == ["Chalk Ward", "The other side of: The Price"]


@rule("SECRET-6")
def test_a_secret_back_is_its_owner_s_alone_and_marked_so() -> None:
    mine = found(asked(), "# Insane", 0)
    assert "# On its back, for your eyes alone: Firebug" in texts_of(mine)
    assert texts_of(mine, 1)[:2] == ["Firebug", "# For your eyes alone"]
    assert FIREBUG in texts_of(mine, 1)

    for seat in (1, None):
        theirs = found(asked(), "Insane", seat)
        assert texts_of(theirs, 1)[-1] == "Its back is known to its owner alone."
        everything = [t for row in rows_of(asked(), seat) for side in row.sides for _, t in side]
        assert not [text for text in everything if "Firebug" in text or FIREBUG in text]


def test_a_back_that_was_shown_to_all_is_nobody_s_alone() -> None:
    script = playing()
    script.emit(se.BackShown(ADA, disclosure(script), "insane/arson"))

    for seat in (0, 1):
        row = found(script, "Insane", seat)
        assert "On its back: Firebug" in texts_of(row)


# On the screen -----------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["left", "right"])
def test_a_key_turns_a_card_over_and_back(key: str) -> None:
    keys = ("i", "down")

    assert FIREBUG not in _box(shown(asked(), *keys))
    assert FIREBUG in _box(shown(asked(), *keys, key))
    assert FIREBUG not in _box(shown(asked(), *keys, key, key))
    assert "! It has no other side." in shown(asked(), *keys, "down", key)


def _box(text: str) -> str:
    """Return the text in the box to the right of the list."""
    rows = text.split("┌ Inventory")[1].split("└──", maxsplit=1)[0].split("\n")
    return "\n".join(row.split("│")[-2] for row in rows if row.count("│") > 2)


def test_where_it_is_narrow_a_card_opens_over_the_list() -> None:
    keys = ("i", "down", "enter")
    text = shown(asked(), *keys, columns=80)
    assert "Read the back. Tell nobody." in text
    for back in ("enter", "escape"):
        assert ">   # Insane" not in text
        assert ">   # Insane" in shown(asked(), *keys, back, columns=80)
    assert "Inventory" not in shown(asked(), *keys, "escape", "escape", columns=80)


def test_the_cursor_stays_on_its_card() -> None:
    """If its card is gone, the cursor moves to a neighbour."""
    script = asked()

    async def look(stage: OnStage) -> None:
        await stage.press("i", "up")
        assert ">   Wounded" in stage.text
        await stage.press("up")
        assert ">   Lantern" in stage.text
        script.emit(se.PossessionGained(ADA, Possession("p7", "item/lantern")))
        await stage.arrive(script)
        assert stage.text.count("Lantern") > 2
        assert "Item, Vera Sand" in stage.text
        script.emit(se.PossessionDiscarded(VERA, "p1"))
        await stage.arrive(script)
        assert ">   Wounded" in stage.text

    # A new card is a page of story, before which the list stays as it was.
    no_pages = Wishes(prefs=Preferences(story=False))
    play(model_of(script), look, rows=40, columns=120, wishes=no_pages)


def test_a_card_is_clicked() -> None:

    async def click(stage: OnStage) -> None:
        await stage.press("i")
        await stage.click("  Sprain")
        assert "Move one space less." in stage.text
        assert "Amos Reed  " in stage.text
        await stage.click("  Sprain")
        assert "Move one space less." in stage.text
        await stage.click("Move one space less.")
        await stage.wheel("  Sprain", 1)
        assert "> Amos Reed" in stage.text

    play(model_of(asked()), click, rows=40, columns=120)


def test_a_drawer_without_monsters_says_so() -> None:

    async def look(stage: OnStage) -> None:
        await stage.press("m")
        assert "There is no monster in the house." in stage.text
        await stage.press("down")
        assert "! There is no monster in the house." in stage.text
        await stage.press("escape")
        assert "There is no monster" not in stage.text

    script = asked()
    script.emit(
        se.MonsterDiscarded("m1", is_defeated=True), se.MonsterDiscarded("m2", is_defeated=True)
    )
    play(model_of(script), look)


def test_a_long_text_is_scrolled_beside_its_list() -> None:
    script = asked()
    model = model_of(script)
    long = "\n".join(f"Line {number}." for number in range(60))
    model.words.add("en", (("item/lantern", (("text", long),)),))

    async def look(stage: OnStage) -> None:
        await stage.press("i", "up", "up")
        assert "Line 0." in stage.text
        await stage.press("pagedown", " ")
        assert "Line 59." in stage.text
        assert ">   Lantern" in stage.text
        await stage.press("pageup", "pageup", "pageup")
        assert "Line 0." in stage.text
        await stage.press("home")
        assert ">   Lantern" not in stage.text

    play(model, look, rows=40, columns=120)


@pytest.mark.parametrize(("size", "language"), screens(SIZES))
@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("inventory_back", ("i", "down", "enter", "right")),
        ("monsters", ("m",)),
        ("monster", ("m", "down", "enter")),
    ],
)
def test_it_looks_as_accepted(
    name: str, keys: tuple[str, ...], size: tuple[int, int], language: str
) -> None:
    rows, columns = size

    async def look(stage: OnStage) -> None:
        await stage.press(*keys)
        same_screen(f"{name}-{columns}x{rows}-{language}", stage.text)

    play(model_of(asked(), language=language), look, rows=rows, columns=columns)
