"""
Begins or continues the game of the tutorial, and composes the parting words.

The table is opened and the seat prepared for the player, so that the waiting room can be explained
but needs only one key. An unfinished game is continued.
"""

from collections.abc import Iterator, Sequence

import attrs

from client.model.lobby import SOLO, TUTORIAL, Launch
from client.model.model import ClientModel
from client.openings.opening import Opening, rulesets
from client.openings.wish import NotOffered
from client.plugs.face import face_of
from protocol.common.table import Stage
from protocol.messages import ScenarioLine, TableLine


@attrs.define(eq=False)
class TutorialOpening(Opening):
    """The opening of the tutorial's table, in a game and a role that has lessons."""

    pack: str
    """The id of the pack with the scenarios of the tutorial."""
    is_anew: bool
    """True to open a new table although an older table is unfinished."""
    game: str = ""
    """The game that is taught; empty for whatever the pack is for."""
    role: str = ""
    """The role that is taught; empty for the first that has lessons."""

    def take_steps(self) -> Iterator[None]:
        """Enter the table, fill it with bots, claim characters and get ready."""
        model, port = self.model, self.port
        model.launch = self._launch()
        yield from self.listed()
        self.role = self.role_meant(self.role, model.lobby.scenarios or ())
        model.launch = self._launch()
        line, role = self._taught()
        for table in [] if self.is_anew else self._unfinished(line.scenario):
            port.enter(table.room_id)
            yield from self.seated()
            if model.view is None or self.has_role(model.view, role):
                break
            port.leave_table()
        else:
            port.open_table(line.scenario, model.lobby.usual_settings(line.scenario))
            yield from self.seated()
        if (view := model.view) is None or (seat := view.my_seat) is None:
            return
        if view.table.room.stage is not Stage.LOBBY:
            return
        yield from self.fill(view, role)
        if not seat.characters and (wanted := model.counts_wanted(view.table.room, seat)[0]):
            port.claim(model.characters(view.table.room)[:wanted])
        if not seat.is_ready:
            port.set_ready(is_ready=True)
        while not view.table.room.seats[seat.seat].is_ready:
            yield

    def _launch(self) -> Launch:
        game = f" --game {self.game.replace('_', '-')}" if self.game else ""
        role = f" --as {self.role}" if self.role else ""
        return attrs.evolve(TUTORIAL, command=f"{TUTORIAL.command}{game}{role}")

    def _taught(self) -> tuple[ScenarioLine, str]:
        """
        Return the scenario and the role of the tutorial.

        Raises:
            NotOffered: the role that is wanted has no tutorial.
        """
        lines = [
            line
            for line in self.model.lobby.scenarios or ()
            if line.scenario.startswith(f"{self.pack}/") and self.game in {"", line.ruleset}
        ]
        found = tutorials(lines)
        if not self.role and lines:
            # A pack without lessons can be played, too; the coach has nothing to say there.
            return next(((line, role) for role, line in found.items()), (lines[0], ""))
        if self.role not in found:
            say, known = self.model.locale.say, ", ".join(found)
            key = "cli.no_tutorial" if found else "cli.no_tutorials"
            raise NotOffered(say(key, rulesets(lines), self.role, known))
        return found[self.role], self.role

    def _unfinished(self, scenario: str) -> list[TableLine]:
        """Return the newest table of a scenario, unless its game is over."""
        ours = [line for line in self.model.lobby.tables or () if line.scenario == scenario]
        newest_first = sorted(ours, key=lambda line: -line.when)
        if newest_first and newest_first[0].stage is Stage.OVER:
            return []
        return [line for line in newest_first if line.stage is not Stage.OVER]


def tutorials(lines: Sequence[ScenarioLine]) -> dict[str, ScenarioLine]:
    """
    Return the scenario that teaches each role, for the roles that have lessons.

    Args:
        lines: the scenarios of a tutorial. One that is called like a role teaches this role alone;
            the first other one teaches all other roles.
    """
    names = {line.scenario.partition("/")[2]: line for line in lines}
    named = {role.name for line in lines for role in line.roster.roles} & names.keys()
    shared = next((line for name, line in names.items() if name not in named), None)
    return {
        role.name: line
        for each in lines
        for role in each.roster.roles
        if (line := names[role.name] if role.name in named else shared) is not None
        and line.roster.role(role.name) is not None
        and face_of(line.ruleset).lessons_for(role.name)
    }


def parting_of(model: ClientModel) -> str:
    """Return the parting words: the next step, or how to come back."""
    is_over = model.view is not None and model.view.table.room.stage is Stage.OVER
    if is_over:
        side = model.launch.command.removeprefix(TUTORIAL.command)
        return model.locale.say("coach.next", f"{SOLO.command}{side}")
    return model.locale.say("coach.kept", model.launch.command)
