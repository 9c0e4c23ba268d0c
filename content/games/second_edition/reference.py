"""
The reference of all keys of a pack: `docs/language/reference.md`, made from the schema.

    python -m content.games.second_edition.reference            write the page again
    python -m content.games.second_edition.reference --check    fail if it differs
"""

import sys
from pathlib import Path

from content.games.second_edition.loader import FILE_CLASSES, LIST_FILES
from content.games.second_edition.reader_schema import SCHEMA
from content.games.second_edition.schema.effects import Amount, Step
from content.games.second_edition.schema.kinds import PLACES
from content.games.second_edition.schema.numbers import BUILT_IN
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.schema.targets import Which, WhichMonsters, Who, Whom
from content.games.second_edition.sentences import ALL
from content.generated import GeneratedFiles
from content.language.reference_page import Reference

PAGE = Path(__file__).parents[3] / "docs" / "language" / "reference.md"

REFERENCE = Reference(
    introduction="""\
# Reference

Every key that can stand in the files of a pack, with what may stand under it, what it is if it is
left out, and what it means. The chapters beside this page say it in order, with examples. This page
is made from the schema by `python -m content.games.second_edition.reference`.

A *number* is a whole number, a list of five, a mapping with `base:` and `each:`, or an expression,
as [Numbers](numbers.md) says. An *effect* is a list of [steps](#steps). A *text* is the subject of
words.
""",
    files=FILE_CLASSES,
    lists=LIST_FILES,
    shown={"scenario.yaml": "scenarios/*.yaml"},
    families={
        Step: ("Steps", "What an effect is made of: each a mapping with one of these keys."),
        Requirement: (
            "Requirements",
            "Questions to the table: each a mapping with one of these keys, or a comparison.",
        ),
        Whom: ("Choices of investigators", "In place of a word of `Who`: a mapping with one key."),
        WhichMonsters: ("Choices of monsters", "In place of a word of `Which`."),
    },
    phrases={Amount: "a number", (int, Amount): "a number", (Step,): "an effect"},
    links={Who: "a word", Which: "a word"},
    schema=SCHEMA,
    sentences=ALL,
    appendix=[
        *("### Numbers with a name", "", "| Name | What it stands for |", "| --- | --- |"),
        *(f"| `{name}` | {said} |" for name, said in BUILT_IN.items()),
        *("", "### Words for a space", "", ", ".join(f"`{word}`" for word in sorted(PLACES))),
    ],
)

main = GeneratedFiles(
    "content.games.second_edition.reference",
    PAGE.parent,
    PAGE.name,
    lambda: {PAGE.name: REFERENCE.page()},
).main

if __name__ == "__main__":
    sys.exit(main())
