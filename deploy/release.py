"""
The command `python -m deploy.release`, which `make release`, `make dist` and `make changelog` run.

Nothing is uploaded, tagged or committed.
"""

import argparse
import datetime as dt
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from commands.release import SHOWN
from deploy import building, changelog, checking

ROOT: Final = Path(__file__).parents[1]
DIST: Final = "dist"
TYPES: Final = "protocol/types.json"


class NotReady(Exception):
    """This checkout cannot be released; the text gives the reason."""


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """
    Run a command.

    Returns:
        The exit status: 0, or 1 if the command has printed a fault.
    """
    commands: dict[str, Callable[[Path], None]] = {
        "changelog": gather,
        "dist": make,
        "release": release,
    }
    parser = argparse.ArgumentParser(prog="python -m deploy.release", description=__doc__)
    parser.add_argument("command", choices=commands)
    chosen = parser.parse_args(arguments).command
    try:
        commands[chosen](root)
    except (NotReady, changelog.BadChangelog, checking.Unfit, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def gather(root: Path) -> None:
    """Move the fragments into the changelog, under the version of `pyproject.toml` and today."""
    version = building.version_of(root)
    today = dt.datetime.now(dt.UTC).date().isoformat()
    count = changelog.gather(root, version, today)
    print(f"{count} fragments went into {changelog.CHANGELOG} under {version}.")


def release(root: Path) -> None:
    """Make `dist/` from a commit that is ready. Raise NotReady if it is not."""
    faults = list(unready(root))
    if faults:
        raise NotReady("\n".join(("This is not ready to be released:", *faults)))
    make(root, newest=True)


def unready(root: Path) -> list[str]:
    """Return the steps that are missing before this checkout can be released."""
    version = building.version_of(root)
    _, sections = changelog.split((root / changelog.CHANGELOG).read_text("utf-8"))
    left = len(changelog.fragments(root))
    tagged = building.git(root, "tag", "--list", f"v{version}").strip()
    is_here = tagged and building.git(root, "tag", "--list", tagged, "--points-at", "HEAD").strip()
    found = (
        (building.git(root, "status", "--porcelain"), "- there are changes that are not committed"),
        (left, f"- {left} fragments are in no release: make changelog"),
        (version not in sections, f"- {changelog.CHANGELOG} says nothing of {version}"),
        (
            tagged and not is_here,
            f"- {tagged} is another commit: give pyproject.toml a new version",
        ),
        *unkept_types(root),
    )
    return [fault for is_so, fault in found if is_so]


def unkept_types(root: Path) -> list[tuple[object, str]]:
    """
    Return a check for `unready`: whether this version's types are missing, and how to add them.

    Empty if the checkout has no types.
    """
    types = root / TYPES
    if not types.exists():
        return []
    number = max(json.loads(types.read_text("utf-8"))["versions"])
    kept = f"tests/golden/types/{number}.json"
    return [(not (root / kept).exists(), f"- nothing keeps these types: cp {TYPES} {kept}")]


def make(root: Path, *, newest: bool = False) -> None:
    """Build the release into `dist/`, replacing its contents, and check the release."""
    folder = root / DIST
    shutil.rmtree(folder, ignore_errors=True)
    built = building.build(root, folder, building.time_of_commit(root))
    for path in sorted(folder.iterdir()):
        print(f"{building.digest(path)}  {DIST}/{path.name}")
    checking.check(built, named(root), lambda line: print(f"checked {line}"), newest=newest)


def named(root: Path) -> str:
    """Return the release and commit of a checkout, as its built files must print them."""
    version, commit = building.version_of(root), building.commit_of(root)
    return f"{version} ({commit[:SHOWN]})" if commit else version


if __name__ == "__main__":
    sys.exit(main())
