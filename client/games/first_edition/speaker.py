"""The speaker of the first edition: words for spaces, monsters, features and counters."""

from collections.abc import Mapping, Sequence

import attrs

from client.locale import speaker
from protocol.common.table import Table
from protocol.common.text import Text
from protocol.games.first_edition.table import (
    Feature,
    FirstEditionTable,
    Monster,
    StoryCard,
    ToldTale,
)
from protocol.games.first_edition.words import KEEPER

NOTHING = "nothing"
"""The exploration card that has nothing on it. It is no subject, so it has no words of a pack."""


@attrs.frozen
class FirstEditionSpeaker(speaker.Speaker):
    """Words for one viewer of this game."""

    def card(self, card: str) -> str:
        """Return the name of a card; of the exploration card with nothing on it, the word."""
        return self.say("card.nothing") if card == NOTHING else self.name("card", card)

    def investigator(self, investigator: str) -> str:
        return self.name("character", investigator)

    def character(self, who: str) -> str:
        """Return the name of an investigator or an ally; in a ritual puzzle, the keeper."""
        return self.say("keeper.name") if who == KEEPER else self.name("character", who)

    def monster(self, game: FirstEditionTable, monster: Monster) -> str:
        """Return the name of a monster, with its number if others of its kind are on the board."""
        name = self.name("monster", monster.kind)
        is_one_of_many = sum(one.kind == monster.kind for one in game.monsters.values()) > 1
        return f"{name} {monster.number}" if is_one_of_many or monster.number > 1 else name

    def feature(self, feature: Feature) -> str:
        return self.say(f"feature.{feature.kind.value}")

    def story_card(self, card: StoryCard) -> str:
        """Return the name of a card of the story that lies face up; of another one its kind."""
        if card.shown is not None:
            return self.card(card.shown)
        return self.say("party.story_card", self.say(f"story_card.{card.kind.value}"))

    def tale(self, game: FirstEditionTable, tale: ToldTale) -> str:
        """Return the name of a story card that an ally told, its kind, and who keeps it."""
        return f"{self.card(tale.card)} ({', '.join(self.tale_notes(game, tale))})"

    def told(self, game: FirstEditionTable, ally: str) -> str:
        """Return what an ally has told, in one line; empty if it has told nothing."""
        return ", ".join(self.tale(game, tale) for tale in game.heard.get(ally, ()))

    def tale_notes(self, game: FirstEditionTable, tale: ToldTale) -> Sequence[str]:
        """Return the kind of a story card that an ally told, and who keeps it."""
        kind = self.say(f"tale.{tale.kind.value}")
        if tale.holder is None or tale.holder not in game.investigators:
            return [kind]
        return [kind, self.say("tale.kept", self.investigator(tale.holder))]

    def room(self, room: str) -> str:
        return self.name("room", room)

    def space(self, game: FirstEditionTable, space: str) -> str:
        """Return the name of a space: its map room, with a number if the room has several spaces.

        A space that is not on the board has the words for an unknown space.
        """
        room = game.map.rooms.get(space)
        if room is None:
            return self.say("space.unknown")
        spaces = game.map.spaces_of(room)
        if len(spaces) == 1:
            return self.room(room)
        # Numbered as the labels on the map are.
        return self.say("space.part", self.room(room), spaces.index(space) + 1)

    def at(self, game: FirstEditionTable, place: str) -> str:
        """Return the name of a space, or of a room that a marker is on."""
        return self.space(game, place) if place in game.map.rooms else self.room(place)

    def aim(self, objective: str) -> str:
        """Return what an objective demands, without the texts of its endings."""
        return self.words.find(objective).get("text", "")

    def counter(self, game: FirstEditionTable, counter: str) -> str:
        """Return the name of a counter of the story, with a capital letter."""
        name = self.name("counter", game.counters[counter].name or counter)
        return name[:1].upper() + name[1:]

    def of_story(self, table: Table, word: str) -> str:
        """Return the text of a question or an option of the story, whose id is a word."""
        return self.text(Text(f"{table.room.scenario.rpartition('/')[2]}/{word}"))


def spaces_named(table: Table, base: speaker.Speaker) -> Mapping[str, str]:
    """Return the name of each space, by the id of the space."""
    game, own = table.game, in_game(base)
    if not isinstance(game, FirstEditionTable):
        return {}
    return {space: own.space(game, space) for space in game.map.rooms}


def piece_named(table: Table, base: speaker.Speaker, piece: str) -> str:
    """Return the name of a monster on the board by its id; of anything else by its words."""
    game = table.game
    monster = game.monsters.get(piece) if isinstance(game, FirstEditionTable) else None
    if monster is None or not isinstance(game, FirstEditionTable):
        return base.name("", piece)
    return in_game(base).monster(game, monster)


def in_game(base: speaker.Speaker) -> FirstEditionSpeaker:
    """Return this game's speaker with the words of `base`."""
    return (
        base
        if isinstance(base, FirstEditionSpeaker)
        else FirstEditionSpeaker(base.locale, base.words)
    )
