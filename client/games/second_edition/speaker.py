"""The speaker of the second edition: its tokens, spaces and monsters in words."""

from collections.abc import Mapping

import attrs

from client.locale import speaker
from protocol.common.table import Table
from protocol.games.second_edition.table import Monster, RunningTimer, SecondEditionTable, Token


@attrs.frozen
class SecondEditionSpeaker(speaker.Speaker):
    """Words for one viewer of a game."""

    def token(self, token: Token) -> str:
        """Return what kind of token it is. Rule TOKEN-6: a person may be anybody."""
        return self.say("token.anybody" if token.is_anonymous else f"token.{token.kind.value}")

    def monster(self, monster: Monster) -> str:
        """Return the name of one monster; its number where there are several of its kind."""
        name = self.name("monster", monster.kind)
        return f"{name} {monster.number}" if monster.number else name

    def timer(self, timer: RunningTimer, *, is_short: bool = False) -> str:
        """Return what a timer that everybody sees says, and how much of it is left."""
        key = "short" if is_short else timer.unit.value
        return self.say(f"timer.{key}", self.text(timer.text), timer.left)

    def monster_named(self, table: Table, monster_id: str) -> str:
        """Return the name of a monster by its id; that one has left, if it has."""
        game = table.game
        monster = game.monsters.get(monster_id) if isinstance(game, SecondEditionTable) else None
        return self.say("monster.gone") if monster is None else self.monster(monster)

    def space(self, game: SecondEditionTable, space: str) -> str:
        """Return the room that a space lies in; with the space's letter if it has several."""
        rooms: Mapping[str, str] = game.map.rooms
        room = rooms.get(space)
        if room is None:
            return self.say("space.unknown")
        name = self.name("room", room)
        spaces = game.map.spaces_of(room)
        if len(spaces) == 1:
            return name
        return self.say("space.part", name, spaces.index(space) + 1)


def spaces_named(table: Table, base: speaker.Speaker) -> Mapping[str, str]:
    """Return what each space that is known is called, by its id."""
    game, own = table.game, in_game(base)
    if not isinstance(game, SecondEditionTable):
        return {}
    return {space: own.space(game, space) for space in game.map.rooms}


def in_game(base: speaker.Speaker) -> SecondEditionSpeaker:
    """Return what puts this game's pieces into words, with the words of any speaker."""
    return (
        base
        if isinstance(base, SecondEditionSpeaker)
        else SecondEditionSpeaker(base.locale, base.words)
    )
