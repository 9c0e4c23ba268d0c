"""
Prospects: all that can come in a story if the keeper gave certain answers, over every choice.

Where the answers decide which of two effects is resolved, only that one is followed. Every other
condition may hold one day, so what is found is a little more than what can really come.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from content.games.first_edition.answers import Answers
from content.games.first_edition.schema import cards, effects, requirements, story
from content.games.first_edition.schema.effects import Effect, Step
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.requirements import Requirement
from content.games.first_edition.schema.story import Story, StoryAlly
from protocol.games.first_edition.words import FeatureKind

Amount = float
"""A number of times, perhaps without end."""


def known(requirement: Requirement | None, answers: Answers) -> bool | None:
    """Return whether a requirement holds if the answers alone decide it; None if they do not."""
    match requirement:
        case None:
            return True
        case requirements.Answered(question, option):
            return answers.get(question) == option
        case requirements.Not(of=inner):
            held = known(inner, answers)
            return None if held is None else not held
        case requirements.AllOf(of):
            found = [known(one, answers) for one in of]
            return False if False in found else None if None in found else True
        case requirements.AnyOf(of):
            found = [known(one, answers) for one in of]
            return True if True in found else None if None in found else False
        case requirements.Several(of, at_least):
            found = [known(one, answers) for one in of]
            least, most = found.count(True), len(found) - found.count(False)
            return True if least >= at_least else False if most < at_least else None
    return None


def steps_in(effect: Effect, answers: Answers) -> Iterator[Step]:
    """Yield the steps that an effect may resolve with these answers, nested ones after theirs."""
    for step in effect:
        if isinstance(step, effects.When):
            held = known(step.holds, answers)
            if held is None:
                yield step
            if held is not False:
                yield from steps_in(step.then, answers)
            if held is not True:
                yield from steps_in(step.otherwise, answers)
            continue
        yield step
        match step:
            case effects.Test(passed=passed, failed=failed):
                yield from steps_in((*passed, *failed), answers)
            case effects.Choose(options=options):
                for option in options:
                    if known(option.when, answers) is not False:
                        yield from steps_in(option.effect, answers)
            case effects.ForEach(effect=inner) | effects.Ritual(solved=inner):
                yield from steps_in(inner, answers)
            case effects.OneOf(ways):
                for way in ways:
                    yield from steps_in(way, answers)


def effects_of(part: Any) -> Iterator[tuple[Effect, bool]]:
    """Yield the effects of a card or a part of a story, and whether each can come repeatedly."""
    match part:
        case cards.ItemCard() | cards.TraitCard():
            yield from ((action.effect, True) for action in part.actions)
        case cards.SpellCard():
            yield from (((*back.passed, *back.failed), True) for back in part.backs)
        case cards.MonsterCard():
            yield from ((back.special, True) for back in part.backs)
        case cards.CombatCard():
            halves = (part.upper, part.lower)
            yield from (((*half.passed, *half.failed), True) for half in halves)
        case cards.TraumaCard() | cards.MythosCard() | cards.ActionCard():
            yield part.effect, True
        case cards.LockCard() | cards.ObstacleCard():
            yield part.opened, False
            yield part.failed, True
        case story.StoryCard():
            yield part.effect, part.copies > 1
        case story.StoryClue() | story.StoryEvent() | story.Tale():
            yield part.effect, False
        case story.Deed():
            yield part.effect, not part.once


@attrs.define
class Prospects:
    """Pieces and cards that can appear in a story for one full set of answers."""

    pack: Pack
    story: Story
    answers: Answers
    cards: dict[str, Any] = attrs.field(factory=dict)
    """The cards that can come into play, by id."""
    allies: dict[str, StoryAlly] = attrs.field(factory=dict)
    """The allies that can come, by id. W-ALLY-3."""
    steps: list[tuple[Step, bool]] = attrs.field(factory=list)
    """The steps that can come, each with whether it can come repeatedly."""

    @classmethod
    def of(cls, pack: Pack, made: Story, answers: Answers) -> "Prospects":
        """Return the prospects of a story for one full set of answers."""
        found = cls(pack, made, answers)
        cards_of_story = [card for deck in made.decks for card in deck.cards]
        for part in (*made.clues, *made.events, *made.deeds, *cards_of_story):
            found._resolve(part)
        for one in made.allies:
            if one.at is not None:
                found._meet(one.ally)
        for card in found._at_the_start():
            found._bring(card)
        return found

    def _at_the_start(self) -> Iterator[str]:
        """Yield the cards that come into play, or that somebody may draw or find."""
        made, pack = self.story, self.pack
        yield from (*made.mythos, *made.all_actions, *pack.traumas)
        for who in made.investigators or tuple(pack.characters):
            yield from (*pack.characters[who].physical, *pack.characters[who].mental)
        yield from (monster.kind for monster in made.monsters)
        for room in made.rooms:
            yield from made.cards_under(room.id, self.answers)
            if (lock := made.lock_of(room.id, self.answers)) is not None:
                yield lock

    def _bring(self, id_: str) -> None:
        """Add a card, with what its effects bring into play."""
        if id_ in self.cards:
            return
        groups: tuple[Mapping[str, Any], ...] = (
            *(self.pack.mythos, self.pack.actions, self.pack.traumas, self.pack.traits),
            *(self.pack.items, self.pack.spells, self.pack.monsters, self.pack.combat),
            *(self.pack.locks, self.pack.obstacles),
        )
        card = next((group[id_] for group in groups if id_ in group), None)
        # Clues are parts of the story, and `nothing` is no card at all.
        if card is None:
            return
        self.cards[id_] = card
        if isinstance(card, cards.TraitCard):
            for given in (card.item, card.spell):
                if given is not None:
                    self._bring(given)
        if isinstance(card, cards.MonsterCard):
            for fight in self.pack.combat.values():
                if fight.class_ is card.class_:
                    self._bring(fight.id)
        self._resolve(card)

    def _meet(self, ally: str) -> None:
        """Add an ally of the story, with what its story cards bring into play."""
        for one in self.story.allies:
            if one.ally == ally and ally not in self.allies:
                self.allies[ally] = one
                for tale in one.tales:
                    self._resolve(tale)

    def _resolve(self, part: Any) -> None:
        for effect, often in effects_of(part):
            for step in steps_in(effect, self.answers):
                self.steps.append((step, often))
                match step:
                    case effects.PlaceMonster(kind=kind):
                        self._bring(kind)
                    case effects.PlaceAlly(ally):
                        self._meet(ally)
                    case effects.Gain(item=item, spell=spell):
                        for given in (item, spell):
                            if given is not None:
                                self._bring(given)

    def of_kind(self, kind: type[Step]) -> Iterator[Any]:
        """Yield the steps of one kind that can come."""
        return (step for step, _ in self.steps if isinstance(step, kind))

    def has(self, group: type) -> Iterator[Any]:
        """Yield the cards of one class that can come into play."""
        return (card for card in self.cards.values() if isinstance(card, group))

    def comings(self, monster: str) -> Amount:
        """Return how many monsters of a kind can come in a game."""
        laid = sum(one.kind == monster for one in self.story.monsters)
        return laid + sum(
            math.inf if often else step.count
            for step, often in self.steps
            if isinstance(step, effects.PlaceMonster) and step.kind == monster
        )

    def at_once(self, monster: str) -> Amount:
        """Return how many monsters of a kind can be on the board at once. K-SUPPLY-5."""
        return min(self.pack.monsters[monster].figures, self.comings(monster))

    def has_feature(self, kind: FeatureKind) -> bool:
        """Return whether there can ever be a feature of a kind."""
        links = {link.kind.value for link in self.story.links}
        placed = (step.kind for step in self.of_kind(effects.PlaceFeature))
        laid = (feature.kind for feature in self.story.features)
        return kind in {*placed, *laid} or kind.value in links

    def total(
        self, kind: type[effects.Count | effects.Threat], of: str | None = None
    ) -> tuple[Amount, Amount]:
        """Return how much steps of a kind can take and add in all, of a counter or of threat."""
        changes = [
            step.add * (math.inf if often else 1)
            for step, often in self.steps
            if isinstance(step, kind) and getattr(step, "of", None) == of
        ]
        return sum(min(0, one) for one in changes), sum(max(0, one) for one in changes)

    def counted(self, name: str) -> tuple[Amount, Amount]:
        """Return the least and the greatest amount to which a counter can come."""
        counter = next(one for one in self.story.counters if one.id == name)
        down, up = self.total(effects.Count, of=name)
        low, high = counter.start + down, counter.start + up
        if any(name in self.pack.actions[action].tokens for action in self.story.all_actions):
            low = 0
        most = math.inf if counter.most is None else counter.most
        return max(0, low), min(most, high)
