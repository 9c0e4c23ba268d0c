"""Allies of stories: what is refused and found, and what their story cards bring."""

import pytest

from content.games.first_edition import atlas
from content.games.first_edition.lint import lint
from tests.games.first_edition.content.packs import (
    FILES,
    HOUSE,
    edited,
    load,
    mistakes_in,
    worded,
)

FOUR = "strength: 4, marksmanship: 4, dexterity: 4, intellect: 4, willpower: 4, lore: 4"
CARDS = f"""\
- id: ally/bo
  health: 4
  sanity: 3
  attributes: {{{FOUR}, luck: 4}}
"""
OUT = "start: house/a\noutdoor: true\nevent_exhaustion: continue\n"
BO = "allies:\n  - ally: ally/bo\n    at: house/b\n    tales: [{id: tale/bell, kind: rumour}]\n"
Change = tuple[str, str]


def story(
    allies: str = BO, *changes: Change, cards: str = CARDS, out: str = OUT
) -> dict[str, bytes]:
    """Return the tiny pack, whose story is outdoors and has these allies."""
    files = edited(HOUSE, ("start: house/a\n", out + allies), *changes)
    return worded({**FILES, HOUSE: files[HOUSE], "allies.yaml": cards.encode()})


def findings(*made: str | Change, cards: str = CARDS) -> list[str]:
    allies, *changes = made
    assert isinstance(allies, str)
    files = story(allies, *[one for one in changes if isinstance(one, tuple)], cards=cards)
    return [str(one) for one in lint(load(files))]


@pytest.mark.rule("W-CARD-7", "W-CARD-8", "W-ALLY-1", "W-ALLY-2")
def test_a_story_with_an_ally_has_no_mistakes_and_no_findings() -> None:
    assert findings(BO) == []


@pytest.mark.rule("W-ALLY-1")
def test_an_ally_has_all_seven_attributes() -> None:
    (told,) = mistakes_in(story(cards=CARDS.replace(", luck: 4", "")))

    assert "ally/bo.attributes: write all seven: strength, marksmanship," in told


@pytest.mark.rule("W-ALLY-3")
def test_an_ally_stands_in_a_story_once() -> None:
    (told,) = mistakes_in(story(f"{BO}  - ally: ally/bo\n"))

    assert "ally/bo stands here twice; write all its story cards into one" in told


@pytest.mark.rule("W-CARD-8")
def test_each_story_card_has_an_id_of_its_own() -> None:
    told = mistakes_in(story(BO.replace("rumour}]", "rumour}, {id: tale/bell, kind: event}]")))

    assert any("tale/bell" in one for one in told)


@pytest.mark.rule("W-ALLY-3")
def test_an_ally_begins_in_a_space() -> None:
    told = mistakes_in(story(BO.replace("house/b", "room/hall")))

    assert any("room/hall" in one for one in told)


def test_an_ally_named_as_a_place_is_recognised() -> None:
    """Authors write the id alone; the page says how to name an ally."""
    dark = "[{place: {kind: darkness, at: room/cellar}}]"
    (told,) = mistakes_in(story(BO, (dark, "[{suffer: {horror: 1, who: ally/bo}}]")))

    assert "no space or room 'ally/bo' (this is an id of the kind ally); known: actor," in told


def test_the_map_lists_allies_of_the_start() -> None:
    pack = load(story(BO))

    assert "  house/b      ally/bo" in list(atlas.legend(pack, pack.scenarios["tiny/house"]))
    made = atlas.as_json(pack, pack.scenarios["tiny/house"])
    assert made["allies"] == [{"ally": "ally/bo", "at": "house/b"}]


@pytest.mark.rule("W-USE-5")
def test_allies_are_in_outdoor_stories_alone() -> None:
    (told,) = mistakes_in(story(out="start: house/a\n"))

    assert "allies are only in an outdoor story; write 'outdoor: true' for the story" in told


