"""Every class that the screens of the first edition name has a look."""

import re
from pathlib import Path

import client.games.first_edition as own
from client.games.first_edition.styles import LOOKS as OWN
from client.widgets.looks import LOOKS


def used() -> set[str]:
    """Return the classes in the sources; of one put together, the part that is always there."""
    return {
        name.rstrip(".")
        for path in Path(own.__path__[0]).rglob("*.py")
        for name in re.findall(r"class:([a-z_.0-9]+)", path.read_text("utf-8"))
    }


def test_every_class_has_a_look() -> None:
    assert len(used()) > 10
    assert used() - {*LOOKS, *OWN} == set()
    assert LOOKS.keys().isdisjoint(OWN)


def test_no_look_is_there_for_nothing() -> None:
    """Of `feature.fire` the part before the dot is named; `figure` is put together elsewhere."""
    named = {name.partition(".")[0] for name in used()} | {"figure"}

    assert {name for name in OWN if name.partition(".")[0] not in named} == set()
