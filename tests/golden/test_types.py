"""Within a protocol number no kind changes: older clients of the number must understand it."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

FOLDER: Final = Path(__file__).parent / "types"
TODAY: Final = json.loads(
    (Path(__file__).parents[2] / "protocol" / "types.json").read_text("utf-8")
)
KEPT: Final = {
    int(path.stem): json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.iterdir())
}
KINDS: Final = ("login", "messages", "events", "earlier")
"""Lists of kinds, each with a tag."""
NAMED: Final = ("classes", "enumerations")

pytestmark = pytest.mark.issue(37)

Json = dict[str, Any]


def changes(kept: Json, today: Json) -> Iterator[str]:
    """Yield the kept types that today's types changed or lack; additions do not count."""
    for part in KINDS:
        now = {kind["tag"]: kind for kind in today[part]}
        for kind in kept[part]:
            if now.get(kind["tag"]) != kind:
                yield f"{part}: {kind['tag']}"
    for part in NAMED:
        for name, shape in kept[part].items():
            if today[part].get(name) != shape:
                yield f"{part}: {name}"
    for part in kept.keys() - {*KINDS, *NAMED, "versions", "claims_stand"}:
        if today.get(part) != kept[part]:
            yield part
    if not {*kept["claims_stand"]} <= {*today["claims_stand"]}:
        yield "claims_stand"


def test_no_kind_changes_within_a_number() -> None:
    """A change needs a new tag, or the next protocol number."""
    faults = {
        number: list(changes(KEPT[number], TODAY)) for number in TODAY["versions"] if number in KEPT
    }

    assert not any(faults.values()), faults


def test_each_number_that_is_no_longer_spoken_is_kept() -> None:
    """Number 5 is the first whose types were kept."""
    assert set(range(5, min(TODAY["versions"]))) <= KEPT.keys()
    assert {number: kept["versions"][-1] for number, kept in KEPT.items()} == {
        number: number for number in KEPT
    }


def widen(types: Json) -> None:
    """Add a field to a class, as once happened to `TableLine`."""
    types["classes"]["TableLine"]["fields"].append({"name": "more", "type": {"is": "text"}})


def bound(types: Json) -> None:
    types["messages"][0]["fields"][0]["type"]["at_most"] = 1


def rename(types: Json) -> None:
    """Remove a tag."""
    types["events"][3]["tag"] += "/9"


def add_member(types: Json) -> None:
    """Add a value to an enumeration: an older client cannot read it."""
    types["enumerations"]["Harm"].append("fright")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (widen, "classes: TableLine"),
        (bound, "messages: ping"),
        (rename, f"events: {TODAY['events'][3]['tag']}"),
        (add_member, "enumerations: Harm"),
    ],
)
def test_a_change_is_told(change: Callable[[Json], None], told: str) -> None:
    changed = copy.deepcopy(TODAY)
    change(changed)

    assert list(changes(TODAY, changed)) == [told]


def test_what_is_new_is_no_change() -> None:
    """Older clients of the number are never sent what they do not know."""
    grown = copy.deepcopy(TODAY)
    grown["messages"].append({"tag": "new", "by": "server", "fields": []})
    grown["classes"]["New"] = {"fields": []}

    assert list(changes(TODAY, grown)) == []
