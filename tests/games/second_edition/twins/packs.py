"""Random packs: the house with its content rearranged and with more secrets.

The house uses the whole schema (`tests.games.second_edition.coverage`). A random pack edits its
files as trees: steps are moved, removed, doubled or wrapped, and possible events depend on dealt
numbers and secret choices. The real loader reads the result. If it refuses the pack, another one is
made.
"""

import copy
import functools
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any
from zlib import crc32

import attrs
import yaml

from content.games.second_edition.loader import load_pack
from content.games.second_edition.schema.pack import Pack
from content.language.walk import parts_in
from content.reading.files import read_files
from content.reading.meanings import Declares, mark_of
from content.reading.mistakes import ContentErrors
from content.reading.words import LANGUAGES
from tests.games.second_edition.coverage import (
    LEFT_AS_THEY_ARE,
    SCHEMA,
    fields_of_schema,
)
from tests.games.second_edition.house_pack import FOLDER, _subjects, house
from tests.games.second_edition.twins.varying import Varying, unshared
from tests.kit.vocabulary import classes_of, named

HELD = ("effect", "then", "otherwise", "failed")
"""Fields that hold lists of steps."""
SECRETS = ("fog", "mist", "haze")
"""Counters of every random scenario, each dealt a number from 1 to 3."""
ON_CARDS = ("fear", "injury")
"""Traits of Horror and Damage cards. Facedown cards have them too, and nobody may notice."""
TRIES = 50
SHARES = 12
"""Number of consecutive packs of which one changes a given field of the schema."""
ROUNDS = 3
"""Number of attempts to change a field, each in another place."""
Tree = dict[str, Any]

AS_IN_THE_HOUSE = frozenset(
    [
        *LEFT_AS_THEY_ARE,
        # All else knows a thing by its id.
        *(
            f"{named(made)}.id"
            for made in classes_of(SCHEMA)
            if attrs.has(made) and mark_of(Declares, made, "id") is not None
        ),
        # What a file implies.
        "cards.HarmCard.harm",
        # The pack itself, of which the files make the fields.
        *(f"{named(Pack)}.{field.name}" for field in attrs.fields(Pack)),
        # A drawing tells its spaces and walls, and all else knows them by its letters.
        *("scenario.Tile.drawing", "shared.PackTile.drawing"),
        # The players are chosen before the pack is made.
        "scenario.Scenario.investigators",
        # They fit together, and one alone cannot change.
        *("puzzles.Slide.columns", "puzzles.Slide.picture", "puzzles.Slide.rows"),
        # Two spaces with a wall between them, and a text for a timer that is seen.
        *("scenario.DoorToken.between", "timers.Timer.seen"),
        # A scenario of the house has one at most, whose own fields are changed.
        "encounter.PlaceInvestigator.toward",
        # The house has one to name, no two.
        *("board.Spawn.trait", "board_steps.MoveToken.token", "course.Draw.deck"),
        *("board_steps.HealPerson.token", "board_steps.HurtPerson.token"),
        *("requirements.Enabled.product", "scenario.Tile.of", "targets.OfTrait.trait"),
    ]
)
"""Fields that random packs do not change."""
WRITTEN_AS_TEXT = (
    *("base.Amount.formula", "base.Amount.listed", "formulas.", "requirements.Comparison."),
    *("targets.NamedMonster.", "targets.OneInvestigator."),
)
"""
Prefixes of the fields of parts written as one word, line or list: a change rewrites the whole part.
"""


class _Loader(yaml.SafeLoader):
    """YAML loader that keeps words as text: `on` is a key of triggers."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.endswith(":int")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]  # the faster one, where there is one
    """YAML dumper that writes shared parts in full."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def _block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _block)


@attrs.frozen(eq=False)
class Made:
    """Random pack with the fields changed in it."""

    pack: Pack
    varied: frozenset[str]
    """Fields of the schema that were changed, besides the effects."""


def random_pack(number: int) -> Pack:
    return made(number).pack


