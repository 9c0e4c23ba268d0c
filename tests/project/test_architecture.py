"""ARCHITECTURE.md names only existing files, folders, modules, classes and tests."""

import functools
import importlib
import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "ARCHITECTURE.md"
PACKAGES: Final = ("commands", "protocol", "content", "server", "client", "tests")
LAYERS: Final = ("protocol", "content", "server", "client")
A_FILE: Final = re.compile(r"[\w/]+(?:/|\.(?:py|json|md|yaml))")
A_NAME: Final = re.compile(rf"(?:{'|'.join(PACKAGES)})(?:\.\w+)+")
A_CLASS: Final = re.compile(r"([A-Z]\w+)(?:\.(\w+))?")
A_TEST: Final = re.compile(r"test_\w+")

pytestmark = pytest.mark.issue(11)


@functools.cache
def files() -> tuple[str, ...]:
    """Return all our files and folders below the root; folders end with a slash."""
    ours = (ROOT, *(ROOT / name for name in (*PACKAGES, "bench", "docs", "deploy", "requirements")))
    found = [*ROOT.iterdir(), *(path for top in ours[1:] for path in top.rglob("*"))]
    names = [f"/{path.relative_to(ROOT)}{'/' if path.is_dir() else ''}" for path in found]
    return tuple(names)


@functools.cache
def source() -> str:
    """Return all of our code as one text."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return "\n".join(path.read_text("utf-8") for path in paths)


def exists(name: str) -> bool:
    """True if text in backticks names an existing thing, or is no name in the code."""
    if A_NAME.fullmatch(name):
        return is_importable(name)
    if A_FILE.fullmatch(name):
        return any(there.endswith(f"/{name}") for there in files())
    if A_TEST.fullmatch(name):
        return f"def {name}(" in source()
    if found := A_CLASS.fullmatch(name.partition("[")[0]):
        return is_class(found[1]) and (found[2] is None or is_member(found[2]))
    return True


def is_importable(name: str) -> bool:
    """True if a dotted name is a module, or something inside one."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def is_class(name: str) -> bool:
    """True if a class or another module-level name is declared somewhere."""
    return (
        re.search(rf"^(?:class {name}\b|{name}\b(?:: [^=\n]+)? = )", source(), re.MULTILINE)
        is not None
    )


def is_member(name: str) -> bool:
    """True if a method or a field of this name is declared somewhere."""
    return (
        re.search(rf"^    (?:(?:async )?def {name}\(|{name}: )", source(), re.MULTILINE) is not None
    )


def named(text: str) -> list[str]:
    """Return the texts in backticks outside code blocks."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return sorted(set(re.findall(r"`([^`\n]+)`", prose)))


def test_what_it_names_exists() -> None:
    assert [name for name in named(PAGE.read_text("utf-8")) if not exists(name)] == []


def test_every_folder_has_a_row() -> None:
    firsts = re.findall(r"^\| (`[^|]+`) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    rows = re.findall(r"`([a-z]+/[a-z]+/)`", " ".join(firsts))
    folders = [
        f"{path.parent.name}/{path.name}/"
        for layer in LAYERS
        for path in sorted((ROOT / layer).iterdir())
        if (path / "__init__.py").exists()
    ]

    assert sorted(set(folders) - set(rows)) == []
    assert sorted(row for row in rows if not (ROOT / row).is_dir()) == []


@pytest.mark.parametrize(
    "name",
    [
        "server/lobby/curtain.py",
        "server/rooms/",
        "server.kernel.conductor",
        "protocol.event.slice",
        "server.kernel.room.Room.accept",
        "Conductor",
        "Room.accepts_nothing",
        "test_nothing_at_all",
    ],
)
def test_a_name_of_nothing_is_found(name: str) -> None:
    assert not exists(name)
