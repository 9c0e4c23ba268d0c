"""Spells and two-sided Items in a pack: content and errors."""

import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.schema import cards, effects
from tests.games.second_edition.content.packs import FILES, load, mistakes_in

SPELLS = """
- id: spell/ward
  traits: [incantation]
  attack: {reach: ranged, kind: spell, damage: 2, after: [flip_this: true]}
  powers:
    action:
      effect:
        - flip_this: true
  backs:
    - id: back/ward-price
      copies: 2
      effect:
        - suffer: {horror: 1}
        - discard_this: true
        - gain_spell: spell/ward
    - id: back/ward-quiet
      copies: 1
"""
ITEMS = """
- id: item/lantern
  deck: common
  powers:
    action:
      effect:
        - flip_this: true
  back:
    id: back/lantern-lit
    traits: [bright]
"""
NAMES = ("spell/ward", "back/ward-price", "back/ward-quiet", "item/lantern", "back/lantern-lit")
WORDS = "".join(f"{name}: {{name: {name.title()}}}\n" for name in NAMES)


def files(spells: str = SPELLS, items: str = ITEMS, words: str = WORDS) -> dict[str, bytes]:
    """Return the tiny pack with these cards in its scenario."""
    cellar = "scenarios/cellar.yaml"
    dealt = FILES[cellar].decode().replace("starting_items: [", "starting_items: [item/lantern, ")
    assert dealt != FILES[cellar].decode()
    return {
        **FILES,
        "spells.yaml": spells.encode(),
        "items.yaml": FILES["items.yaml"] + items.encode(),
        "words/en/two-sided.yaml": words.encode(),
        "words/fr/two-sided.yaml": words.encode(),
        cellar: f"{dealt}\nstarting_spells: [spell/ward]\n".encode(),
    }


def told(made: dict[str, bytes]) -> list[str]:
    """Return the errors in a pack, each with the key where it is."""
    return [f"{mistake.key}: {mistake.reason}" for mistake in mistakes_in(made)]


def test_spells_and_backs_are_read() -> None:
    pack = load(files())

    ward = pack.spells["spell/ward"]
    assert [(back.id, back.copies) for back in ward.backs] == [
        ("back/ward-price", 2),
        ("back/ward-quiet", 1),
    ]
    assert ward.backs[0].effect[1:] == (effects.DiscardThis(), effects.GainSpell("spell/ward"))
    assert ward.attack == cards.Attack(
        cards.Reach.RANGED, cards.WeaponKind.SPELL, 2, (effects.FlipThis(),)
    )
    assert pack.items["item/lantern"].back == cards.ItemBack("back/lantern-lit", ("bright",))
    assert pack.scenarios["tiny/cellar"].starting_spells == ("spell/ward",)
    assert lint(pack) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            SPELLS[SPELLS.index("  backs:") :],
            "  backs: []\n",
            "spell/ward.backs: a Spell has two sides (rule TWOSIDED-1); write at least one back",
        ),
        (
            "kind: spell",
            "kind: firearm",
            "spell/ward.attack: one attacks with a Spell by the option 'spell'; write",
        ),
        (
            "gain_spell: spell/ward",
            "gain_spell: spell/wart",
            "there is no spell 'spell/wart'; did you mean 'spell/ward'?",
        ),
        ("copies: 1", "copies: 0", "back/ward-quiet.copies"),
        ("id: back/ward-quiet", "id: spell/ward-quiet", "back/"),
        ("id: back/ward-quiet", "id: back/ward-price", "a second time"),
    ],
)
def test_mistakes_in_spells_are_told(old: str, new: str, expected: str) -> None:
    assert SPELLS.count(old) == 1

    assert any(expected in line for line in told(files(SPELLS.replace(old, new))))


def test_a_spell_that_nothing_flips_is_told() -> None:
    """The front of a Spell must say when it flips. Rule SPELL-2."""
    silent = SPELLS.replace(", after: [flip_this: true]", "").replace(
        "        - flip_this: true\n", "        - say: cellar/over\n"
    )

    assert any("the front says when to flip the card" in line for line in told(files(silent)))


def test_an_item_with_one_side_cannot_be_flipped() -> None:
    flat = ITEMS[: ITEMS.index("  back:")]
    words = WORDS.replace("back/lantern-lit: {name: Back/Lantern-Lit}\n", "")

    (line,) = told(files(items=flat, words=words))
    assert line.startswith("item/lantern.back: 'flip_this' turns this card over, but it has no")


def test_only_a_card_can_be_this_card() -> None:
    made = files()
    cellar = made["scenarios/cellar.yaml"].decode()
    made["scenarios/cellar.yaml"] = cellar.replace(
        "- place_token: token/hatch", "- flip_this: true", 1
    ).encode()

    assert any("there is no card here that this could mean" in line for line in told(made))


def test_a_back_needs_its_name() -> None:
    words = WORDS.replace("back/ward-quiet: {name: Back/Ward-Quiet}\n", "")

    assert any("back/ward-quiet" in line for line in told(files(words=words)))


def test_a_spell_whose_back_is_no_secret_is_told() -> None:
    """If all copies have the same back, everybody knows it."""
    alike = SPELLS[: SPELLS.index("    - id: back/ward-quiet")]
    words = WORDS.replace("back/ward-quiet: {name: Back/Ward-Quiet}\n", "")

    findings = [str(finding) for finding in lint(load(files(alike, words=words)))]

    assert findings == ["tiny: spell/ward: all copies have one back, so that everybody knows it"]


def test_a_spell_that_no_scenario_deals_is_told() -> None:
    made = files()
    cellar = made["scenarios/cellar.yaml"].decode().replace("starting_spells: [spell/ward]\n", "")
    made["scenarios/cellar.yaml"] = cellar.encode()

    findings = [str(finding) for finding in lint(load(made))]

    assert findings == ["tiny: spell/ward: unused spell: no scenario brings it into play"]
