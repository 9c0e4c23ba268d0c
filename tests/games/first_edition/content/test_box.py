"""The box of the bundled pack: how much of everything there is."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, TypeVar

import attrs
import pytest

from content.games.first_edition import check
from content.games.first_edition.answers import sets_of
from content.games.first_edition.loader import BASE, FILES, lists_of
from content.games.first_edition.maps import map_of
from content.games.first_edition.prospects import Prospects
from content.games.first_edition.schema.effects import (
    AnotherAction,
    Count,
    Curse,
    Deal,
    Draw,
    KeeperExplores,
    Move,
    MoveMonster,
    PlaceAlly,
    PlaceMonster,
    Ritual,
    SpreadFire,
    Strike,
    Talk,
    TurnUp,
    Uncurse,
)
from content.games.first_edition.schema.pack import Pack
from content.language.references import named_in
from content.language.walk import parts_in
from content.reading.files import read_files, shipped
from content.reading.remarks import Level
from protocol.games.first_edition.words import (
    RULESET,
    AttackKind,
    Attribute,
    FeatureKind,
    Keyword,
    LowerUse,
    MonsterClass,
    StoryDeck,
    TraumaKind,
)
from server.authoring.cli import main
from tests.games.first_edition import house

T = TypeVar("T")


OUTDOORS = "product/outdoors"


@pytest.fixture(scope="module")
def manor() -> Pack:
    """Return the bundled pack with all of its products."""
    return house.manor()


@pytest.fixture(scope="module")
def box(manor: Pack) -> Pack:
    """Return the base box: the pack without its products, which are counted apart."""
    return manor.without(manor.products)


@pytest.fixture(scope="module")
def outdoors(manor: Pack) -> Pack:
    """Return the components of the outdoors alone."""
    held = manor.products[OUTDOORS].holds

    def of(cards: Mapping[str, T]) -> Mapping[str, T]:
        return {id_: card for id_, card in cards.items() if id_ in held}

    fields = [*(entries.field for entries in FILES.lists.values()), "scenarios"]
    left: dict[str, Any] = {field: of(getattr(manor, field)) for field in fields}
    return attrs.evolve(manor, **left)


def test_nothing_is_wrong_with_the_bundled_pack() -> None:
    remarks = check.check(BASE, read_files(shipped(RULESET) / BASE))
    assert [str(one) for one in remarks if one.level != Level.NOTE.value] == []


@pytest.mark.rule("K-CARD-13", "K-CARD-14", "K-DECIDE-8", "K-DECIDE-10")
def test_each_of_eight_investigators_has_two_traits_of_either_kind(box: Pack) -> None:
    assert len(box.characters) == 8
    traits = [t for one in box.characters.values() for t in (*one.physical, *one.mental)]
    assert sorted(traits) == sorted(box.traits), "each trait belongs to one investigator"
    for one in box.characters.values():
        assert (len(one.physical), len(one.mental)) == (2, 2)
        for trait in one.physical:
            assert box.traits[trait].item or box.traits[trait].spell
        for trait in one.mental:
            assert box.traits[trait].modifiers or box.traits[trait].actions


@pytest.mark.rule("K-CARD-6", "K-COMBAT-3", "K-DECIDE-51", "K-DECIDE-52")
@pytest.mark.parametrize("class_", MonsterClass)
def test_a_combat_deck_answers_every_attack(box: Pack, class_: MonsterClass) -> None:
    deck = [card for card in box.combat.values() if card.class_ is class_]
    upper = Counter(card.upper.kind for card in deck)
    lower = Counter(card.lower.use for card in deck)
    assert len(deck) == 18
    assert all(upper[kind] >= 4 for kind in AttackKind)
    assert lower[LowerUse.INVESTIGATOR] >= 10
    assert lower[LowerUse.HIDDEN] >= 4
    assert sum(card.lower.special for card in deck) == 3
    breaks = [card.lower.breaks for card in deck if card.lower.use is LowerUse.BARRICADE]
    assert len(breaks) >= 3
    assert any(breaks)
    assert not all(breaks)


@pytest.mark.rule("K-CARD-15", "K-SUPPLY-5", "K-DECIDE-60")
def test_there_is_a_token_for_each_figure(box: Pack) -> None:
    assert Counter(one.class_ for one in box.monsters.values()) == dict.fromkeys(MonsterClass, 3)
    tokens = {one.id: sum(back.copies for back in one.backs) for one in box.monsters.values()}
    assert all(tokens[one.id] >= one.figures for one in box.monsters.values())
    assert all(len(one.backs) >= 2 for one in box.monsters.values())
    assert sum(one.figures for one in box.monsters.values()) == 24
    assert sum(tokens.values()) == 30


@pytest.mark.rule("K-CARD-5")
def test_the_trauma_deck_has_cards_of_every_sort(box: Pack) -> None:
    deck = box.traumas.values()
    assert Counter(card.kind for card in deck) == dict.fromkeys(TraumaKind, 12)
    assert sum(card.threshold is not None for card in deck) >= 12
    assert sum(card.several for card in deck) == 4
    assert sum(card.instant for card in deck) >= 4


@pytest.mark.rule("K-CARD-8", "K-CARD-11", "K-DECIDE-49")
def test_rooms_can_hide_weapons_of_every_kind(box: Pack) -> None:
    hidden = [one for one in box.items.values() if not one.starting]
    weapons = Counter(one.weapon.kind for one in hidden if one.weapon is not None)
    assert len(hidden) >= 28
    assert sum(weapons.values()) >= 12
    assert {AttackKind.BLADED, AttackKind.BLUNT, AttackKind.RANGED} == set(weapons)
    assert sum(Keyword.LANTERN in one.keywords for one in hidden) >= 2


@pytest.mark.rule("K-CARD-9", "K-CARD-10", "K-CARD-18")
def test_half_of_the_locks_and_obstacles_are_puzzles(box: Pack) -> None:
    assert len(box.locks) >= 12
    assert len(box.obstacles) >= 9
    openings = [
        *(lock.opening for lock in box.locks.values()),
        *(obstacle.opening for obstacle in box.obstacles.values()),
    ]
    assert sum(one.puzzle is not None for one in openings) * 2 >= len(openings)


@pytest.mark.rule("K-CARD-12", "K-DECIDE-58")
def test_each_of_six_spells_has_four_backs(box: Pack) -> None:
    assert len(box.spells) == 6
    assert all(len(spell.backs) == 4 for spell in box.spells.values())


@pytest.mark.rule("K-MAP-1", "K-MAP-6", "K-CARD-16")
def test_the_stories_are_played_on_many_rooms_of_all_kinds(box: Pack) -> None:
    maps = [map_of(story) for story in box.scenarios.values()]
    rooms = [Counter(board.rooms.values()) for board in maps]
    assert sum(len(story.tiles) for story in box.scenarios.values()) >= 15
    assert sum(map(len, rooms)) >= 30
    assert sum(len(board.rooms) for board in maps) >= 60
    assert sum(number > 1 for of_one in rooms for number in of_one.values()) >= 12
    assert sum(len(board.diagonals) for board in maps) >= 6


@pytest.mark.rule("K-CARD-17")
def test_each_feature_is_in_some_story(box: Pack) -> None:
    found = [Prospects.of(box, story, sets_of(story)[0]) for story in box.scenarios.values()]
    lacking = [kind for kind in FeatureKind if not any(one.has_feature(kind) for one in found)]
    assert set(lacking) <= set(OUTDOOR_FEATURES)


@pytest.mark.rule("K-CARD-3")
def test_keeper_actions_do_all_that_keeper_actions_can_do(box: Pack) -> None:
    steps = {type(part) for card in box.actions.values() for part in parts_in(card.effect)}
    assert steps >= {MoveMonster, PlaceMonster, Draw, SpreadFire, Count}
    altars = [
        card for card in box.actions.values() if FeatureKind.ALTAR.value in str(card.requires)
    ]
    assert altars
    assert sum(card.once for card in box.actions.values()) >= 6


@pytest.mark.rule("K-MONSTER-9", "K-CARD-15")
def test_some_monsters_are_large_and_some_have_proper_names(box: Pack) -> None:
    assert sum(one.large for one in box.monsters.values()) == 2
    assert sum(one.named for one in box.monsters.values()) == 3


@pytest.mark.rule("K-CARD-4", "K-MYTHOS-4")
def test_some_mythos_cards_lie_face_down(box: Pack) -> None:
    general = Counter(card for story in box.scenarios.values() for card in set(story.mythos))
    assert sum(card.face_down is not None for card in box.mythos.values()) >= 6
    assert sum(number > 1 for number in general.values()) >= 12


def test_french_has_hard_spaces_before_its_signs(box: Pack) -> None:
    for subject, fields in box.catalogs["fr"].items():
        for text in fields.values():
            assert not any(f" {sign}" in text for sign in ";:!?»"), f"{subject}: {text}"
            assert "« " not in text, subject
            assert "'" not in text, subject


@pytest.mark.long
def test_plays_of_the_bundled_pack_end_as_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    """Scripts name investigators of the pack; the keeper has none to name."""
    assert main(["test", str(shipped(RULESET) / BASE)]) == 0
    assert "candles-about-her: passed" in capsys.readouterr().out


# The outdoors.


@pytest.mark.rule("W-COMP-15", "W-USE-2")
def test_four_investigators_of_the_outdoors_have_two_traits_of_either_kind(outdoors: Pack) -> None:
    people = outdoors.characters.values()
    assert len(people) == 4
    traits = [trait for one in people for trait in (*one.physical, *one.mental)]
    assert sorted(traits) == sorted(outdoors.traits)
    assert len(traits) == 16
    for one in people:
        assert all(outdoors.traits[t].item or outdoors.traits[t].spell for t in one.physical)
        assert all(outdoors.traits[t].modifiers or outdoors.traits[t].actions for t in one.mental)
    assert sum(item.starting for item in outdoors.items.values()) == 7
    assert sum(back.copies for one in outdoors.spells.values() for back in one.backs) == 12


@pytest.mark.rule("W-CARD-13", "W-SPELL-2", "W-PIT-15")
def test_one_spell_of_the_outdoors_gives_another_action_and_one_goes_over_pits(
    outdoors: Pack,
) -> None:
    steps = {one.id: list(parts_in(one)) for one in outdoors.spells.values()}
    again = {id_ for id_, found in steps.items() for one in found if isinstance(one, AnotherAction)}
    over = {
        id_
        for id_, found in steps.items()
        for one in found
        if isinstance(one, Move) and one.over_pits
    }
    assert (again, over) == ({"spell/second-breath"}, {"spell/unpinned"})


@pytest.mark.rule("W-COMP-11", "W-USE-4", "K-DECIDE-52")
@pytest.mark.parametrize("class_", MonsterClass)
def test_combat_cards_of_the_outdoors_are_in_the_proportions_of_the_others(
    box: Pack, outdoors: Pack, class_: MonsterClass
) -> None:
    few = [card for card in outdoors.combat.values() if card.class_ is class_]
    many = [card for card in box.combat.values() if card.class_ is class_]
    assert (len(few), len(many)) == (8, 18)
    share = len(few) / len(many)
    kinds = [Counter(str(one.upper.kind) for one in cards) for cards in (few, many)]
    uses = [Counter(str(one.lower.use) for one in cards) for cards in (few, many)]
    for more, base in (kinds, uses):
        assert all(abs(more[kind] - number * share) < 1 for kind, number in base.items())
    damage = [
        sum(step.damage for card in cards for step in card.upper.passed if isinstance(step, Strike))
        for cards in (few, many)
    ]
    assert damage[0] == pytest.approx(damage[1] * share, abs=1)
    assert sum(card.lower.special for card in few) == 1


@pytest.mark.rule("W-COMP-13", "W-USE-3")
def test_the_outdoors_have_nine_trauma_cards(outdoors: Pack) -> None:
    kinds = Counter(card.kind for card in outdoors.traumas.values())
    assert kinds == {TraumaKind.INSANITY: 6, TraumaKind.INJURY: 3}


@pytest.mark.rule("W-COMP-14", "W-DECIDE-13")
def test_outdoor_rooms_can_hide_weapons_lanterns_tomes_and_keys(outdoors: Pack) -> None:
    hidden = [one for one in outdoors.items.values() if not one.starting]
    assert len(hidden) >= 26
    weapons = {one.weapon.kind for one in hidden if one.weapon is not None}
    assert weapons == set(AttackKind) - {AttackKind.UNARMED}
    keywords = {keyword for one in hidden for keyword in one.keywords}
    assert keywords == set(Keyword)
    assert "item/boathouse-key" in outdoors.items


@pytest.mark.rule("W-COMP-17", "W-COMP-18", "W-DECIDE-37", "W-CARD-3", "W-FLY-1")
def test_unique_monsters_of_the_outdoors_have_more_tokens_than_figures(outdoors: Pack) -> None:
    kinds = outdoors.monsters.values()
    tokens = {one.id: sum(back.copies for back in one.backs) for one in kinds}
    assert Counter(one.figures for one in kinds) == {2: 4, 1: 3}
    assert sum(one.figures for one in kinds) == 11
    assert sum(tokens.values()) == 13
    assert all(tokens[one.id] >= one.figures for one in kinds)
    assert all(one.named for one in kinds if one.figures == 1)
    assert {one.class_ for one in kinds} == set(MonsterClass)
    assert sum(one.flying for one in kinds) >= 2


@pytest.mark.rule("W-COMP-1", "W-CARD-4")
def test_six_pits_do_one_to_three_damage_and_some_are_renewed(outdoors: Pack) -> None:
    assert sum(pit.copies for pit in outdoors.pits.values()) == 6
    assert {pit.damage for pit in outdoors.pits.values()} == {1, 2, 3}
    assert {pit.renewed for pit in outdoors.pits.values()} == {True, False}


@pytest.mark.rule("W-COMP-4", "W-ALLY-1", "W-ALLY-2", "W-CARD-7")
def test_five_allies_have_all_attributes_and_a_background(outdoors: Pack) -> None:
    assert len(outdoors.allies) == 5
    for one in outdoors.allies.values():
        assert set(one.attributes) == set(Attribute)
        assert 3 <= one.health <= 6
        assert 3 <= one.sanity <= 6
        assert all(outdoors.catalogs[language][one.id]["text"] for language in ("en", "fr"))


@pytest.mark.rule("W-USE-7", "W-CARD-14")
@pytest.mark.parametrize(("language", "name"), [("en", "Under Open Sky"), ("fr", "À ciel ouvert")])
def test_every_card_of_the_outdoors_names_its_product(
    manor: Pack, language: str, name: str
) -> None:
    words = manor.catalogs[language]
    held = set(manor.products[OUTDOORS].holds)
    assert {words[id_].get("product") for id_ in held} == {name}
    assert not [id_ for id_, fields in words.items() if "product" in fields and id_ not in held]


@pytest.mark.rule("W-DECIDE-55")
def test_each_card_of_the_manor_is_of_the_box_or_of_the_outdoors_with_all_that_it_names(
    manor: Pack, box: Pack
) -> None:
    """Without the product no card is missing that another one names."""
    for part in (*lists_of(box).values(), box.scenarios):
        for card in part.values():
            named = {one.id for one in named_in(card)}
            assert not named & set(manor.products[OUTDOORS].holds), card.id


@pytest.mark.rule("W-USE-5", "W-EX-22")
def test_base_stories_bring_nothing_of_the_outdoors_but_people_harm_and_combat(
    manor: Pack, box: Pack
) -> None:
    """Their starting items and spells come with the investigators."""
    held = set(manor.products[OUTDOORS].holds)
    given = {one for trait in manor.traits.values() for one in (trait.item, trait.spell)}
    joined = {*manor.characters, *manor.traits, *manor.traumas, *manor.combat, *given}
    for story in manor.scenarios.values():
        if story.outdoor:
            continue
        for answers in sets_of(story):
            ahead = Prospects.of(manor, story, answers)
            assert ahead.cards.keys() & held <= joined, story.id
            # Everything that joins does come.
            assert {c for c in held & (joined - given) if c in manor.traits} <= set(ahead.cards)
            assert not [kind for kind in OUTDOOR_STEPS if any(ahead.of_kind(kind))], story.id
            assert not [kind for kind in OUTDOOR_FEATURES if ahead.has_feature(kind)], story.id
            assert not Prospects.of(box, story, answers).cards.keys() & held


OUTDOOR_STEPS = (Curse, Uncurse, PlaceAlly, Talk, Deal, TurnUp, KeeperExplores, Ritual)
OUTDOOR_FEATURES = (FeatureKind.PIT, FeatureKind.BOAT)


@pytest.mark.rule("W-DECIDE-53", "W-COMP-5", "W-COMP-9", "W-COMP-10", "W-COMP-12", "W-COMP-14")
def test_outdoor_stories_have_their_share_of_what_is_counted_for_five(manor: Pack) -> None:
    stories = [story for story in manor.scenarios.values() if story.outdoor]
    counted = {
        "tales": (31, sum(len(ally.tales) for s in stories for ally in s.allies)),
        "actions": (34, sum(len({*s.actions, *s.hidden_actions}) for s in stories)),
        "events": (31, sum(len(s.events) for s in stories)),
        "objectives": (7, sum(len(s.objectives) for s in stories)),
        "mythos": (24, sum(len(s.mythos) for s in stories)),
        "clues": (20, sum(len(s.clues) for s in stories)),
        "locks": (4, sum(len(s.locks) for s in stories)),
    }
    for kind, number in ((StoryDeck.DELUSION, 10), (StoryDeck.TRAIL, 8), (StoryDeck.MANIA, 6)):
        decks = [deck for s in stories for deck in s.decks if deck.deck is kind]
        # No kind belongs to two stories.
        assert len(decks) <= 1
        counted[kind.value] = (number, sum(len(deck.cards) for deck in decks))
    least = {
        kind: (of_five * len(stories) // 5, found) for kind, (of_five, found) in counted.items()
    }
    assert {kind: both for kind, both in least.items() if both[1] < both[0]} == {}
