"""The round, the phase and the active investigator in words."""

from collections.abc import Sequence

import attrs

from client.games.second_edition.speaker import in_game
from client.locale.game_moment import GameMoment
from client.locale.speaker import Speaker
from protocol.common.table import GameTable
from protocol.games.second_edition.table import SecondEditionTable


@attrs.frozen(eq=False)
class PhaseMoment(GameMoment):
    """Words for round, phase and step of a game, and for the actions that are left in a turn."""

    game: SecondEditionTable

    @property
    def round_number(self) -> int:
        """The round, from 1; 0 during the setup."""
        return self.game.round_number

    def phase(self, speaker: Speaker) -> Sequence[str]:
        """Return the round (after the setup), the phase, and the step of the Mythos phase."""
        game, say = self.game, speaker.say
        counted = [say("status.round", game.round_number)] if game.round_number else []
        step = [say(f"step.{game.step.value}")] if game.step is not None else []
        return [*counted, say(f"phase.{game.phase.value}"), *step]

    def turn(self, speaker: Speaker) -> str:
        """Return the active investigator and the actions left; empty between turns."""
        if self.game.active is None:
            return ""
        name = speaker.name("investigator", self.game.active)
        return speaker.say("status.turn", name, self.game.actions_left)

    def clock(self, speaker: Speaker, *, is_short: bool = False) -> Sequence[str]:
        """Return the phase, the rounds that are left, and the running timers."""
        parts = [*self.phase(speaker)]
        if self.game.countdown is not None:
            parts.append(speaker.say("status.countdown", self.game.countdown))
        say = in_game(speaker).timer
        # The objective explains what the number of a timer counts.
        return [*parts, *(say(timer, is_short=is_short) for timer in self.game.timers.values())]

    def ending(self, speaker: Speaker, seat: int | None) -> Sequence[str]:
        """Return the winners, and the end of the story; empty while the game goes on.

        A seat reads the result of its own investigators, who can win or lose against the common
        result (WIN-6). A spectator, and a seat whose investigators have different results, read the
        result of each.
        """
        ending = self.game.ending
        if ending is None:
            return ()
        common = speaker.say("journal.won" if ending.is_won else "journal.lost")
        own = self.game.results_of(seat)
        told = [
            speaker.say(
                "journal.result_won" if result.has_won else "journal.result_lost",
                speaker.name("investigator", result.investigator),
                speaker.text(result.reason),
            )
            for result in own
        ]
        match {result.has_won for result in own}:
            case won if won == {ending.is_won}:
                said = [speaker.say("ending.won" if ending.is_won else "ending.lost")]
            case won if len(won) == 1:
                said = [speaker.say("ending.lost_alone" if ending.is_won else "ending.won_alone")]
                said += told
            case _:
                said = [common, *told]
        return (*said, "", speaker.text(ending.epilogue))


def moment_of(game: GameTable) -> PhaseMoment:
    assert isinstance(game, SecondEditionTable)
    return PhaseMoment(game)
