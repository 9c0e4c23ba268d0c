"""The round, the phase and the active investigator in words."""

from collections.abc import Sequence

import attrs

from client.games.cards.speaker import in_game
from client.locale.game_moment import GameMoment
from client.locale.speaker import Speaker
from protocol.common.table import GameTable
from protocol.common.text import Text
from protocol.games.cards.table import CardsTable
from protocol.games.cards.words import Token, Zone


@attrs.frozen(eq=False)
class PhaseMoment(GameMoment):
    """Words for round and phase, for the actions left in a turn, and for the doom in play."""

    game: CardsTable

    @property
    def round_number(self) -> int:
        """The round, from 1; 0 during the setup."""
        return self.game.round_number

    def phase(self, speaker: Speaker) -> Sequence[str]:
        """Return the round (after the setup) and the phase."""
        game, say = self.game, speaker.say
        counted = [say("status.round", game.round_number)] if game.round_number else []
        return [*counted, say(f"phase.{game.phase.value}")]

    def turn(self, speaker: Speaker) -> str:
        """Return the active investigator and the actions left; empty between turns."""
        who = self.game.active
        if not who:
            return ""
        one = self.game.investigators[who]
        left = one.actions + len(one.extra)
        return speaker.say("status.turn", speaker.name("character", who), left)

    def clock(self, speaker: Speaker, *, is_short: bool = False) -> Sequence[str]:
        """Return the phase, and the doom in play."""
        del is_short
        doom = sum(card.count(Token.DOOM) for card in self.game.in_play())
        if self.game.only(Zone.AGENDA) is None:
            return self.phase(speaker)
        return [*self.phase(speaker), in_game(speaker, self.game).token(Token.DOOM.value, doom)]

    def ending(self, speaker: Speaker, seat: int | None) -> Sequence[str]:
        """Return who has won, and the text of the resolution; empty before the end."""
        del seat
        game = self.game
        if game.came_out() is None:
            return ()
        won = speaker.say("ending.won" if game.is_won else "ending.lost")
        return (won, "", speaker.text(Text(game.resolution)))


def moment_of(game: GameTable) -> PhaseMoment:
    assert isinstance(game, CardsTable)
    return PhaseMoment(game)
