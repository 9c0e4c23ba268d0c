"""
The JSON Schemas of this game's files, bundled in `editors/`.

    python -m content.games.cards.json_schema            write the files again
    python -m content.games.cards.json_schema --check    fail if one differs
"""

import argparse
import sys
from pathlib import Path

from content.games.cards.loader import FILE_CLASSES, LIST_FILES
from content.games.cards.reader_schema import SCHEMA
from content.games.cards.sentences import ALL
from content.language.json_schema import Vocabulary, schema_files

FOLDER = Path(__file__).parent / "editors"

_VOCABULARY = Vocabulary(SCHEMA, ALL)


def files() -> dict[str, str]:
    """Return every schema file by its name, as text."""
    return schema_files(FILE_CLASSES, LIST_FILES, _VOCABULARY)


def main(arguments: list[str] | None = None) -> int:
    """Write the schema files; with `--check`, return 1 if they are not current."""
    parser = argparse.ArgumentParser(prog="python -m content.games.cards.json_schema")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    wanted = files()
    if options.check:
        return 0 if wanted == written() else 1
    for name in written().keys() - wanted.keys():
        (FOLDER / name).unlink()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, "utf-8")
    return 0


def written() -> dict[str, str]:
    """Return the bundled schema files."""
    return {path.name: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.json"))}


if __name__ == "__main__":
    sys.exit(main())