@functools.cache
def made(number: int) -> Made:
    """Return a random pack, and how it differs from the house."""
    for attempt in range(TRIES):
        rng = random.Random(f"pack {number}/{attempt}")
        trees = copy.deepcopy(dict(_house()))
        for name, tree in trees.items():
            if name.startswith("scenarios/"):
                _change(rng, tree)
                # A step that was put in is in the pool of steps, too.
                trees[name] = unshared(tree)
        try:
            return _varied(number, Varying(rng, trees, AS_IN_THE_HOUSE))
        except ContentErrors:
            continue
    raise AssertionError(f"no pack in {TRIES} tries")


def fields_to_vary() -> frozenset[str]:
    """Return the fields of the schema that random packs change."""
    return frozenset(fields_of_schema()) - AS_IN_THE_HOUSE - fields_of_texts()


def fields_of_texts() -> frozenset[str]:
    """Return the fields of the schema that change along with the text that contains them."""
    return frozenset(name for name in fields_of_schema() if name.startswith(WRITTEN_AS_TEXT))


def share(number: int) -> frozenset[str]:
    """Return the fields to change in a pack.

    The choice for each field follows from its name alone, so a new field does not affect others.
    """
    return frozenset(n for n in fields_to_vary() if crc32(n.encode()) % SHARES == number % SHARES)


def _varied(number: int, varying: Varying) -> Made:
    """Return a pack with its share of the fields changed, without changes the loader refuses.

    Raises:
        ContentErrors: the pack is refused even without these changes.
    """
    left = share(number)
    before = pack = _loaded(varying)
    for _ in range(ROUNDS):
        varying.vary(sorted(left))
        pack = _loaded(varying)
        left -= _changed(before, pack, left & varying.kept())
    return Made(pack, _changed(before, pack, varying.kept()))


def _changed(before: Pack, after: Pack, names: Collection[str]) -> frozenset[str]:
    """Return the fields whose values differ both from the pack before and from the house."""
    return _differing(before, after, names) & _differing(house(), after, names)


def _differing(before: Pack, after: Pack, names: Collection[str]) -> frozenset[str]:
    """Return the fields whose values differ between two packs."""
    one, other = values_of(before, names), values_of(after, names)
    return frozenset(name for name in names if one[name] != other[name])


def values_of(pack: Pack, names: Collection[str]) -> Mapping[str, Counter[str]]:
    """Return all values of these fields in a pack."""
    found: dict[str, Counter[str]] = {name: Counter() for name in names}
    for part in parts_in(pack):
        for field in attrs.fields(type(part)):
            if (values := found.get(f"{named(type(part))}.{field.name}")) is not None:
                values[repr(getattr(part, field.name))] += 1
    return found


def _loaded(varying: Varying) -> Pack:
    """Load a pack, undoing changes that the loader refuses."""
    while True:
        try:
            return load_pack(FOLDER, read=lambda _folder: _files(varying.trees))
        except ContentErrors as refused:
            if not varying.undo(refused.errors):
                raise


@functools.cache
def _house() -> Mapping[str, Tree]:
    files = read_files(FOLDER)
    return {name: yaml.load(files[name], _Loader) for name in sorted(files)}  # noqa: S506  # own


def _files(trees: Mapping[str, Tree]) -> Mapping[str, bytes]:
    files = {
        name: yaml.dump(tree, Dumper=_Dumper, sort_keys=False).encode()
        for name, tree in trees.items()
    }
    written = {word for data in files.values() for word in _subjects(data.decode())}
    written.update(f"trait/{trait}" for tree in trees.values() for trait in _traits(tree))
    lines = [f"{subject}: {{name: {subject}, text: {subject}}}" for subject in sorted(written)]
    words = "\n".join(["language: {name: none, zero: many}", *lines, ""]).encode()
    return {**files, **{f"words/{language}/all.yaml": words for language in LANGUAGES}}


def _traits(node: Any) -> Iterator[str]:
    """Yield every trait that something has."""
    if isinstance(node, dict):
        yield from node.get("traits") or ()
    for value in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from _traits(value)


