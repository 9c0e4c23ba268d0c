"""The rules text of a card is written from its data, in both languages."""

import enum
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
import yaml

from content.games.cards.schema import kinds, occurrences, targets
from content.games.cards.schema.cards import AbilityZone, By, Does
from content.games.cards.schema.modifiers import Thing
from content.games.cards.schema.occurrences import Happening, Moment, On
from content.games.cards.schema.pack import Pack
from content.games.cards.schema.steps import Goal
from content.games.cards.schema.targets import Filter, TheCard
from content.games.cards.wording.cards import fields_of, with_card_texts
from content.games.cards.wording.language import Language, language
from content.games.cards.wording.writer import FAMILIES
from content.reading.parts import parts_of
from content.reading.words import LANGUAGES
from protocol.games.cards.words import SPECIAL, Phase, Skill, Token, Trauma, Until
from tests.games.cards.rules.worlds import content_of, read

pytestmark = pytest.mark.rule("C-DECIDE-65")

GOLDEN: Final = yaml.safe_load((Path(__file__).parent / "wordings.yaml").read_text("utf-8"))
NAMES: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    "en": {
        "trait/beast": {"name": "Beast"},
        "token/ammo": {"name": "ammo"},
        "card/rat": {"name": "Marsh Rat"},
    },
    "fr": {
        "trait/beast": {"name": "Bête"},
        "token/ammo": {"name": "munitions", "one": "munition"},
        "card/rat": {"name": "Rat des marais"},
    },
}
SECTIONS: Final[Mapping[str, type[enum.Enum]]] = {
    "who": targets.Who,
    "person": occurrences.Person,
    "skill": Skill,
    "stat": kinds.Stat,
    "phase": Phase,
    "keyword": kinds.Keyword,
    "cardclass": kinds.CardClass,
    "slot": kinds.Slot,
    "deed": kinds.Deed,
    "doing": kinds.Deed,
    "deed_test": kinds.Deed,
    "thing": Thing,
    "thing_card": Thing,
    "until": Until,
    "per": Until,
    "on": Happening,
    "moment": Moment,
    "does": Does,
    "abilityzone": AbilityZone,
    "by": By,
}
"""Sections that have a template for each word of an enumeration."""
IN_CODE: Final = frozenset([TheCard.THIS, TheCard.THAT, TheCard.THEY, TheCard.CAUSE])
"""Words for cards that are said with the noun of the card."""
_SLOT: Final = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_COMPUTED: Final = frozenset(["this", "harm", "direct_harm", "e", "chosen", "value"])


def fields(card: Any, name: str) -> Mapping[str, str]:
    """Return what is written of a card in a language, with plain spaces."""
    made = fields_of(card, name, lambda subject, field: NAMES[name].get(subject, {}).get(field, ""))
    return {field: text.replace("\N{NO-BREAK SPACE}", " ") for field, text in made.items()}


def wanted() -> Iterator[tuple[str, str]]:
    """Yield section and name of every template that the vocabulary needs."""
    for section, family in FAMILIES.items():
        for key in parts_of(family):
            yield section, key
    for section, words in SECTIONS.items():
        for word in words:
            yield section, word.value
    for goal in frozenset(Goal) - {Goal.NOWHERE}:
        yield "step", f"send.{goal.value}"
    for card in frozenset(TheCard) - IN_CODE:
        yield "thecard", card.value
    for factor in frozenset(kinds.Factor) - {kinds.Factor.ONCE}:
        yield "factor", factor.value
    for kind in kinds.CardType:
        yield "noun", kind.value
        yield "facts", f"type.{kind.value}"
    for token in (*Token, *Trauma):
        yield "noun", token.value
    for slot in kinds.Slot:
        yield "noun", f"slot_{slot.value}"
    for stat in kinds.Stat:
        name = "doom_threshold" if stat is kinds.Stat.DOOM else stat.value.replace("-", "_")
        yield "noun", name
    for special in SPECIAL:
        yield "token", special


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_part_of_the_vocabulary_has_a_template(name: str) -> None:
    words = language(name)
    missing = [one for one in wanted() if not words.has(*one)]
    assert not missing


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_field_of_a_filter_has_words(name: str) -> None:
    words = language(name)
    own = {"this", "they", "other", "host", "types", "traits", "class_", "id"}
    for field in attrs.fields(Filter):
        if field.name in own:
            continue
        keys = {field.name, f"{field.name}.true", f"{field.name}.you", f"{field.name}.here"}
        keys |= {f"{field.name}.false", f"{field.name}.even"}
        assert any(words.has(part, key) for part in ("adjective", "after") for key in keys), field
    for where in targets.Where:
        assert words.has("after", f"where.{where.value}")
    for engaged in targets.Engaged:
        key = f"engaged.{engaged.value}"
        assert words.has("adjective", key) or words.has("after", key)


