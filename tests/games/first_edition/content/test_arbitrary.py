"""Packs of strangers: whatever their files say, they are loaded and checked, or refused."""

import copy
import functools
import random
from collections.abc import Iterator
from typing import Any, Final

import pytest
import yaml

from content.games.first_edition.check import check
from content.games.first_edition.plug import KIND
from content.reading.remarks import Level
from tests.games.first_edition.content.packs import FILES, worded
from tests.kit import reading_yaml

DATA: Final = {
    name: reading_yaml.safe(text.decode()) for name, text in FILES.items() if name != "pack.yaml"
}
ODD: Final[tuple[Any, ...]] = (
    0,
    1,
    -1,
    99,
    "",
    None,
    True,
    [],
    {},
    "room/hall",
    "actor",
    "house/a",
)


class Dumper(yaml.SafeDumper):
    """Writes drawings as blocks, as packs have to."""


Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    ),
)


def values(inner: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list or mapping in a value with each of its keys."""
    keys = (
        inner if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else ()
    )
    for key in keys:
        yield inner, key
        yield from values(inner[key])


POOL: Final = [holder[key] for data in DATA.values() for holder, key in values(data)]


def spoiled(seed: int) -> dict[str, bytes]:
    """Return the tiny pack with one or two values of a file replaced, removed or repeated."""
    chance = random.Random(seed)
    name = chance.choice(sorted(DATA))
    data = copy.deepcopy(DATA[name])
    for _ in range(chance.choice([1, 1, 2])):
        holder, key = chance.choice([*values(data)])
        match chance.randrange(4):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[key]))
            case 2:
                holder[key] = copy.deepcopy(chance.choice(POOL))
            case _:
                holder[key] = copy.deepcopy(chance.choice(ODD))
        if not data:
            break
    text = yaml.dump(data, Dumper=Dumper, width=9999, sort_keys=False)
    return worded({**FILES, name: text.encode()})


@functools.cache
def levels_of(seed: int) -> frozenset[str]:
    return frozenset(remark.level for remark in check("tiny", spoiled(seed)))


@pytest.mark.parametrize(
    "seed", [0, 20, *(pytest.param(more, marks=pytest.mark.long) for more in range(40, 120, 20))]
)
def test_spoiled_pack_is_checked_or_refused(seed: int) -> None:
    for number in range(seed, seed + 20):
        if Level.MISTAKE.value not in levels_of(number):
            pack = KIND.load("tiny", spoiled(number))
            for entry in KIND.scenarios(pack):
                assert KIND.marked(pack, entry.id).everything
                assert list(KIND.map_lines(pack, entry.id, "en"))


def test_some_spoiled_packs_are_still_good() -> None:
    """Otherwise the linter would never be reached."""
    levels = [levels_of(seed) for seed in range(40)]

    assert any(Level.MISTAKE.value not in found for found in levels)
    assert any(Level.MISTAKE.value in found for found in levels)
