"""Files that are made from the schema of a game and kept beside it: JSON Schemas, the reference."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs


@attrs.frozen
class GeneratedFiles:
    """Some files of a folder, with the command that writes them again."""

    command: str
    """The module that is run for it."""
    folder: Path
    pattern: str
    """Pattern of their names in the folder."""
    made: Callable[[], Mapping[str, str]]
    """Returns each file by its name, as text."""

    def written(self) -> dict[str, str]:
        """Return the files as they are in the folder."""
        found = sorted(self.folder.glob(self.pattern))
        return {path.name: path.read_text("utf-8") for path in found}

    def main(self, arguments: list[str] | None = None) -> int:
        """Write the files; with `--check`, return 1 if they are not current."""
        parser = argparse.ArgumentParser(prog=f"python -m {self.command}")
        parser.add_argument("--check", action="store_true", help="write nothing")
        options = parser.parse_args(arguments)
        wanted = self.made()
        if options.check:
            return 0 if wanted == self.written() else 1
        for name in self.written().keys() - wanted.keys():
            (self.folder / name).unlink()
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, text in wanted.items():
            (self.folder / name).write_text(text, "utf-8")
        return 0
