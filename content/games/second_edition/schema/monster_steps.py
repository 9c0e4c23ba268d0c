"""Steps that deal with monsters on the board."""

from typing import Annotated

from content.games.second_edition.schema.effects import Number, Step
from content.games.second_edition.schema.kinds import Kind, Place
from content.games.second_edition.schema.targets import AnyMonster, Which
from content.reading.meanings import Names
from content.reading.parts import part


@part(Step, "heal_monster")
class HealMonster(Step):
    """Monsters lose some of their damage. Rule MONSTER-11."""

    amount: Number = 1
    which: AnyMonster = Which.THIS


@part(Step, "remove_monster")
class RemoveMonster(Step):
    """Monsters leave the board undefeated. Rule MONSTER-12."""

    which: AnyMonster = Which.THIS


@part(Step, "move_monster")
class MoveMonster(Step):
    """
    Monsters move along ways open to them, nearer to a goal or farther away from something.

    Rules NEAREST-3, NEAREST-4 and DECIDE-105.
    """

    spaces: Number = 1
    toward: Annotated[str, Names(Kind.SPACE, free=frozenset(["actor", "nearest"]))] = "nearest"
    """The goal: a space, `actor` for the actor, or `nearest` for the investigator nearest to the
    monster."""
    which: AnyMonster = Which.THIS
    away_from: (
        Annotated[str, Names(Kind.SPACE, free=frozenset(["actor", "investigators"]))] | None
    ) = None
    """
    The thing from which the monster flees, in place of `toward`: a space, the `actor`, or the
    nearest of all `investigators`. A fleeing monster breaks no Barricade.
    """


@part(Step, "place_monster")
class PlaceMonster(Step):
    """Put monsters into a space. Rule MOVE-12."""

    space: Place
    which: AnyMonster = Which.THIS


@part(Step, "activate")
class Activate(Step):
    """Monsters move and attack as in the monster step. Rules ACTIVATE-2 to ACTIVATE-7."""

    which: AnyMonster = Which.THIS
