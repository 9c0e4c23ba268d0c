"""Locked dependencies have no known vulnerability of the stored list; `make audit` asks online."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from packaging.version import Version

from tests.project.test_locks import LOCKS, pins

ROOT: Final = Path(__file__).parents[2]
KNOWN: Final[Mapping[str, Any]] = json.loads(
    (ROOT / "requirements" / "advisories.json").read_text("utf-8")
)

pytestmark = pytest.mark.issue(13)


def is_affected(advisory: Mapping[str, Any], version: str) -> bool:
    """True if a version has the vulnerability of an advisory."""
    if version in advisory["versions"]:
        return True
    return any(
        Version(span["introduced"]) <= Version(version)
        and (span["fixed"] is None or Version(version) < Version(span["fixed"]))
        for span in advisory["ranges"]
    )


def holes(pinned: Mapping[str, str]) -> list[str]:
    """Return the advisories that apply to locked dependencies, given as lines of a lock."""
    versions = {name: pin.partition(";")[0].removeprefix("==") for name, pin in pinned.items()}
    return [
        f"{one['package']} {versions[one['package']]}: {one['id']}"
        for one in KNOWN["advisories"]
        if one["package"] in versions and is_affected(one, versions[one["package"]])
    ]


@pytest.mark.parametrize("lock", LOCKS)
def test_no_locked_dependency_has_a_known_hole(lock: str) -> None:
    assert holes(pins(lock)) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_the_list_was_asked_for_every_locked_dependency(lock: str) -> None:
    """After adding a dependency, update the list by `requirements/advisories`."""
    assert pins(lock).keys() <= {*KNOWN["packages"]}


@pytest.mark.parametrize(
    ("name", "pin", "advisory"),
    [
        ("twisted", "==24.3.0;None", "PYSEC-2024-75"),
        ("pyyaml", "==5.3;None", "PYSEC-2020-96"),
        ("pyopenssl", "==17.4.0;None", "PYSEC-2018-23"),
    ],
)
def test_a_dependency_with_a_known_hole_is_found(name: str, pin: str, advisory: str) -> None:
    assert any(hole.endswith(advisory) for hole in holes({name: pin}))
