"""Core pack: it loads without findings and has enough for a first evening."""

import re
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.loader import load_core, load_pack
from content.games.second_edition.maps import whole_map
from content.games.second_edition.reach import reach
from content.games.second_edition.schema import cards, effects, requirements
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Scenario
from content.language.boards import placed
from content.language.walk import parts_in
from content.reading.words import LANGUAGES
from protocol.boards.maps import compose
from protocol.games.second_edition.table import Harm, Skill, TokenKind
from tests.games.second_edition import simulate


@pytest.fixture(scope="module")
def core() -> Pack:
    """Return the compiled pack; `test_core_is_the_folder` compares it with the files."""
    return simulate.core()


@pytest.fixture(scope="module")
def scenario(core: Pack) -> Scenario:
    return next(iter(core.scenarios.values()))


def test_core_is_clean(core: Pack) -> None:
    assert [str(finding) for finding in lint(core)] == []


def test_core_is_the_folder(core: Pack) -> None:
    assert load_core() == core


def test_core_loads_from_an_archive(core: Pack, tmp_path: Path) -> None:
    folder = Path(__file__).parents[4] / "content" / "packs" / "second_edition"
    archive = tmp_path / "packs.zip"
    with zipfile.ZipFile(archive, "w") as written:
        for file in sorted(folder.rglob("*.yaml")):
            written.write(file, file.relative_to(folder))

    with zipfile.ZipFile(archive) as read:
        assert load_pack(zipfile.Path(read, "core/")) == core


def test_core_is_complete_in_both_languages(core: Pack) -> None:
    assert tuple(core.catalogs) == LANGUAGES
    assert core.catalogs["en"].keys() == core.catalogs["fr"].keys()


def test_no_text_of_core_is_left_untranslated(core: Pack) -> None:
    """Names may be equal in both languages."""
    english, french = core.catalogs["en"], core.catalogs["fr"]
    long_texts = [
        subject for subject, words in english.items() if len(words.get("text", "").split()) > 5
    ]

    same = [s for s in long_texts if english[s]["text"] == french[s]["text"]]

    assert same == []


def test_every_skill_has_a_name(core: Pack) -> None:
    assert all("name" in core.catalogs["en"][f"skill/{skill.value}"] for skill in Skill)


def test_core_has_eight_distinct_investigators(core: Pack) -> None:
    assert len(core.investigators) == 8
    abilities = [investigator.ability for investigator in core.investigators.values()]
    assert cards.Powers() not in abilities


def test_decks_hold_both_kinds_of_card(core: Pack) -> None:
    """Both decks have cards that resolve immediately and cards kept faceup. Rule DAMAGE-3."""
    kinds = Counter((card.harm, card.keep is None) for card in core.harms.values())

    assert set(kinds) == {(harm, is_kept) for harm in Harm for is_kept in (True, False)}


@pytest.mark.rule("LIMIT-3")
def test_the_parts_are_those_of_the_box(core: Pack) -> None:
    """Parts that products add are counted separately."""
    beyond = {held for product in core.products.values() for held in product.holds}
    counts = Counter[str]()
    for item in core.items.values():
        counts[item.deck] += item.copies
    for harm in core.harms.values():
        counts[harm.harm.value] += harm.copies
    for condition in core.conditions.values():
        counts["condition"] += condition.total
    for insane in core.insane.values():
        counts["condition"] += insane.copies
    for spell in core.spells.values():
        if spell.id not in beyond:
            counts["spell"] += sum(back.copies for back in spell.backs)

    counts["figure"] = sum(monster.copies for monster in core.monsters.values())
    counts.update({"monster": len(core.monsters), "investigator": len(core.investigators)})
    counts.update({"person": len(core.persons), "tile": len(core.tiles)})

    assert counts == {
        "common": 40,
        "unique": 22,
        "spell": 30,
        "condition": 37,
        "damage": 40,
        "horror": 40,
        "figure": 24,
        "monster": 9,
        "investigator": 8,
        "person": 22,
        "tile": 24,
    }


def test_every_kind_of_monster_has_enough_to_say(core: Pack) -> None:
    for monster in core.monsters.values():
        assert len(monster.activations) >= 20, monster.id
        assert min(len(monster.evades), len(monster.horrors)) >= 12, monster.id
        assert min(len(entries) for entries in monster.attacks.values()) >= 8, monster.id


def test_scenarios_share_many_events(core: Pack) -> None:
    assert len(core.events) >= 120


def test_all_but_the_first_scenario_are_large(core: Pack) -> None:
    _first, *others = core.scenarios.values()
    for scenario in others:
        parts = [scenario.mythos, scenario.triggers, scenario.effects, *scenario.decks.values()]
        assert sum(len(part) for part in parts) >= 80, scenario.id
        assert len(scenario.tiles) >= 8, scenario.id
        assert (scenario.minimum_players, scenario.maximum_players) == (1, 5)


@pytest.mark.parametrize("harm", list(Harm))
def test_decks_are_varied(core: Pack, harm: Harm) -> None:
    deck = [card for card in core.harms.values() if card.harm is harm]
    kept = sum(card.copies for card in deck if card.keep is not None)

    assert len(deck) >= 20
    assert 16 <= kept <= 24


@pytest.mark.rule("WOUNDED-2")
def test_everybody_can_be_wounded(core: Pack) -> None:
    assert core.conditions["condition/wounded"].copies == 5


