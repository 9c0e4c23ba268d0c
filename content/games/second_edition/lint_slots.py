"""The linter's chapter on texts: stubs, and slots such as `{0}` that rules never fill."""

import functools
from collections.abc import Iterator
from typing import Any

from content.games.second_edition.schema.kinds import Slots
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Moment
from content.language.findings import Finding
from content.language.walk import parts_in
from content.reading.gaps import is_stub
from content.reading.meanings import leaves, mark_of
from protocol.common.templates import placeholders

_Slots = frozenset[int]
_NONE: _Slots = frozenset()
_ACTOR: _Slots = frozenset([0])
_BOTH: _Slots = frozenset([0, 1])

_WITH_MONSTER = frozenset(
    [Moment.MONSTER_SPAWNED, Moment.MONSTER_ACTIVATES, Moment.MONSTER_ACTIVATED]
)
"""The moments at which the monster is on the board."""


def slot_findings(pack: Pack) -> Iterator[Finding]:
    """Yield findings for stubs, and for slots of texts that rules do not fill."""
    told: dict[str, set[int]] = {}
    for value, has_monster in _contexts(pack):
        for subject, slots in _texts(value, _BOTH if has_monster else _ACTOR):
            told.setdefault(subject, set()).update(_used(pack, subject, "text") - slots)
    for subject in {
        text for s in pack.scenarios.values() for text in (s.prologue, s.eliminated_epilogue)
    }:
        told.setdefault(subject, set()).update(_used(pack, subject, "text"))
    # The `id` of a box is no id, but the number of its ID tokens.
    ids = {getattr(part, "id", None) for part in parts_in(pack)}
    for id_ in sorted(id_ for id_ in ids if isinstance(id_, str)):
        told.setdefault(id_, set()).update(_used(pack, id_, "name"))
    # Stubs are the words that `manse content words` has made, and nobody written.
    for language, catalog in pack.catalogs.items():
        for subject, words in catalog.items():
            if any(is_stub(subject, text) for text in words.values()):
                yield Finding(pack.id, subject, f"a stub in {language!r}; write its words")
    for subject, empty in sorted(told.items()):
        for slot in sorted(empty):
            advice = "; no monster is dealt with where it is told" if slot == 1 else ""
            yield Finding(pack.id, subject, f"nothing fills {{{slot}}}{advice}")


def _used(pack: Pack, subject: str, field: str) -> set[int]:
    """Return the slots of a text; both languages have the same slots."""
    words = pack.catalogs.get("en", {}).get(subject, {})
    return {int(slot) for slot in placeholders(words.get(field, ""))}


def _contexts(pack: Pack) -> Iterator[tuple[Any, bool]]:
    """Yield all objects that hold texts; with each, True if a monster may be current in it."""
    yield tuple(pack.monsters.values()), True
    for group in (pack.investigators, pack.items, pack.harms, pack.conditions, pack.insane):
        yield tuple(group.values()), False
    yield tuple(pack.spells.values()), False
    yield tuple(pack.events.values()), False
    for scenario in pack.scenarios.values():
        yield from ((value, False) for value in (scenario.setup, scenario.tokens, scenario.mythos))
        yield scenario.timers, False
        # Named effects are called from anywhere, and decks drawn from there.
        yield from ((value, True) for value in (scenario.effects, scenario.decks))
        for trigger in scenario.triggers:
            yield trigger, trigger.on in _WITH_MONSTER


def _texts(value: Any, of_story: _Slots) -> Iterator[tuple[str, _Slots]]:
    """Yield the texts that a value names, each with the slots that rules fill.

    Args:
        value: any value of a pack.
        of_story: the slots that rules fill in a text of the story.
    """
    for part in parts_in(value):
        # The numbers of a step are the parameters of its text from {2} on.
        numbers = frozenset(range(2, 2 + len(getattr(part, "values", ()))))
        cls: type = type(part)
        for field, slots in _text_fields(cls):
            if (text := getattr(part, field)) is not None:
                filled = {
                    Slots.NONE: _NONE,
                    Slots.ACTOR: _ACTOR,
                    Slots.STORY: of_story | numbers,
                    Slots.NUMBERED: of_story | numbers if numbers else _NONE,
                    Slots.FIGHT: _BOTH,
                }
                yield text, filled[slots]


@functools.cache
def _text_fields(cls: type) -> tuple[tuple[str, Slots], ...]:
    """Return the fields of a class that name a text, each with the slots that rules fill in it."""
    found = ((field, mark_of(Slots, cls, field)) for field in leaves(cls))
    return tuple((field, slots) for field, slots in found if slots is not None)
