"""
The JSON Schemas of this game's files, bundled in `editors/`.

    python -m content.games.first_edition.json_schema            write the files again
    python -m content.games.first_edition.json_schema --check    fail if one differs
"""

import sys
from pathlib import Path

from content.games.first_edition.loader import FILE_CLASSES, LIST_FILES
from content.games.first_edition.reader_schema import SCHEMA
from content.games.first_edition.sentences import ALL
from content.generated import GeneratedFiles
from content.language.json_schema import Vocabulary, schema_files

_VOCABULARY = Vocabulary(SCHEMA, ALL)


def files() -> dict[str, str]:
    """Return every schema file by its name, as text."""
    return schema_files(FILE_CLASSES, LIST_FILES, _VOCABULARY)


_FILES = GeneratedFiles(
    "content.games.first_edition.json_schema", Path(__file__).parent / "editors", "*.json", files
)
main, written = _FILES.main, _FILES.written

if __name__ == "__main__":
    sys.exit(main())
