"""
Scripted plays: the choices to make in a game, and the expected end.

Scripts are in the folder `tests/` of a pack, for its author alone: servers never read that folder,
and its files count towards no limit and no digest of the pack.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import attrs

from content.reading.files import TESTS, read_files
from content.reading.meanings import Bounds, Marks
from content.reading.mistakes import ContentError, ContentErrors, suggestion
from content.reading.names import Kinds
from content.reading.schema import MakesReaders, Read, Schema
from content.reading.sheet import Sheet
from content.reading.typed import BROKEN, Readers, entry_name, list_reader, scalar_in
from content.reading.yaml_subset import Listing, Node, read_yaml
from protocol.bounds import MAX_SEATS

_ROUNDS = 1_000_000


@attrs.frozen
class Picks:
    """One answer: its choices, each named by words in any language or by ids."""

    said: tuple[str, ...]
    line: int = 0


@attrs.frozen
class Rounds:
    """Bounds of the number of rounds of the game."""

    at_least: Annotated[int, Bounds(0, _ROUNDS)] = 0
    at_most: Annotated[int, Bounds(0, _ROUNDS)] = _ROUNDS


@attrs.frozen
class Winner:
    """The expected winner."""

    said: str
    """`true` or `false` in a game with one side; else the name of a side, or `nobody`."""


@attrs.frozen
class Expected:
    """The expected end of a game. A field left out is not compared."""

    ending: str | None = None
    """Subject of the epilogue."""
    won: Winner | None = None
    rounds: Rounds | None = None
    seen: tuple[str, ...] = ()
    """Parts that the game must reach: tokens and tiles, triggers, events, effects."""
    unseen: tuple[str, ...] = ()
    """Parts that the game must not reach."""


@attrs.frozen
class Script:
    """One scripted play: setup, answers and expected end."""

    id: str
    expect: Expected
    scenario: str = ""
    """Short name of the scenario; optional if the pack has only one scenario."""
    players: Annotated[int, Bounds(1, MAX_SEATS)] | None = None
    """Number of players; by default the smallest number that the scenario allows."""
    characters: tuple[str, ...] = ()
    """Characters, seat by seat; by default the seed chooses them."""
    seed: Annotated[int, Bounds(0, 999_999_999)] = 1
    """Seed of all chance."""
    dice: tuple[str, ...] = ()
    """Faces of the first dice, by the game's names for faces; the seed determines all further
    dice."""
    other_dice: str | None = None
    """Face of all dice after the first ones."""
    choices: tuple[Picks, ...] = ()
    """Answers, in order. Unscripted questions get the answer of a time-out."""
    file: str = ""
    line: int = 0


def scripts_of(folder: str, dice: Mapping[str, int]) -> tuple[Script, ...]:
    """
    Return the scripts of a pack, by the names of their files and in the order in each.

    Args:
        folder: folder of the pack.
        dice: names of the faces of the game's dice.

    Raises:
        ContentErrors: the pack has no folder of scripts, or some script cannot be read.
    """
    where = Path(folder) / TESTS
    if not where.is_dir():
        reason = f"no plays are here; write some into {TESTS}/NAME.yaml"
        raise ContentErrors([ContentError(folder, 1, 1, "", reason)])
    sheet = Sheet()
    found: list[Script] = []
    for name, data in sorted(read_files(where).items()):
        sheet.turn_to(f"{TESTS}/{name}", "", Script)
        found.extend(_read_file(data, sheet, dice))
    if sheet.errors:
        raise ContentErrors(sheet.errors)
    return tuple(found)


def _read_file(data: bytes, sheet: Sheet, dice: Mapping[str, int]) -> list[Script]:
    node, errors = read_yaml(sheet.file, data)
    sheet.errors.extend(errors)
    if not isinstance(node, Listing):
        if node is not None:
            sheet.fault(node, "expected a list; begin each play with '- id: …'")
        return []
    found = []
    for index, entry in enumerate(node.items):
        sheet.path.append(entry_name(entry, index))
        made = _READ(entry, sheet)
        if made is not BROKEN:
            for face in (*made.dice, *(() if made.other_dice is None else (made.other_dice,))):
                if face not in dice:
                    sheet.fault(
                        entry, f"no die shows {face[:40]!r}; {suggestion(face, dice)}", "dice"
                    )
            found.append(attrs.evolve(made, file=sheet.file, line=entry.line))
        sheet.path.pop()
    return found


def _picks_reader(_readers: MakesReaders, _marks: Marks) -> Read:
    """Return the reader of one answer: a text or a list of texts."""

    def read_one(node: Node, sheet: Sheet) -> Any:
        scalar = scalar_in(node, sheet, "a choice, by its words or its ids")
        return BROKEN if scalar is None else scalar.text

    read_list = list_reader(read_one)

    def read(node: Node, sheet: Sheet) -> Any:
        is_list = isinstance(node, Listing)
        said = read_list(node, sheet) if is_list else read_one(node, sheet)
        if said is BROKEN:
            return BROKEN
        return Picks(said if is_list else (said,), node.line)

    return read


def _winner_reader(_readers: MakesReaders, _marks: Marks) -> Read:
    """Return the reader of an expected winner. The game that is played says which sides it has."""

    def read(node: Node, sheet: Sheet) -> Any:
        scalar = scalar_in(node, sheet, "true, false, or the side that wins")
        return BROKEN if scalar is None else Winner(scalar.text)

    return read


_READ = Readers(
    Schema(Kinds(), own={(Picks,): _picks_reader, (Winner,): _winner_reader})
).of_object(Script, {"file": "", "line": 0})
