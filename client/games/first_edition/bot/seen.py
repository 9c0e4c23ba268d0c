"""Public facts of the table that advice asks for."""

from collections.abc import Iterable

import attrs

from client.games.first_edition.bot.advice.forms import Answer, Condition, Either, Fact, Seen
from client.games.first_edition.outdoors import known_story_card
from client.model.tables import TableView
from protocol.games.first_edition.events import Told
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import FeatureKind


@attrs.define
class OpenTable:
    """Facts of the open table, each looked up when advice asks for it."""

    view: TableView
    game: FirstEditionTable
    _told: frozenset[str] | None = attrs.field(default=None, init=False)
    _amounts: dict[Seen, int] = attrs.field(factory=dict, init=False)

    def hold(self, conditions: Iterable[Condition]) -> bool:
        """Return whether all conditions hold."""
        return all(self.holds(one) for one in conditions)

    def worth(self, answer: Answer) -> float:
        """Return the points of a choice that a card offers."""
        return answer.worth if self.hold(answer.when) else answer.otherwise

    def holds(self, seen: Condition) -> bool:
        if isinstance(seen, Either):
            return any(self.hold(each) for each in seen.of)
        amount = self.amount(seen)
        if seen.at_most is not None and amount > seen.at_most:
            return False
        least = 1 if seen.at_least is None and seen.at_most is None else seen.at_least or 0
        return amount >= least

    def amount(self, seen: Seen) -> int:
        """Return the amount that a condition is about."""
        if seen not in self._amounts:
            self._amounts[seen] = self._count(seen)
        return self._amounts[seen]

    def _count(self, seen: Seen) -> int:
        game, id_ = self.game, seen.id
        match seen.fact:
            case Fact.COUNTER:
                line = game.counters.get(id_)
                found = 0 if line is None else line.amount
            case Fact.ON_BOARD:
                kinds = game.monsters_in(seen.within) if seen.within else game.monsters.values()
                found = sum(one.kind == id_ for one in kinds)
            case Fact.KILLED:
                found = game.killed.get(id_, 0)
            case Fact.FEATURE:
                found = self._features(FeatureKind(id_), seen.within)
            case Fact.PEOPLE:
                found = len(game.in_room(id_))
            case Fact.CARRIED:
                who = game.in_room(seen.within) if seen.within else game.investigators.values()
                found = sum(item.card == id_ for one in who for item in one.items)
            case Fact.LYING:
                rooms = [seen.within] if seen.within else game.lying
                found = sum(item.card == id_ for room in rooms for item in game.lying.get(room, ()))
            case Fact.FOUND:
                found = game.clues.count(id_)
            case Fact.RESOLVED:
                found = game.resolved.count(id_)
            case Fact.DONE:
                found = game.done.count(f"game:{id_}")
            case Fact.ANSWERED:
                known = [one.value for one in (game.answers, game.vote) if one and one.is_open]
                found = sum(id_ in answers.values() for answers in known)
            case Fact.TOLD:
                found = int(id_ in self.told())
            case _:
                found = self._outdoors(seen)
        return found

    def _outdoors(self, seen: Seen) -> int:
        """Return the amount of a fact about allies, cards of the story or curses."""
        game, id_ = self.game, seen.id
        match seen.fact:
            case Fact.TALKED:
                found = len(game.heard.get(id_, ()))
            case Fact.UNTOLD:
                found = len(game.tales.get(id_, ()))
            case Fact.TOLD_TALE:
                found = game.told.count(id_)
            case Fact.ALLY:
                people = game.characters_in(seen.within) if seen.within else game.allies.values()
                found = sum(one.character_id == id_ for one in people)
            case Fact.ALLY_GONE:
                found = int(id_ in game.tales and id_ not in game.allies)
            case Fact.STORY_CARD:
                found = self._story_cards(id_, seen.within)
            case Fact.CURSES:
                everybody = game.characters() if id_ else game.investigators.values()
                found = sum(one.curses for one in everybody if not id_ or one.character_id == id_)
            case _:
                raise TypeError(seen.fact)
        return found

    def told(self) -> frozenset[str]:
        """Return the subjects of all texts that were read aloud."""
        if self._told is None:
            events = (record.event for record in self.view.records)
            self._told = frozenset(one.text.subject for one in events if isinstance(one, Told))
        return self._told

    def _story_cards(self, card: str, owner: str) -> int:
        return sum(
            card == known_story_card(one)
            for one in self.game.story_cards.values()
            if owner in {"", one.owner}
        )

    def _features(self, kind: FeatureKind, room: str) -> int:
        rooms = self.game.map.rooms
        found = [one.at for one in self.game.features.values() if one.kind is kind]
        return sum(not room or room == at or rooms.get(at) == room for at in found)
