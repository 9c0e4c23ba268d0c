"""
The reference of all keys of a pack: `docs/first-edition/reference.md`, made from the schema.

    python -m content.games.first_edition.reference            write the page again
    python -m content.games.first_edition.reference --check    fail if it differs
"""

import sys
from pathlib import Path

from content.games.first_edition.loader import FILE_CLASSES, LIST_FILES
from content.games.first_edition.reader_schema import SCHEMA
from content.games.first_edition.schema.effects import Step
from content.games.first_edition.schema.kinds import PLACES
from content.games.first_edition.schema.requirements import Requirement
from content.games.first_edition.schema.targets import Which, WhichMonsters, Who, Whom
from content.games.first_edition.sentences import ALL
from content.generated import GeneratedFiles
from content.language.reference_page import Reference

PAGE = Path(__file__).parents[3] / "docs" / "first-edition" / "reference.md"

REFERENCE = Reference(
    introduction="""\
# Reference of the first edition

Every key that can stand in the files of a pack for the first edition, with what may stand under it,
what it is if it is left out, and what it means. [Stories with a keeper](README.md) says it in
order, with examples. This page is made from the schema by
`python -m content.games.first_edition.reference`.

An *effect* is a list of [steps](#steps). A *text* is the subject of words.
""",
    files=FILE_CLASSES,
    lists=LIST_FILES,
    shown={"scenario.yaml": "scenarios/*.yaml"},
    families={
        Step: ("Steps", "What an effect is made of: each a mapping with one of these keys."),
        Requirement: (
            "Requirements",
            "Questions to the table: each a mapping with one of these keys.",
        ),
        Whom: ("Choices of investigators", "In place of a word of `Who`: a mapping with one key."),
        WhichMonsters: ("Choices of monsters", "In place of a word of `Which`."),
    },
    phrases={(Step,): "an effect"},
    links={Who: "a word", Which: "a word"},
    schema=SCHEMA,
    sentences=ALL,
    appendix=[
        *("### Words for a place", "", ", ".join(f"`{word}`" for word in sorted(PLACES))),
    ],
)

main = GeneratedFiles(
    "content.games.first_edition.reference",
    PAGE.parent,
    PAGE.name,
    lambda: {PAGE.name: REFERENCE.page()},
).main

if __name__ == "__main__":
    sys.exit(main())
