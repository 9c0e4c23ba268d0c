"""
The changelog: gathers the fragments in `newsfragments/` under the number of a release.

This module replaces towncrier for two reasons. Towncrier takes everything in a file name before the
type as the issue, so that `15.metrics.feature.md` would belong to an issue `15.metrics`. And
towncrier cannot add to an existing section, but fragments may arrive after a section was gathered
and before the release is tagged.
"""

import re
import textwrap
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

CHANGELOG: Final = "CHANGELOG.md"
FRAGMENTS: Final = "newsfragments"
README: Final = "README.md"
TITLES: Final[Mapping[str, str]] = {
    "feature": "Added",
    "rules": "Rules",
    "content": "Content",
    "protocol": "Protocol and logs",
    "bugfix": "Fixed",
    "removal": "Removed",
    "misc": "Development",
}
"""The types of fragments and their headings, in the order of a section."""

_NAME: Final = re.compile(rf"(\d+)\.(?:([a-z-]+)\.)?({'|'.join(TITLES)})\.md")
_HEAD: Final = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)\n", re.MULTILINE)
_TITLE: Final = re.compile(r"^### (.+)\n", re.MULTILINE)

Entries = dict[str, list[str]]
"""The entries of a section by type, each as lines of Markdown that end with a line break."""


class BadChangelog(Exception):
    """A fragment or the changelog is malformed. The text names the file and the fault."""


def fragments(root: Path) -> list[Path]:
    """Return the fragments of a checkout, by issue, then by name. Raise BadChangelog on a fault."""
    paths = [path for path in (root / FRAGMENTS).iterdir() if path.name != README]
    return sorted(paths, key=lambda path: (int(_parts(path)[0]), path.name))


def gather(root: Path, version: str, day: str) -> int:
    """
    Move all fragments into the section of a release, which is created if it is missing.

    Args:
        version: the version of the release. If a section for this version exists, it must be the
            newest.
        day: the day of the release, as in 2026-11-23.

    Returns:
        The number of fragments.

    Raises:
        BadChangelog: nothing was changed.
    """
    taken = fragments(root)
    page = root / CHANGELOG
    head, sections = split(page.read_text("utf-8"))
    if version in sections and next(iter(sections)) != version:
        raise BadChangelog(f"{CHANGELOG} has a newer release than {version}")
    entries = _entries_in(sections.pop(version, ""))
    for path in taken:
        issue, kind = _parts(path)
        entries[kind].append(entry(path.read_text("utf-8"), issue))
    bodies = "".join(sections.values())
    page.write_text(f"{head}{section(version, day, entries)}{bodies}", "utf-8")
    # Only once the page is written: a failure before it loses no fragment.
    for path in taken:
        path.unlink()
    return len(taken)


def entry(text: str, issue: str) -> str:
    """Return a fragment as an item of a list, with the number of its issue."""
    return f"- {textwrap.indent(f'{text.strip()} (#{issue})', '  ')[2:]}\n"


def section(version: str, day: str, entries: Mapping[str, list[str]]) -> str:
    parts = [
        f"### {title}\n\n{''.join(entries[kind])}\n"
        for kind, title in TITLES.items()
        if entries.get(kind)
    ]
    return f"## {version} ({day})\n\n{''.join(parts)}"


def split(text: str) -> tuple[str, dict[str, str]]:
    """Return the text before the first section, and each whole section, by its version."""
    begins = [(found[1], found.start()) for found in _HEAD.finditer(text)]
    ends = [begin for _, begin in begins[1:]] + [len(text)]
    sections = {
        version: text[begin:end] for (version, begin), end in zip(begins, ends, strict=False)
    }
    return text[: begins[0][1]] if begins else f"{text.rstrip()}\n\n", sections


def _entries_in(text: str) -> Entries:
    """Parse the entries of a section. Raise BadChangelog for a title that no type has."""
    kinds = {title: kind for kind, title in TITLES.items()}
    _, *parts = _TITLE.split(text)
    found: Entries = defaultdict(list)
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        if title not in kinds:
            raise BadChangelog(f"{CHANGELOG} has an unknown title: {title}")
        found[kinds[title]].append(f"{body.strip()}\n")
    return found


def _parts(path: Path) -> tuple[str, str]:
    """Return the issue and the type of a fragment."""
    found = _NAME.fullmatch(path.name)
    if found is None:
        raise BadChangelog(f"{FRAGMENTS}/{path.name} is not named as {FRAGMENTS}/{README} says")
    return found[1], found[3]
