"""The round, the phase and the active investigator in words."""

from collections.abc import Sequence

import attrs

from client.locale.game_moment import GameMoment
from client.locale.speaker import Speaker
from protocol.common.table import GameTable
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import Side


@attrs.frozen(eq=False)
class PhaseMoment(GameMoment):
    """Words for round, phase and step, for the steps left in a turn, and for the next event."""

    game: FirstEditionTable

    @property
    def round_number(self) -> int:
        """The round, from 1; 0 during the setup."""
        return self.game.round_number

    def phase(self, speaker: Speaker) -> Sequence[str]:
        """Return the round (after the setup), the phase, and the step of the keeper's turn."""
        game, say = self.game, speaker.say
        counted = [say("status.round", game.round_number)] if game.round_number else []
        step = [say(f"step.{game.step.value}")] if game.step is not None else []
        return [*counted, say(f"phase.{game.phase.value}"), *step]

    def turn(self, speaker: Speaker) -> str:
        """Return the active investigator, with steps and action left; empty between turns."""
        if self.game.active is None:
            return ""
        name = speaker.name("character", self.game.active)
        return speaker.say("status.turn", name, self.game.steps_left, int(self.game.has_action))

    def clock(self, speaker: Speaker, *, is_short: bool = False) -> Sequence[str]:
        """Return the phase, and the time tokens on the next event."""
        game = self.game
        if not game.events or not game.event_time or game.ending is not None:
            return self.phase(speaker)
        key = "status.event_short" if is_short else "status.event"
        return [*self.phase(speaker), speaker.say(key, game.time, game.event_time)]

    def ending(self, speaker: Speaker, seat: int | None) -> Sequence[str]:
        """Return whether the seat has won, the winning side, and why; empty before the end."""
        ending = self.game.ending
        if ending is None:
            return ()
        won = winners(speaker, ending.winners)
        if seat is not None and ending.winners:
            # All that have or had an investigator are on one side.
            game = self.game
            led = {one.seat for one in game.investigators.values()}
            led |= {one.seat for one in game.waiting}
            is_keeper = seat not in {*led, *game.eliminated}
            is_won = (Side.KEEPER if is_keeper else Side.INVESTIGATORS) in ending.winners
            won = f"{speaker.say('results.you_won' if is_won else 'results.you_lost')} {won}"
        lines = (won, "", speaker.text(ending.reason))
        revealed = self.game.revealed
        if revealed is None:
            return lines
        aim = speaker.words.find(revealed).get("text", "")
        return (*lines, "", speaker.say("ending.objective", speaker.name("card", revealed)), aim)


def winners(speaker: Speaker, sides: Sequence[Side]) -> str:
    """Return who has won, in a sentence."""
    names = [side.value for side in sides]
    return speaker.say(f"ending.{names[0]}" if len(names) == 1 else "ending.nobody")


def moment_of(game: GameTable) -> PhaseMoment:
    assert isinstance(game, FirstEditionTable)
    return PhaseMoment(game)