@pytest.mark.parametrize(
    "step", ["place_ally: {ally: ally/bo, at: house/a}", "remove_ally: ally/bo", "talk: ally/bo"]
)
def test_an_effect_names_allies_of_the_story_alone(step: str) -> None:
    dark = "[{place: {kind: darkness, at: room/cellar}}]"
    (told,) = mistakes_in(story("", (dark, f"[{{{step}}}]")))

    assert "an effect names ally/bo, which is no ally of this story" in told


@pytest.mark.rule("W-DECIDE-22", "W-DECIDE-27")
@pytest.mark.parametrize("who", ["allies", "{ally: ally/bo}"])
def test_an_ally_gets_no_skill_points(who: str) -> None:
    dark = "[{place: {kind: darkness, at: room/cellar}}]"
    (told,) = mistakes_in(story(BO, (dark, f"[{{skill_points: {{add: 1, who: {who}}}}}]")))

    assert "this step concerns investigators alone, no allies" in told


def test_an_ally_that_nothing_brings_is_found() -> None:
    assert findings(BO.replace("    at: house/b\n", "")) == [
        "tiny/house: ally/bo: unused ally: no start and no effect brings it"
    ]


def test_an_ally_that_an_effect_brings_is_no_fault() -> None:
    dark = "[{place: {kind: darkness, at: room/cellar}}]"
    bring = (dark, "[{place_ally: {ally: ally/bo, at: house/a}}]")

    assert findings(BO.replace("    at: house/b\n", ""), bring) == []


def test_an_ally_of_no_story_is_found() -> None:
    other = CARDS.replace("ally/bo", "ally/clem")

    assert findings(BO, cards=CARDS + other) == [
        "tiny: ally/clem: unused ally: no story brings it into play"
    ]


def test_story_cards_behind_a_lock_that_nothing_opens_are_found() -> None:
    """The key and the last clue cannot be reached either: the key is gone."""
    told = findings(
        BO.replace("house/b", "house/d"), ("[obstacle/desk, item/key]", "[obstacle/desk, nothing]")
    )

    reason = "its story cards can never be told: nobody can come to its room"
    assert f"tiny/house: ally/bo: {reason}" in told


@pytest.mark.rule("W-DECIDE-32", "W-DECIDE-33")
@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        ("{told: tale/bell}", ""),
        ("{ally: {ally: ally/bo, talked: 1}}", ""),
        ("{ally: {ally: ally/bo, talked: 2}}", "ally/bo"),
    ],
)
def test_what_is_asked_of_an_ally_in_vain_is_found(asked: str, subject: str) -> None:
    dark = "[{place: {kind: darkness, at: room/cellar}}]"
    when = f"[{{when: {{holds: {asked}, then: [{{place: {{kind: darkness, at: room/cellar}}}}]}}}}]"
    told = f"tiny/house: {subject}: what is asked of it can never hold"

    assert findings(BO, (dark, when)) == ([told] if subject else [])


def test_what_an_ally_tells_opens_and_gives_things() -> None:
    """The key lies nowhere; the ally gives it, and so the cellar can be entered."""
    gift = BO.replace("kind: rumour", "kind: event, effect: [{gain: {item: item/key}}]")

    assert findings(gift, ("[obstacle/desk, item/key]", "[obstacle/desk, nothing]")) == []


@pytest.mark.rule("W-SECRET-9")
def test_a_story_card_may_ask_for_an_answer_of_a_question_that_has_it() -> None:
    holds = "{answer: {question: goal, option: %s}}"
    when = "when: {holds: %s, then: [{place: {kind: darkness, at: room/hall}}]}"
    asks = BO.replace("kind: rumour", "kind: event, effect: [{" + when % holds + "}]")

    assert mistakes_in(story(asks % "flood")) == ()
    (told,) = mistakes_in(story(asks % "well"))
    assert "'well' is no option of 'goal'" in told
    (told,) = mistakes_in(story(asks % "tide"))
    assert "there is no question's option 'tide'" in told
