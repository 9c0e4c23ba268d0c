"""Files that are made from a schema, and bundled: written again, or compared with what there is."""

import argparse
from collections.abc import Mapping
from pathlib import Path


def write(
    program: str,
    folder: Path,
    wanted: Mapping[str, str],
    arguments: list[str] | None = None,
    *,
    of_kind: str = "",
) -> int:
    """
    Write generated files; with `--check`, return 1 if they are not current.

    Args:
        program: the module that is run, as in `python -m`.
        folder: the folder of the files.
        wanted: the files by name, as text.
        arguments: the arguments of the command line; those of the process by default.
        of_kind: a pattern of names. Other files with such names are stale, and are removed.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {program}")
    parser.add_argument("--check", action="store_true", help="write nothing")
    names = {path.name for path in folder.glob(of_kind)} if of_kind else set(wanted)
    if parser.parse_args(arguments).check:
        is_there = names == wanted.keys() and all((folder / name).is_file() for name in names)
        is_same = is_there and all((folder / n).read_text("utf-8") == wanted[n] for n in names)
        return 0 if is_same else 1
    for name in names - wanted.keys():
        (folder / name).unlink()
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in wanted.items():
        (folder / name).write_text(text, "utf-8")
    return 0
