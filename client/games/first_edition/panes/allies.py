"""The allies on the board: name, place, harm, states, and what they have left to tell."""

from collections.abc import Callable, Sequence

import attrs

from client.games.first_edition.panes.folding import folded
from client.games.first_edition.panes.party import INDENT, Person, figure_line, indented
from client.games.first_edition.panes.scene import FirstEditionScene
from client.games.first_edition.panes.signs import ally_signs
from client.widgets.bits import Bit, Line, width_of_line, wrapped
from protocol.games.first_edition.table import Ally


@attrs.frozen
class _Ally(Person):
    """An ally."""

    who: Ally

    def title(self, width: int, right: str) -> Line:
        """Return sign, name and place, with some words at the end of the line."""
        place = self.scene.speaker.space(self.game, self.who.space)
        return figure_line(self.sign, self.spot, self.name, place, Bit(right, "class:dim"), width)

    @property
    def tales(self) -> str:
        """The number of story cards that are left."""
        left = len(self.game.tales.get(self.who.ally_id, ()))
        return self.say("ally.left", left) if left else self.say("ally.silent")


def _whole(ally: _Ally, width: int) -> list[Line]:
    """Return everything about an ally, on as many lines as needed."""
    lines = [ally.title(width, ally.tales), indented(ally.numbers("long", width))]
    for line in (ally.attributes(), ally.states(), ally.belongings()):
        if line:
            lines += folded(indented(line), width, INDENT)
    told = ally.scene.speaker.told(ally.game, ally.who.ally_id)
    if told:
        lines += wrapped(ally.say("ally.told", told), width, "class:dim", indent=len(INDENT))
    return lines


def _short(ally: _Ally, width: int) -> list[Line]:
    """Return name and place, and harm and states below."""
    line = indented([*ally.numbers("short"), Bit(" ")])
    states = ally.states(width - width_of_line(line))
    return [ally.title(width, ally.tales), [*line, *states]]


def _line(ally: _Ally, width: int) -> list[Line]:
    """Return name, harm and the number of states."""
    numbers, states = ally.numbers("short"), ally.states(0)
    right = [Bit(" "), *numbers, *([Bit(" "), *states] if states else [])]
    return [[*ally.title(width - width_of_line(right), ""), *right]]


_FORMS: tuple[Callable[[_Ally, int], list[Line]], ...] = (_whole, _short, _line)


def ally_forms(scene: FirstEditionScene, width: int) -> tuple[Sequence[Line], ...]:
    """Return the allies in several forms, the one with the most details first."""
    game = scene.game
    if game is None or not game.allies:
        return ()
    signs = ally_signs(game, scene.speaker)
    allies = [_Ally(scene, game, signs[name], ally) for name, ally in game.allies.items()]
    return tuple([line for ally in allies for line in form(ally, width)] for form in _FORMS)