def test_core_has_spells_with_several_backs(core: Pack) -> None:
    attacks = [spell for spell in core.spells.values() if spell.attack is not None]

    assert len(core.spells) >= 13
    assert 0 < len(attacks) < len(core.spells)
    for spell in core.spells.values():
        again = (effects.DiscardThis(), effects.GainSpell(spell.id))
        assert len(spell.backs) >= 3
        assert any(back.effect == again for back in spell.backs), spell.id
        assert any(back.effect != again for back in spell.backs), spell.id


def test_two_sided_items(core: Pack) -> None:
    decks = {item.deck for item in core.items.values() if item.back is not None}

    assert decks == {"common", "unique"}


def test_core_has_enough_different_insane_backs(core: Pack) -> None:
    assert len(core.insane) >= 12
    assert sum(back.wins is not None for back in core.insane.values()) >= 4
    assert sum(back.wins is None for back in core.insane.values()) >= 4


def test_nobody_needs_a_story_item_to_win(core: Pack) -> None:
    """Insane backs ask for a trait that several cards have, not for a card of one story."""
    held = Counter(trait for item in core.items.values() for trait in item.traits)
    asked = [part for back in core.insane.values() for part in parts_in(back.wins)]

    assert not [part for part in asked if isinstance(part, requirements.HasItem)]
    assert all(held[part.trait] >= 3 for part in asked if isinstance(part, requirements.HasTrait))


def test_insane_backs_suffice_for_one_player(core: Pack) -> None:
    """Each of two investigators can become Insane. Rules SETUP-9 and INSANE-6."""
    assert sum(b.copies for b in core.insane.values() if b.minimum_players == 1) >= 2


def test_scenario_is_a_house(scenario: Scenario) -> None:
    assert len(scenario.tiles) == 3
    assert 4 <= len(scenario.rooms) <= 7
    assert (scenario.minimum_players, scenario.maximum_players) == (1, 5)
    assert 30 <= scenario.minutes <= 60


def test_scenario_has_what_it_promises(core: Pack, scenario: Scenario) -> None:
    reached = reach(core, scenario)

    own = {part.kind for part in parts_in(scenario) if isinstance(part, effects.Spawn)}
    assert own == {"monster/tallyman", "monster/culvert-ghoul", "monster/lost-hand"}
    assert {token.kind for token in scenario.tokens} >= {
        TokenKind.SEARCH,
        TokenKind.PERSON,
        TokenKind.EXPLORE,
    }
    assert list(reached.of(effects.Attempt))


def test_scenario_has_a_way_to_win_and_two_to_lose(core: Pack, scenario: Scenario) -> None:
    """The second way to lose may be that an investigator is eliminated."""
    ends = {(end.won, end.epilogue) for end in reach(core, scenario).of(effects.End)}
    lost = {epilogue for won, epilogue in ends if not won} | {scenario.eliminated_epilogue}

    assert any(won for won, _epilogue in ends)
    assert len(lost) >= 2


def test_starting_items_suffice(core: Pack, scenario: Scenario) -> None:
    for item, count in Counter(scenario.starting_items).items():
        assert core.items[item].copies >= count


def test_every_tile_alone_can_be_drawn(scenario: Scenario) -> None:
    """Tiles are placed one at a time, so each must be drawable before its neighbours are there."""
    for tile in scenario.tiles:
        assert set(compose((placed(tile),)).rooms.values()) == set(tile.rooms.values())


def test_rooms_hang_together_by_doors(scenario: Scenario) -> None:
    board = whole_map(scenario)

    crossing = {
        edge.line.value
        for edge in board.edges
        if edge.one.partition("/")[0] != edge.other.partition("/")[0]
        if edge.line.value in {"border", "door"}
    }

    assert crossing == {"door"}


def test_requirements_of_tokens_can_be_met(core: Pack, scenario: Scenario) -> None:
    reached = reach(core, scenario)
    asked = {part.trait for part in reached.of(requirements.HasTrait)}
    held = {trait for item in reached.of(cards.ItemCard) for trait in item.traits}

    assert asked <= held


def _balance() -> dict[str, list[tuple[int, int, int]]]:
    """Return players, wins in per cent and minutes from the balance page, by scenario."""
    page = (Path(__file__).parents[4] / "docs" / "balance.md").read_text("utf-8")
    row = re.compile(r"^\| (\d) \| \d+ \| (\d+) % \|[^|]*\|[^|]*\| (\d+) \(", re.MULTILINE)
    found = {}
    for section in page.split("\n## ")[1:]:
        id_ = section.split("`")[1]
        # Another section sums up the first edition.
        if not id_.startswith("core/"):
            continue
        found[id_] = [tuple(map(int, match)) for match in row.findall(section)]
    return found  # type: ignore[return-value]  # three groups a row


def test_minutes_are_those_of_the_balance_page(core: Pack) -> None:
    """The minutes are those of a table of three, to the nearest five."""
    page = _balance()
    told = {s.id: s.minutes for s in core.scenarios.values()}

    assert told == {
        id_: 5 * round(minutes / 5)
        for id_, rows in page.items()
        for players, _won, minutes in rows
        if players == 3
    }


HARDER_BELOW = (85, 65, 50, 40)
"""
Percentages of games won by two to four players; below each of them a scenario is one step harder.
"""


def test_difficulties_are_those_of_the_balance_page(core: Pack) -> None:
    """The difficulty follows from how often tables of two to four win."""
    told = {s.id: s.difficulty for s in core.scenarios.values()}
    measured = {}
    for id_, rows in _balance().items():
        usual = [won for players, won, _minutes in rows if 2 <= players <= 4]
        measured[id_] = 1 + sum(sum(usual) < 3 * bound for bound in HARDER_BELOW)

    assert told == measured
