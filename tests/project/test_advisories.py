"""No locked dependency has a hole that the list of advisories knows; `make audit` asks online."""

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
    """Return whether a version has the hole that an advisory tells of."""
    if version in advisory["versions"]:
        return True
    return any(
        Version(span["introduced"]) <= Version(version)
        and (span["fixed"] is None or Version(version) < Version(span["fixed"]))
        for span in advisory["ranges"]
    )


def holes(pinned: Mapping[str, str]) -> list[str]:
    """Return the advisories that hold for locked dependencies, given as a lock has them."""
    versions = {name: pin.partition(";")[0].removeprefix("==") for name, pin in pinned.items()}
    return [
        f"{one['package']} {versions[one['package']]}: {one['id']}"
        for one in KNOWN["advisories"]
        if one["package"] in versions and is_affected(one, versions[one["package"]])
    ]


@pytest.mark.parametrize("lock", LOCKS)
def test_no_locked_dependency_has_a_known_hole(lock: str) -> None:
    """As far as was known at the date of the list."""
    assert holes(pins(lock)) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_the_list_was_asked_for_every_locked_dependency(lock: str) -> None:
    """A new one needs the list made anew, by `requirements/advisories`."""
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
    """One of each of the packages that had some."""
    assert any(hole.endswith(advisory) for hole in holes({name: pin}))
