"""
Packs at random: the house with everything in it moved about, and with more secrets.

The house uses all of the schema (`tests.games.second_edition.coverage`). A pack at random takes
its files as trees: steps of effects are put elsewhere, taken away, doubled, or wrapped in
steps that hold others; what can come is made to depend on numbers that are dealt and on what was
chosen in secret. The real loader reads the result. A pack that it refuses is thrown away, and the
next one is made.
"""

import copy
import functools
import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import yaml

from content.games.second_edition.loader import load_pack
from content.games.second_edition.schema.pack import Pack
from content.reading.files import Folder, read_files
from content.reading.mistakes import ContentErrors
from content.reading.words import LANGUAGES
from tests.games.second_edition.house_pack import FOLDER, _subjects

HELD = ("effect", "then", "otherwise", "failed")
"""Where lists of steps stand."""
SECRETS = ("fog", "mist", "haze")
"""Counters that every scenario at random has, each dealt a number from 1 to 3."""
TRIES = 50
Tree = dict[str, Any]


class _Loader(yaml.SafeLoader):
    """Reads words as words: `on` is a key of triggers."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.endswith(":int")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


class _Dumper(yaml.SafeDumper):
    """Writes a part twice that stands in two places."""

    def ignore_aliases(self, data: Any) -> bool:
        """Return that nothing is written as a reference."""
        del data
        return True


def _block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _block)


@functools.cache
def random_pack(number: int) -> Pack:
    """Return a pack at random, the same each time."""
    for attempt in range(TRIES):
        rng = random.Random(f"pack {number}/{attempt}")
        try:
            return load_pack(FOLDER, read=functools.partial(_changed_files, rng))
        except ContentErrors:
            continue
    raise AssertionError(f"no pack in {TRIES} tries")


def _changed_files(rng: random.Random, folder: Folder) -> Mapping[str, bytes]:
    files = dict(read_files(folder))
    for name in sorted(files):
        if name.startswith("scenarios/"):
            tree = yaml.load(files[name], _Loader)  # noqa: S506  # own files
            _change(rng, tree)
            files[name] = yaml.dump(tree, Dumper=_Dumper, sort_keys=False).encode()
    written = {word for data in files.values() for word in _subjects(data.decode())}
    lines = [f"{subject}: {{name: {subject}, text: {subject}}}" for subject in sorted(written)]
    words = "\n".join(["language: {name: none, zero: many}", *lines, ""]).encode()
    return {**files, **{f"words/{language}/all.yaml": words for language in LANGUAGES}}


def _change(rng: random.Random, tree: Tree) -> None:
    """Change one scenario."""
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
    tree["setup"] += [{"deal": {"counter": name, "from": 1, "to": 3}} for name in SECRETS]
    for ways in (tree.get("mythos", ()), *tree.get("decks", {}).values(), *_one_ofs(tree)):
        for way in ways:
            if isinstance(way, dict) and "when" not in way and rng.random() < 0.4:
                way["when"] = _on_a_secret(rng)
    rng.shuffle(tree["mythos"])


def _on_a_secret(rng: random.Random) -> str:
    """Return a requirement that hidden numbers answer."""
    one, other = rng.sample(SECRETS, 2)
    return rng.choice((f"{one} > 1", f"{one} = 2", f"{one} < 3", f"{one} >= {other}"))


def _lists(node: Any) -> Iterator[list[Any]]:
    """Yield every list of steps."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in HELD and isinstance(value, list):
                yield value
            yield from _lists(value)
    elif isinstance(node, list):
        for value in node:
            yield from _lists(value)


def _one_ofs(node: Any) -> Iterator[list[Any]]:
    """Yield what can come in every step that takes one of several."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "one_of":
                yield [way for way in value if isinstance(way, dict)]
            yield from _one_ofs(value)
    elif isinstance(node, list):
        for value in node:
            yield from _one_ofs(value)


def _is_last(step: Any) -> bool:
    """Return whether a step leads away from its place, and so stays in it."""
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