def _change(rng: random.Random, tree: Tree) -> None:
    every = [step for steps in _lists(tree) for step in steps if not _is_last(step)]
    pool = copy.deepcopy(every)
    tree.setdefault("counters", {}).update({name: {} for name in SECRETS})
    for steps in list(_lists(tree)):
        if rng.random() < 0.3:
            rng.choice(CHANGES)(rng, steps, pool)
    whisper: list[Any] = []
    _choose_secretly(rng, whisper, pool)
    tree["triggers"].append(
        {"id": "whisper", "on": "turn_ended", "once": rng.random() < 0.5, "effect": whisper}
    )
    dread = [_if({"anyone_has_trait": trait}, f"story/{trait}") for trait in ON_CARDS]
    tree["triggers"].append({"id": "dread", "on": "turn_ended", "once": False, "effect": dread})
    tree["setup"] += [{"deal": {"counter": name, "from": 1, "to": 3}} for name in SECRETS]
    for ways in (tree.get("mythos", ()), *tree.get("decks", {}).values(), *_one_ofs(tree)):
        for way in ways:
            if isinstance(way, dict) and "when" not in way and rng.random() < 0.4:
                way["when"] = _on_a_secret(rng)
    rng.shuffle(tree["mythos"])


def _if(requirement: Tree, text: str) -> Tree:
    """Return a step that tells a text if a requirement holds."""
    return {"when": {"holds": requirement, "then": [{"say": text}]}}


def _on_a_secret(rng: random.Random) -> str:
    """Return a requirement about hidden numbers."""
    one, other = rng.sample(SECRETS, 2)
    return rng.choice((f"{one} > 1", f"{one} = 2", f"{one} < 3", f"{one} >= {other}"))


def _lists(node: Any) -> Iterator[list[Any]]:
    """Yield every list of steps in a tree of a pack."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in HELD and isinstance(value, list):
                yield value
            yield from _lists(value)
    elif isinstance(node, list):
        for value in node:
            yield from _lists(value)


def _one_ofs(node: Any) -> Iterator[list[Any]]:
    """Yield the options of each `one_of` step."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "one_of":
                yield [way for way in value if isinstance(way, dict)]
            yield from _one_ofs(value)
    elif isinstance(node, list):
        for value in node:
            yield from _one_ofs(value)


def _is_last(step: Any) -> bool:
    """True if a step must stay in its place, such as one that ends the effect."""
    text = str(step)
    return any(word in text for word in ("'end'", "'return'", "'call'", "_this", "'forfeit'"))


# Changes to a list of steps ------------------------------------------------------------------


def _put_in(rng: random.Random, steps: list[Any], pool: list[Any]) -> None:
    steps.insert(rng.randrange(len(steps) + 1), rng.choice(pool))


def _take_out(rng: random.Random, steps: list[Any], _pool: list[Any]) -> None:
    if len(steps) > 1:
        del steps[rng.randrange(len(steps))]


def _choose_secretly(rng: random.Random, steps: list[Any], _pool: list[Any]) -> None:
    one, other = rng.sample(SECRETS, 2)
    ways = [
        [{"count": {"counter": one, "add": 1}}],
        [{"count": {"counter": other, "add": 1}}],
        [{"count": {"counter": one, "to": 1}}, {"count": {"counter": other, "add": -1}}],
    ]
    options = [{"text": f"story/way-{at}", "effect": way} for at, way in enumerate(ways)]
    steps.insert(0, {"choose": {"prompt": "story/secretly", "by": "secret", "options": options}})


def _depend(rng: random.Random, steps: list[Any], pool: list[Any]) -> None:
    way = {"holds": _on_a_secret(rng), "then": [rng.choice(pool)]}
    steps.insert(0, {"when": {**way, "otherwise": [rng.choice(pool)]}})


def _one_of(rng: random.Random, steps: list[Any], pool: list[Any]) -> None:
    ways = [{"effect": [rng.choice(pool)]} for _ in range(rng.randrange(2, 5))]
    steps.insert(0, {"one_of": [{"weight": 2, "effect": [rng.choice(pool)]}, *ways]})


def _deal_again(rng: random.Random, steps: list[Any], _pool: list[Any]) -> None:
    fresh = rng.choice((True, False))
    deal = {"counter": rng.choice(SECRETS), "from": 1, "to": 3, "fresh": fresh}
    steps.append({"deal": deal})


CHANGES: tuple[Callable[[random.Random, list[Any], list[Any]], None], ...] = (
    *(_put_in, _put_in, _take_out, _choose_secretly, _depend, _one_of, _deal_again),
)
