"""The locks pin everything by hash, and do not say from where it is fetched."""

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[2]
LOCKS: Final = ("run", "dev", "lock", "audit")


def entries(name: str) -> list[str]:
    """Read a lock: one logical line for each distribution, without comments."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    joined = re.sub(r" *#.*", "", text).replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip()]


def pins(name: str) -> dict[str, str]:
    """Return the requirement of each distribution, without hashes."""
    wanted = [Requirement(line.split("--hash")[0].strip()) for line in entries(name)]
    return {canonicalize_name(one.name): f"{one.specifier};{one.marker}" for one in wanted}


@pytest.mark.parametrize("name", LOCKS)
def test_every_line_is_a_pin_with_hashes(name: str) -> None:
    """An option, an address or an open version would let something unhashed in."""
    whole = re.compile(r"[\w.-]+==[\w.]+( ; [^-]+?)?( +--hash=sha256:[0-9a-f]{64})+ *")

    assert [line for line in entries(name) if not whole.fullmatch(line)] == []


def test_what_tests_use_is_what_is_played_with() -> None:
    assert pins("run").items() <= pins("dev").items()


def test_the_locks_serve_the_project() -> None:
    """If it fails, run `make lock`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = project["dependency-groups"]
    asked = [*project["project"]["dependencies"], *groups["build"]]

    served = {
        "run": asked,
        "dev": asked + groups["dev"],
        "lock": groups["lock"],
        "audit": groups["audit"],
    }
    for lock, wanted in served.items():
        names = {canonicalize_name(Requirement(one).name) for one in wanted}
        assert names <= pins(lock).keys()
    assert project["build-system"]["requires"] == groups["build"]