def test_both_languages_have_the_same_templates() -> None:
    def names(words: Language) -> set[tuple[str, str]]:
        return {
            (section, name)
            for section, inside in words.templates.items()
            for name in inside
            if section != "grammar"
        }

    assert names(language("en")) == names(language("fr"))


@pytest.mark.parametrize("name", LANGUAGES)
def test_templates_name_fields_that_their_parts_have(name: str) -> None:
    words = language(name)
    made = {
        (section, key): part.made
        for section, family in FAMILIES.items()
        for key, part in parts_of(family).items()
    }
    made |= {("on", happening.value): On for happening in Happening}
    for (section, key), cls in made.items():
        fields = {field.name.rstrip("_") for field in attrs.fields(cls)}
        for one, template in words.templates[section].items():
            if one.partition(".")[0] != key:
                continue
            named = {slot.rstrip("_") for slot, _ in _SLOT.findall(template)}
            named |= {
                part.lstrip("!").partition("=")[0].rstrip("_")
                for condition in re.findall(r"<([\w!&=-]+)\|", template)
                for part in condition.split("&")
            }
            assert named <= fields | _COMPUTED, (section, one)


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda one: one["ability"][:60])
def test_the_text_of_an_ability_is_as_an_editor_wrote_it(golden: Mapping[str, str]) -> None:
    text = f"- id: card/x\n  type: asset\n  abilities: [{golden['ability']}]\n"
    (card,) = read("players.yaml", text)
    assert fields(card, "en")["text"] == golden["en"]
    assert fields(card, "fr")["text"] == golden["fr"]


@pytest.mark.issue(42)
def test_a_card_has_the_names_of_its_uses_with_its_words() -> None:
    """A client is sent the words of cards, and not those of kinds of tokens."""
    text = "- {id: card/x, type: asset, uses: {kind: ammo, number: 2}}\n"
    (card,) = read("players.yaml", text)
    written = fields(card, "fr")
    assert (written["unit.ammo"], written["unit.ammo.one"]) == ("munitions", "munition")


def test_the_facts_of_an_asset_are_one_line() -> None:
    (card,) = read(
        "players.yaml",
        """
        - id: card/x
          type: asset
          class: [lens, coin]
          level: 2
          cost: 3
          icons: [combat, wild]
          slots: [hand]
          health: 2
          unique: true
          traits: [beast]
          uses: {kind: ammo, number: 4, is_discarded: true}
        """,
    )
    assert fields(card, "en") == {
        "facts": "Asset · Unique · Lens and Coin · Level 2 · Cost 3 · Icons: combat, wild · Hand"
        " · Health 2",
        "short": "Cost 3 · combat, wild",
        "traits": "Beast.",
        "text": "Uses (4 ammo). Discard this card with the last of them.",
        "unit.ammo": "ammo",
        "unit.ammo.one": "ammo",
    }
    assert fields(card, "fr")["facts"] == (
        "Soutien · Unique · Loupe et Pièce · Niveau 2 · Coût 3 · Icônes : Combat, joker · Main"
        " · Vie 2"
    )


def test_the_facts_of_an_enemy_have_a_dash_for_what_it_lacks() -> None:
    (card,) = read(
        "enemies.yaml",
        """
        - id: card/x
          fight: 2
          health: {n: 3, per: investigators}
          damage: 1
          keywords: [hunter]
          prey: {stat: willpower, is_lowest: true}
          spawn: {types: [location], where: beside}
          victory: 1
        """,
    )
    made = fields(card, "en")
    assert made["facts"] == (
        "Enemy · Fight 2 · Health 3 per investigator · Evade – · Damage 1 · Horror 0"
    )
    assert made["text"] == (
        "Hunter. Prey: lowest willpower. Spawn: a connecting location.\nVictory 1."
    )
    assert fields(card, "fr")["text"] == (
        "Chasseur. Proie : le moins de Volonté. Apparition : un lieu voisin.\nVictoire 1."
    )


def test_an_event_says_of_what_it_is_played_as_a_copy() -> None:
    (card,) = read(
        "players.yaml",
        "- {id: card/x, type: event, keywords: [fast], copy_of: {cost_at_most: 2}}",
    )
    assert fields(card, "en")["text"] == (
        "Fast.\nPlay this card as a copy of an event of cost 2 or less in your discard pile."
    )
    assert fields(card, "fr")["text"] == (
        "Rapide.\nJouez cette carte comme une copie d’un événement de coût 2 ou moins "
        "de votre défausse."
    )


