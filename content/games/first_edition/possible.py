"""Whether a requirement can ever hold, and whether a step can ever do anything."""

from collections.abc import Iterator

import attrs

from content.games.first_edition.prospects import Prospects, known
from content.games.first_edition.schema import cards, effects, requirements, targets
from content.games.first_edition.schema.effects import Step
from content.games.first_edition.schema.requirements import Requirement
from content.games.first_edition.schema.story import Tale
from content.games.first_edition.schema.targets import Anybody, AnyMonster
from content.games.first_edition.walks import Walk
from protocol.games.first_edition.words import FeatureKind, StoryDeck


@attrs.frozen
class Possible:
    """Prospects and reachable spaces for one full set of answers."""

    ahead: Prospects
    walk: Walk

    @property
    def reveals(self) -> bool:
        """True if the objective can be revealed. K-GOAL-3."""
        clues = {clue.id for clue in self.ahead.story.clues}
        return clues <= set(self.walk.found) or any(self.ahead.of_kind(effects.Reveal))

    def items(self) -> Iterator[cards.ItemCard]:
        """Yield the items that an investigator can have."""
        placed = {card for row in self.ahead.story.placement for card in row.cards}
        for item in self.ahead.has(cards.ItemCard):
            if item.id not in placed or item.id in self.walk.found:
                yield item

    def comes(self, monster: str) -> bool:
        """Return whether a monster of a kind can come."""
        return self.ahead.comings(monster) > 0

    def holds(self, requirement: Requirement | None) -> bool:
        """Return whether a requirement can ever hold."""
        decided = known(requirement, self.ahead.answers)
        if decided is not None:
            return decided
        match requirement:
            case requirements.AllOf(of):
                return all(map(self.holds, of))
            case requirements.AnyOf(of):
                return any(map(self.holds, of))
            case requirements.Several(of, at_least):
                return sum(map(self.holds, of)) >= at_least
            case requirements.Investigators():
                return self._investigators(requirement)
            case requirements.Monsters(which=which, at_least=at_least):
                return self.monsters(which) >= at_least
            case requirements.HasFeature(kind=kind):
                return self.ahead.has_feature(kind)
            case requirements.ClueFound(clue):
                return clue in self.walk.found
            case requirements.Revealed(is_so):
                return not is_so or self.reveals
            case requirements.EventsResolved(at_least):
                return at_least <= len(self.ahead.story.events)
            case requirements.Counted(of=name, at_least=at_least, at_most=at_most):
                low, high = self.ahead.counted(name)
                return (at_least is None or at_least <= high) and (
                    at_most is None or at_most >= low
                )
            case requirements.Killed(kind, at_least):
                return self.ahead.comings(kind) >= at_least
            case requirements.Deaths(at_least):
                who = self.ahead.story.investigators or tuple(self.ahead.pack.characters)
                return at_least <= len(who)
        return self._outdoors(requirement)

    def _outdoors(self, requirement: Requirement | None) -> bool:
        """Return whether a requirement about allies, story cards or the ritual can ever hold."""
        match requirement:
            case requirements.AllyIs(ally, within, talked=talked):
                tells = len(self.tales_of(ally)) >= (talked or 0)
                return ally in self.ahead.allies and tells and self._can_stand(within)
            case requirements.AlliesGone(at_least):
                return len(self.ahead.allies) >= at_least
            case requirements.Told(tale):
                told = map(self.tales_of, self.ahead.allies)
                return any(tale == one.id for tales in told for one in tales)
            case requirements.StoryCardShown(card):
                return self._turns_up(card)
            case requirements.Solved(puzzle):
                return any(one.puzzle == puzzle for one in self.ahead.of_kind(effects.Ritual))
        # The opposite of something, or an amount of threat, can come about somehow.
        return True

    def _investigators(self, asked: requirements.Investigators) -> bool:
        items = list(self.items())
        return (
            asked.at_least <= self.ahead.story.most_investigators
            and self.anybody(asked.who)
            and self._can_stand(asked.within)
            and (not asked.dark or self.ahead.has_feature(FeatureKind.DARKNESS))
            and (not asked.outdoors or any(room.outdoor for room in self.ahead.story.rooms))
            and (not asked.hidden or self.ahead.has_feature(FeatureKind.HIDING_SPOT))
            and (asked.item is None or any(item.id == asked.item for item in items))
            and (asked.keyword is None or any(asked.keyword in item.keywords for item in items))
            and (not asked.spells or any(self.ahead.has(cards.SpellCard)))
            and (not asked.trauma or any(self.ahead.has(cards.TraumaCard)))
            and (not asked.cursed or any(self.ahead.of_kind(effects.Curse)))
        )

    def _turns_up(self, card: str) -> bool:
        """Return whether a card of the story can be dealt, and turned up. W-DECIDE-50."""
        for deck in self.ahead.story.decks:
            for one in deck.cards:
                if one.id == card:
                    dealt = {step.deck for step in self.ahead.of_kind(effects.Deal)}
                    turned = {step.deck for step in self.ahead.of_kind(effects.TurnUp)}
                    explored = any(self.ahead.of_kind(effects.KeeperExplores))
                    is_dealt = bool(deck.rooms) or deck.each_ally or deck.deck in dealt
                    is_find = deck.deck is StoryDeck.FIND and explored
                    return is_dealt and (one.trigger is not None or deck.deck in turned or is_find)
        return False

    def tales_of(self, ally: str) -> tuple[Tale, ...]:
        """Return the story cards that an ally can tell: nobody talks where nobody can go."""
        one = self.ahead.allies.get(ally)
        if one is None or (one.at is not None and not self._can_stand(self._room_of(one.at))):
            return ()
        return one.tales

    def _room_of(self, space: str) -> str:
        return self.walk.board.map.rooms[space]

    def _can_stand(self, place: str | None) -> bool:
        """Return whether an investigator can be in a place; a word for one can mean some place."""
        board = self.walk.board.map.rooms
        is_word = place not in board and place not in set(board.values())
        return place is None or is_word or place in self.walk.spaces | self.walk.rooms

    def anybody(self, who: Anybody) -> bool:
        """Return whether a step can ever concern an investigator."""
        match who:
            case targets.Who.OTHERS:
                return self.ahead.story.most_investigators > 1
            case targets.AllIn(place):
                return self._can_stand(place)
            case targets.AllWithItem(item):
                return any(one.id == item for one in self.items())
            case targets.Who.ALLIES:
                return bool(self.ahead.allies)
            case targets.TheAlly(ally):
                return ally in self.ahead.allies
        return True

    def monsters(self, which: AnyMonster) -> float:
        """Return how many monsters a step or a requirement can concern at once."""
        found = list(self.ahead.has(cards.MonsterCard))
        match which:
            case targets.OfKind(kind):
                found = [monster for monster in found if monster.id == kind]
            case targets.OfClass(class_):
                found = [monster for monster in found if monster.class_ is class_]
        return sum(self.ahead.at_once(monster.id) for monster in found)

    def does(self, step: Step) -> bool:
        """Return whether a step can ever do anything. K-CARD-3, K-CAMP-2, K-ALTAR-1."""
        match step:
            case (
                effects.MoveMonster()
                | effects.RemoveMonster()
                | effects.HurtMonster()
                | effects.HealMonster()
                | effects.KillMonster()
                | effects.StunMonster()
                | effects.Attack()
            ):
                return self.monsters(step.which) > 0
            case effects.PlaceAlly(ally):
                # An ally on the board from the start does not come again.
                return any(o.ally == ally and o.at is None for o in self.ahead.story.allies)
            case effects.RemoveAlly(ally):
                return ally in self.ahead.allies
            case effects.Talk(ally):
                return bool(self.tales_of(ally))
            case effects.SpreadFire():
                kinds = (FeatureKind.CAMPFIRE, FeatureKind.FIRE)
                return any(map(self.ahead.has_feature, kinds))
            case effects.RemoveFeature(kind=kind):
                return self.ahead.has_feature(kind)
            case effects.PlaceFeature(kind=FeatureKind.CORPSE):
                return self.ahead.story.corpses > 0
            case effects.PlaceFeature(kind=FeatureKind.PIT):
                return bool(self.ahead.pack.pits)
            case effects.Unlock(room):
                return self.ahead.story.lock_of(room, self.ahead.answers) is not None
            case effects.Draw(mythos=mythos, trauma=trauma):
                deck = self.ahead.pack.traumas
                return bool(mythos and self.ahead.story.mythos) or bool(trauma and deck)
            case effects.When() | effects.Test() | effects.Choose() | effects.ForEach():
                # Their inner steps are looked at themselves.
                return False
            case effects.Deal(deck=kind) | effects.TurnUp(deck=kind):
                return any(deck.deck is kind for deck in self.ahead.story.decks)
            case effects.KeeperExplores():
                return any(deck.deck is StoryDeck.FIND for deck in self.ahead.story.decks)
            case effects.OneOf() | effects.Say():
                return False
        who: Anybody = getattr(step, "who", targets.Who.ALL)
        return self.anybody(who)
