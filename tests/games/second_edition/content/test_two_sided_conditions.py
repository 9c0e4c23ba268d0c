"""Two-sided Conditions in a pack: content and errors."""

import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.schema import effects
from tests.games.second_edition.content.packs import FILES, load, mistakes_in

HUNTED = """
- id: condition/hunted
  powers:
    action:
      effect:
        - flip_this: true
  backs:
    - id: back/hunted-dog
      copies: 2
      effect:
        - discard_this: true
    - id: back/hunted-stopped
      copies: 1
      traits: [fear]
      powers:
        modifiers:
          - {kind: dice, amount: -1}
"""
NAMES = ("condition/hunted", "back/hunted-dog", "back/hunted-stopped")
WORDS = "".join(f"{name}: {{name: {name.title()}}}\n" for name in NAMES)
STEP = "- place_token: token/hatch"

pytestmark = pytest.mark.issue(16)


def files(card: str = HUNTED, words: str = WORDS, *steps: str) -> dict[str, bytes]:
    """Return the tiny pack with this Condition, which its setup gives to everybody."""
    cellar = "scenarios/cellar.yaml"
    told = FILES[cellar].decode()
    line = next(line for line in told.splitlines() if line.lstrip().startswith(STEP))
    indent = line[: len(line) - len(line.lstrip())]
    added = ["- become: {condition: condition/hunted, who: all}", *steps]
    more = "".join(f"\n{indent}{step}" for step in added)
    return {
        **FILES,
        "conditions.yaml": FILES["conditions.yaml"] + card.encode(),
        "words/en/two-sided.yaml": words.encode(),
        "words/fr/two-sided.yaml": words.encode(),
        cellar: told.replace(line, line + more, 1).encode(),
    }


def told(made: dict[str, bytes]) -> list[str]:
    """Return the errors in a pack, each with the key where it is."""
    return [f"{mistake.key}: {mistake.reason}" for mistake in mistakes_in(made)]


def test_backs_of_a_condition_are_read() -> None:
    pack = load(files())

    hunted = pack.conditions["condition/hunted"]
    assert hunted.total == 3
    assert [(back.id, back.copies) for back in hunted.backs] == [
        ("back/hunted-dog", 2),
        ("back/hunted-stopped", 1),
    ]
    assert hunted.backs[0].effect == (effects.DiscardThis(),)
    assert lint(pack) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "- id: condition/hunted",
            "- id: condition/hunted\n  copies: 3",
            "condition/hunted.copies: each back has its own copies; leave these out",
        ),
        (
            HUNTED[HUNTED.index("  powers:\n    action:") :],
            "",
            "condition/hunted.copies: there are none of this card; write copies, or backs",
        ),
        (
            HUNTED[HUNTED.index("  backs:") :],
            "  copies: 3\n",
            "condition/hunted.backs: 'flip_this' turns this card over, but it has no other side",
        ),
        ("copies: 1", "copies: 0", "back/hunted-stopped.copies"),
        ("id: back/hunted-stopped", "id: condition/hunted-stopped", "back/"),
        ("id: back/hunted-stopped", "id: back/hunted-dog", "a second time"),
    ],
)
def test_mistakes_in_two_sided_conditions_are_told(old: str, new: str, expected: str) -> None:
    assert HUNTED.count(old) == 1

    assert any(expected in line for line in told(files(HUNTED.replace(old, new))))


def test_a_card_that_the_rules_give_has_one_side() -> None:
    """The rules give Wounded without drawing a copy, so it cannot have several backs."""
    wounded = "- id: condition/wounded\n"
    of_rules = (
        FILES["conditions.yaml"]
        .decode()
        .replace(wounded, f"{wounded}  backs: [{{id: back/wounded, copies: 2}}]\n")
    )
    made = {**files(), "conditions.yaml": (of_rules + HUNTED).encode()}

    assert any("the rules give this card, which has no other side" in line for line in told(made))


def test_a_back_needs_its_name() -> None:
    words = WORDS.replace("back/hunted-dog: {name: Back/Hunted-Dog}\n", "")

    assert any("back/hunted-dog" in line for line in told(files(words=words)))


@pytest.mark.parametrize(
    ("card", "steps", "expected"),
    [
        (HUNTED.replace("- flip_this: true", "- gain_clues: {}"), (), "nothing flips it"),
        (
            HUNTED[: HUNTED.index("  powers:\n    action:")] + "  copies: 3\n",
            ("- flip_condition: {condition: condition/hunted}",),
            "'flip_condition' turns it over; it has no other side",
        ),
        (
            HUNTED[: HUNTED.index("    - id: back/hunted-stopped")],
            (),
            "all copies have one back, so that everybody knows it",
        ),
    ],
)
def test_the_linter_finds_backs_that_are_no_secret_or_never_read(
    card: str, steps: tuple[str, ...], expected: str
) -> None:
    ids = [name for name in NAMES if f"id: {name}\n" in card]
    words = "".join(f"{name}: {{name: {name.title()}}}\n" for name in ids)

    findings = lint(load(files(card, words, *steps)))

    assert [expected in finding.reason for finding in findings] == [True]


def test_an_insane_condition_is_flipped_by_nothing() -> None:
    """Only its owner may read its back, so a step that flips it would do nothing."""
    step = "- flip_condition: {condition: condition/insane}"

    findings = lint(load(files(HUNTED, WORDS, step)))

    assert [finding.reason for finding in findings] == [
        "'flip_condition' turns none over; leave it out"
    ]


def test_a_scenario_that_flips_it_is_enough() -> None:
    silent = HUNTED.replace("- flip_this: true", "- gain_clues: {}")

    findings = lint(
        load(files(silent, WORDS, "- flip_condition: {condition: condition/hunted, who: all}"))
    )

    assert findings == []
