"""The table of `manse solo`: an unfinished game that fits the player's wish, or else a new one."""

from collections.abc import Iterator, Sequence

import attrs

from client.model.lobby import sorted_tables
from client.openings.opening import Opening, roles, rulesets
from client.openings.wish import NotOffered, Wish
from protocol.common.table import Stage
from protocol.messages import ScenarioLine, TableLine


@attrs.define(eq=False)
class SoloOpening(Opening):
    """The opening of a table for one player, with bots in the other roles."""

    wish: Wish = attrs.field(factory=Wish, kw_only=True)

    def take_steps(self) -> Iterator[None]:
        """Enter an unfinished game, or open a table and fill it."""
        model, port = self.model, self.port
        model.launch = self.wish.launch
        yield from self.listed()
        role = self.role_meant(self.wish.role, model.lobby.offered)
        wish = self.wish = attrs.evolve(self.wish, role=role)
        model.launch = wish.launch
        lines = self._fitting(model.lobby.offered)
        for table in [] if wish.is_anew else self._unfinished(lines):
            port.enter(table.room_id)
            yield from self.seated()
            view = model.view
            if view is None:
                return
            if self.has_role(view, wish.role):
                yield from self.fill(view, wish.role)
                return
            port.leave_table()
        if not lines:
            return
        scenario = lines[0].scenario
        port.open_table(scenario, model.lobby.usual_settings(scenario))
        yield from self.seated()
        if model.view is not None:
            yield from self.fill(model.view, wish.role)

    def _fitting(self, known: Sequence[ScenarioLine]) -> list[ScenarioLine]:
        """
        Return the scenarios that fit the wish, in the order of the lobby.

        Raises:
            NotOffered: there is none with the game or role that is wanted.
        """
        wish, say = self.wish, self.model.locale.say
        lines = [line for line in known if not wish.game or line.ruleset == wish.game]
        if wish.game and not lines:
            game = wish.game.replace("_", "-")
            raise NotOffered(say("cli.no_game", game, rulesets(known)))
        in_pack = [line for line in lines if self._is_in_pack(line.scenario)]
        if wish.game and not in_pack:
            raise NotOffered(say("cli.other_game", wish.pack, wish.game.replace("_", "-")))
        if not wish.role or not in_pack:
            return in_pack
        # Without a game the role is of the first, whose scenarios come first.
        of_one = [line for line in in_pack if line.ruleset == in_pack[0].ruleset]
        found = [line for line in of_one if line.roster.role(wish.role) is not None]
        if not found:
            with_role = [line for line in known if line.roster.role(wish.role) is not None]
            if other := rulesets([line for line in with_role if self._is_in_pack(line.scenario)]):
                raise NotOffered(say("cli.role_elsewhere", rulesets(of_one), wish.role, other))
            known_roles = ", ".join(roles(of_one))
            raise NotOffered(say("cli.no_role", rulesets(of_one), wish.role, known_roles))
        return found

    def _is_in_pack(self, scenario: str) -> bool:
        return not self.wish.pack or scenario.startswith(f"{self.wish.pack}/")

    def _unfinished(self, lines: Sequence[ScenarioLine]) -> list[TableLine]:
        """Return the unfinished games that may fit the wish, newest first."""
        wish, fitting = self.wish, {line.scenario for line in lines}
        return [
            table
            for table in sorted_tables(self.model.lobby.tables or ())
            if table.stage is not Stage.OVER
            and self._is_in_pack(table.scenario)
            # Without a wish an older scenario goes on, too, that is no longer offered.
            and (table.scenario in fitting or not (wish.game or wish.role))
        ]
