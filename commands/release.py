"""The release and the commit of the running program, as `manse --version` prints them."""

import re
from importlib.metadata import version
from pathlib import Path
from typing import Final

BUILT: Final = "commit.txt"
"""The name of a file beside this module into which the build of a release writes its commit."""

_ROOT: Final = Path(__file__).parents[1]
SHOWN: Final = 12
"""The number of digits of a commit that are shown."""


def release_and_commit(root: Path = _ROOT) -> str:
    """Return the release, and the commit in brackets if it is known."""
    commit = commit_of(root)
    return version("manse") + (f" ({commit[:SHOWN]})" if commit else "")


def commit_of(root: Path) -> str:
    """
    Return the commit of an installation or a checkout in hexadecimal digits; empty if unknown.

    Git's files are read directly, because the program git may be missing, or may refuse to read a
    checkout that belongs to another user.
    """
    try:
        built = root / "commands" / BUILT
        text = built.read_text("ascii") if built.exists() else _head(root / ".git")
    except (OSError, UnicodeError):
        return ""
    return text.strip() if re.fullmatch("[0-9a-f]{40,64}", text.strip()) else ""


def _head(git: Path) -> str:
    if git.is_file():
        # The folder of a second work tree is elsewhere.
        git = git.parent / git.read_text("utf-8").removeprefix("gitdir:").strip()
    head = (git / "HEAD").read_text("utf-8").strip()
    if not head.startswith("ref: "):
        return head
    # A second work tree keeps its branches in the repository of the first.
    name, shared = head.removeprefix("ref: "), git / "commondir"
    common = git / shared.read_text("utf-8").strip() if shared.exists() else git
    if (common / name).exists():
        return (common / name).read_text("utf-8")
    # Git moves branches that change rarely into one file.
    packed = (common / "packed-refs").read_text("utf-8")
    found = re.search(rf"^([0-9a-f]+) {re.escape(name)}$", packed, re.MULTILINE)
    return "" if found is None else found[1]
