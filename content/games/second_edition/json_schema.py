"""
The JSON Schemas of this game's files, bundled in `editors/`.

    python -m content.games.second_edition.json_schema            write the files again
    python -m content.games.second_edition.json_schema --check    fail if one differs
"""

import sys
from pathlib import Path

from content.games.second_edition.loader import FILE_CLASSES, LIST_FILES
from content.games.second_edition.reader_schema import SCHEMA
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.sentences import ALL
from content.generated import GeneratedFiles
from content.language.json_schema import Definition, Vocabulary, schema_files

_WHOLE: Definition = {"type": "integer"}
_VOCABULARY = Vocabulary(
    SCHEMA,
    ALL,
    own={
        Amount: {
            "anyOf": [
                _WHOLE,
                {"type": "boolean"},
                {
                    "type": "string",
                    "description": "An expression, such as: 2 * investigators + tide",
                },
                {"type": "array", "items": _WHOLE, "minItems": 5, "maxItems": 5},
                {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"base": _WHOLE, "each": _WHOLE},
                },
            ],
            "description": "A number, a list for one to five investigators, or an expression.",
        }
    },
    in_text={
        Requirement: {
            "type": "string",
            "description": "A comparison, such as: tide >= 3 and round < 9",
        }
    },
)


def files() -> dict[str, str]:
    """Return every schema file by its name, as text."""
    return schema_files(FILE_CLASSES, LIST_FILES, _VOCABULARY)


_FILES = GeneratedFiles(
    "content.games.second_edition.json_schema", Path(__file__).parent / "editors", "*.json", files
)
main, written = _FILES.main, _FILES.written

if __name__ == "__main__":
    sys.exit(main())