def test_an_act_has_the_text_of_its_back() -> None:
    (act,) = read("acts.yaml", "- {id: card/x, clues: 2, back: [{harm: {horror: 1, who: each}}]}")
    assert fields(act, "en") == {
        "facts": "Act · Clues 2",
        "goal": "2",
        "back": "Each investigator takes 1 horror.",
    }


def test_amounts_per_investigator_are_worked_out_for_each_number_of_them() -> None:
    per = "{n: 2, per: investigators}"
    back = f"[{{put: {{token: doom, number: {per}, card: agenda}}}}]"
    (act,) = read("acts.yaml", f"- {{id: card/x, clues: {per}, back: {back}}}")

    made = fields(act, "en")

    assert [made[f"facts.{number}"] for number in (1, 3)] == [
        "Act · Clues 2 (2 per investigator)",
        "Act · Clues 6 (2 per investigator)",
    ]
    assert "goal" not in made
    assert made["goal.3"] == "6"
    assert made["back.3"] == "Put 6 doom (2 per investigator) on the agenda."
    assert fields(act, "fr")["facts.3"] == "Acte · Indices 6 (2 par investigateur)"
    assert not [field for field in made if field.startswith("text")]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("en", ["Take 2 damage", "Lose 1 resource and draw 1 card", "Heal 1 horror"]),
        (
            "fr",
            [
                "Subir 2 dégâts",
                "Perdre 1 ressource et piocher 1 carte",
                "Soigner 1 point d’horreur",
            ],
        ),
    ],
)
def test_each_option_says_what_it_does(name: str, said: list[str]) -> None:
    (card,) = read(
        "treacheries.yaml",
        """
        - id: card/x
          abilities:
            - does: revelation
              effect:
                - either:
                    who: each
                    ways: [[{harm: {damage: 2}}], [{resources: -1}, {draw: {number: 1}}]]
                - may: {do: [{heal: {horror: 1}}]}
        """,
    )
    made = fields(card, name)

    options = [text for field, text in made.items() if field.startswith("option.")]
    assert options == said


def test_each_of_several_abilities_of_a_kind_has_its_own_text() -> None:
    actions = "".join(f"{{does: action, effect: [{{draw: {{number: {n}}}}}]}}, " for n in (1, 2))
    (card,) = read(
        "players.yaml",
        f"- {{id: card/x, type: asset, class: [lens], cost: 1, abilities: [{actions}]}}",
    )
    made = fields(card, "en")

    assert [made[f"ability.{at}"] for at in range(2)] == [
        "Action: Draw 1 card.",
        "Action: Draw 2 cards.",
    ]


def test_each_symbol_has_the_line_of_its_own() -> None:
    entries = "s1: {by: -2}, s2: {by: -1, another: true}, s3: {}, s4: {}"
    (card,) = read("references.yaml", f"- {{id: card/x, {entries}}}")
    made = fields(card, "en")

    assert [made[f"token.s{at}"] for at in (1, 2)] == made["text"].split("\n")[:2]


def test_french_punctuation_stays_on_the_line_of_its_word() -> None:
    (act,) = read("acts.yaml", "- {id: card/x, back: [{remember: low-tide}]}")
    text = fields_of(act, "fr", lambda *_: "")["back"]
    assert text == "Souvenez-vous de «\N{NO-BREAK SPACE}low tide\N{NO-BREAK SPACE}»."


def test_what_the_author_writes_stays() -> None:
    content = content_of(treacheries="- {id: card/x, keywords: [surge]}")
    catalogs = {"en": {"card/x": {"name": "X", "text": "By hand."}}, "fr": {}}
    pack: Pack = attrs.evolve(content.pack, catalogs=catalogs)
    made = with_card_texts(pack)
    assert made["en"]["card/x"] == {"name": "X", "facts": "Treachery", "text": "By hand."}
    assert made["fr"]["card/x"]["text"] == "Déferlante."


def test_what_the_author_writes_stays_for_any_number_of_investigators() -> None:
    acts = "- {id: card/x, clues: {n: 2, per: investigators}}"
    catalogs = {"en": {"card/x": {"name": "X", "facts": "By hand."}}}
    pack = attrs.evolve(content_of(acts=acts).pack, catalogs=catalogs)

    made = with_card_texts(pack)["en"]["card/x"]
    assert {field: text for field, text in made.items() if field.startswith("facts")} == {
        "facts": "By hand."
    }
