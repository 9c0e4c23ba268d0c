"""The speaker of the second edition: words for tokens, spaces and monsters."""

from collections.abc import Mapping

import attrs

from client.locale import speaker
from protocol.common.table import Table
from protocol.games.second_edition.table import Monster, RunningTimer, SecondEditionTable, Token


@attrs.frozen
class SecondEditionSpeaker(speaker.Speaker):
    """Words for one viewer of this game."""

    def token(self, token: Token) -> str:
        """Return the words for a token's kind, or for an anonymous person. Rule TOKEN-6."""
        return self.say("token.anybody" if token.is_anonymous else f"token.{token.kind.value}")

    def person(self, token: Token) -> str:
        """Return a person's name, or the words for an unknown person."""
        return self.token(token) if token.is_anonymous else self.name("token", token.token_id)

    def monster(self, monster: Monster) -> str:
        """Return the name of a monster, with its number if there are several of its kind."""
        name = self.name("monster", monster.kind)
        return f"{name} {monster.number}" if monster.number else name

    def timer(self, timer: RunningTimer, *, is_short: bool = False) -> str:
        """Return the text of a public timer, with its remaining rounds or turns."""
        key = "short" if is_short else timer.unit.value
        return self.say(f"timer.{key}", self.text(timer.text), timer.left)

    def monster_named(self, table: Table, monster_id: str) -> str:
        """Return the name of a monster by its id, or words for a monster that has left the game."""
        game = table.game
        monster = game.monsters.get(monster_id) if isinstance(game, SecondEditionTable) else None
        return self.say("monster.gone") if monster is None else self.monster(monster)

    def space(self, game: SecondEditionTable, space: str) -> str:
        """Return the name of a space: its map room, with a number if the room has several spaces.

        A space that is not on the board has the words for an unknown space.
        """
        rooms: Mapping[str, str] = game.map.rooms
        room = rooms.get(space)
        if room is None:
            return self.say("space.unknown")
        name = self.name("room", room)
        spaces = game.map.spaces_of(room)
        if len(spaces) == 1:
            return name
        # Numbered as the labels on the map are.
        return self.say("space.part", name, spaces.index(space) + 1)


def spaces_named(table: Table, base: speaker.Speaker) -> Mapping[str, str]:
    """Return the name of each known space, by the id of the space."""
    game, own = table.game, in_game(base)
    if not isinstance(game, SecondEditionTable):
        return {}
    return {space: own.space(game, space) for space in game.map.rooms}


def in_game(base: speaker.Speaker) -> SecondEditionSpeaker:
    """Return this game's speaker with the words of `base`."""
    return (
        base
        if isinstance(base, SecondEditionSpeaker)
        else SecondEditionSpeaker(base.locale, base.words)
    )
