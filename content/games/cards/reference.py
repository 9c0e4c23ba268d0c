"""
The reference of all keys of a pack: `docs/cards/reference.md`, made from the schema.

    python -m content.games.cards.reference            write the page again
    python -m content.games.cards.reference --check    fail if it differs
"""

import sys
from pathlib import Path

from content.games.cards.loader import FILE_CLASSES, LIST_FILES
from content.games.cards.reader_schema import SCHEMA
from content.games.cards.schema.conditions import Condition
from content.games.cards.schema.costs import Cost
from content.games.cards.schema.modifiers import Modifier
from content.games.cards.schema.steps import Step
from content.games.cards.schema.targets import TheCard, Which, Who, Whom
from content.games.cards.sentences import ALL
from content.generated import GeneratedFiles
from content.language.reference_page import Reference

PAGE = Path(__file__).parents[3] / "docs" / "cards" / "reference.md"

REFERENCE = Reference(
    introduction="""\
# Reference of the card game

Every key that can stand in the files of a pack for the card game, with what may stand under it,
what it is if it is left out, and what it means. [Cards and scenarios](README.md) says it in order,
with examples. This page is made from the schema by `python -m content.games.cards.reference`.

An *effect* is a list of [steps](#steps). Ids such as C-BABIL-9 are those of the rules.
""",
    files=FILE_CLASSES,
    lists=LIST_FILES,
    shown={"scenario.yaml": "scenarios/*.yaml"},
    families={
        Step: ("Steps", "What an effect is made of: each a mapping with one of these keys."),
        Condition: ("Conditions", "Questions to the table: each a mapping with one of these keys."),
        Cost: ("Costs", "What is paid: each a mapping with one of these keys."),
        Modifier: (
            "Modifiers",
            "What abilities and lasting effects give: each a mapping with one of these keys.",
        ),
        Which: ("Choices of cards", "In place of a word of `TheCard`: a mapping with one key."),
        Whom: ("Choices of investigators", "In place of a word of `Who`: a mapping with one key."),
    },
    phrases={(Step,): "an effect"},
    links={Who: "a word", TheCard: "a word"},
    schema=SCHEMA,
    sentences=ALL,
    appendix=[],
)

main = GeneratedFiles(
    "content.games.cards.reference", PAGE.parent, PAGE.name, lambda: {PAGE.name: REFERENCE.page()}
).main

if __name__ == "__main__":
    sys.exit(main())
