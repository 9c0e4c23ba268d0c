"""The box of the bundled pack: how much of everything there is."""

from collections import Counter

import pytest

from content.games.first_edition import check
from content.games.first_edition.answers import sets_of
from content.games.first_edition.loader import BASE, load_source
from content.games.first_edition.maps import map_of
from content.games.first_edition.prospects import Prospects
from content.games.first_edition.schema.effects import (
    Count,
    Draw,
    MoveMonster,
    PlaceMonster,
    SpreadFire,
)
from content.games.first_edition.schema.pack import Pack
from content.language.walk import parts_in
from content.reading.files import read_files, shipped
from content.reading.remarks import Level
from protocol.games.first_edition.words import (
    RULESET,
    AttackKind,
    FeatureKind,
    Keyword,
    LowerUse,
    MonsterClass,
    TraumaKind,
)
from server.authoring.cli import main


@pytest.fixture(scope="module")
def box() -> Pack:
    return load_source(BASE, read_files(shipped(RULESET) / BASE)).pack


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
    assert [kind for kind in FeatureKind if not any(one.has_feature(kind) for one in found)] == []


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


def test_plays_of_the_bundled_pack_end_as_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    """Scripts name investigators of the pack; the keeper has none to name."""
    assert main(["test", str(shipped(RULESET) / BASE)]) == 0
    assert "candles-about-her: passed" in capsys.readouterr().out
