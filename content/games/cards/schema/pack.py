"""A pack: the content of one folder, checked and ready for the rules."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from content.games.cards.schema.cards import (
    ActCard,
    AgendaCard,
    AnyCard,
    Does,
    EnemyCard,
    InvestigatorCard,
    LocationCard,
    LocationFace,
    PlayerCard,
    ReferenceCard,
    StoryCard,
    SymbolEntry,
    TreacheryCard,
)
from content.games.cards.schema.costs import DiscardHandCost
from content.games.cards.schema.kinds import Amount, CardType, Deed, Factor, Keyword
from content.games.cards.schema.modifiers import Modifier
from content.games.cards.schema.occurrences import Happening, Moment
from content.games.cards.schema.scenario import Scenario, StarterDeck
from content.games.cards.schema.steps import DiscardHand, IntoPlay, PlayCard, Step, TakeAction
from content.language.walk import parts_in
from protocol.common.text import Catalog
from protocol.games.cards.words import RULESET, Word

Answering = Mapping[tuple[Moment, Happening], frozenset[str]]
"""Cards by the moment and the occurrence that they answer."""

AnyFace = AnyCard | LocationFace
"""A card, or the revealed face of a location: all that lies open and has a text."""


@attrs.frozen
class Pack:
    """Content of a pack: cards by id, and words by language."""

    game = RULESET

    id: str
    scenarios: Mapping[str, Scenario]
    catalogs: Mapping[str, Catalog]
    digest: bytes
    """SHA-256 over all files of the pack, in the order of their names."""
    investigators: Mapping[str, InvestigatorCard] = attrs.field(factory=dict)
    players: Mapping[str, PlayerCard] = attrs.field(factory=dict)
    enemies: Mapping[str, EnemyCard] = attrs.field(factory=dict)
    treacheries: Mapping[str, TreacheryCard] = attrs.field(factory=dict)
    stories: Mapping[str, StoryCard] = attrs.field(factory=dict)
    locations: Mapping[str, LocationCard] = attrs.field(factory=dict)
    acts: Mapping[str, ActCard] = attrs.field(factory=dict)
    agendas: Mapping[str, AgendaCard] = attrs.field(factory=dict)
    references: Mapping[str, ReferenceCard] = attrs.field(factory=dict)
    decks: Mapping[str, StarterDeck] = attrs.field(factory=dict)
    history: Mapping[str, Mapping[str, str]] = attrs.field(factory=dict)
    """The version that corrected each field, by id and path of the field. C-AUTH-5."""

    def all_cards(self) -> Iterator[AnyCard]:
        """Yield every card of the pack."""
        for part in (
            *(self.investigators, self.players, self.enemies, self.treacheries, self.stories),
            *(self.locations, self.acts, self.agendas, self.references),
        ):
            yield from part.values()

    def all_faces(self) -> Iterator[AnyFace]:
        """Yield every card, and every revealed face of a location."""
        for card in self.all_cards():
            yield from faces_of(card)


def faces_of(card: AnyCard) -> Iterator[AnyFace]:
    """Yield a card, and the revealed faces of a location."""
    yield card
    if isinstance(card, LocationCard):
        faces = (card.face, *card.versions, card.other)
        yield from (face for face in faces if face is not None)


_TYPES: Mapping[type, CardType] = {
    InvestigatorCard: CardType.INVESTIGATOR,
    EnemyCard: CardType.ENEMY,
    TreacheryCard: CardType.TREACHERY,
    StoryCard: CardType.STORY,
    LocationCard: CardType.LOCATION,
    LocationFace: CardType.LOCATION,
    ActCard: CardType.ACT,
    AgendaCard: CardType.AGENDA,
    ReferenceCard: CardType.SCENARIO,
}


def type_of(face: AnyFace) -> CardType:
    """Return the type of a card."""
    return face.type if isinstance(face, PlayerCard) else _TYPES[type(face)]


def title_of(face: AnyFace) -> str:
    """Return the id that stands for the title of a card. C-BZONE-22."""
    return getattr(face, "title", None) or face.id


ACTIONS = (Does.ACTION,)
FREE = (Does.FREE,)
FREE_OUTSIDE_TESTS = (Does.FREE, Does.OBJECTIVE)
"""Kinds of ability that are used together. An act is not advanced in a test. C-BACTS-6."""


@attrs.frozen(eq=False, slots=False)
class Content:
    """The content of one game, as rules read it: a pack and the scenario that is played."""

    pack: Pack
    scenario: Scenario

    @functools.cached_property
    def faces(self) -> Mapping[str, AnyFace]:
        """Every card, and every revealed face of a location, by id."""
        return {face.id: face for face in self.pack.all_faces()}

    @functools.cached_property
    def forced(self) -> Answering:
        """The cards with a Forced ability that answers an occurrence."""
        return self._answering((Does.FORCED,))

    @functools.cached_property
    def reacting(self) -> Answering:
        """The cards with a reaction that answers an occurrence, or that are played at it."""
        return self._answering((Does.REACTION, Does.PLAY))

    def _answering(self, does: tuple[Does, ...]) -> Answering:
        found: dict[tuple[Moment, Happening], set[str]] = {}
        for id_, face in self.faces.items():
            for ability in face.abilities:
                if ability.on is not None and ability.does in does:
                    found.setdefault(ability.on.parts(), set()).add(id_)
        return {answered: frozenset(ids) for answered, ids in found.items()}

    @functools.cached_property
    def answered(self) -> Mapping[Happening, frozenset[str]]:
        """The cards that answer an occurrence at any moment."""
        found: dict[Happening, set[str]] = {}
        for (_, kind), ids in (*self.forced.items(), *self.reacting.items()):
            found.setdefault(kind, set()).update(ids)
        return {kind: frozenset(ids) for kind, ids in found.items()}

    @functools.cached_property
    def answered_first(self) -> frozenset[tuple[Moment, Happening]]:
        """The moments of an occurrence at which some abilities come before all others."""
        return frozenset(
            ability.on.parts()
            for face in self.faces.values()
            for ability in face.abilities
            if ability.on is not None and ability.on.is_first
        )

    @functools.cached_property
    def enemies(self) -> frozenset[str]:
        """The enemies."""
        return frozenset(id_ for id_, face in self.faces.items() if type_of(face) is CardType.ENEMY)

    @functools.cached_property
    def hidden(self) -> frozenset[str]:
        """The cards with Hidden. C-BKEY-5."""
        return frozenset(
            card.id for card in self.pack.all_cards() if Keyword.HIDDEN in card.keywords
        )

    @functools.cached_property
    def in_hands(self) -> frozenset[str]:
        """The cards that can answer an occurrence by a hand: from it, or taking cards from it."""
        return self.hidden | {
            id_
            for id_, face in self.faces.items()
            if any(
                one.does is Does.PLAY or one.zone.value == "hand" or takes_from_hand(one)
                for one in face.abilities
            )
        }

    @functools.cached_property
    def event_deeds(self) -> frozenset[Deed]:
        """The designators of events, which are ways to take an action from a hand. C-DESIG-3."""
        return frozenset(
            deed
            for card in self.pack.players.values()
            for ability in card.abilities
            if ability.does is Does.PLAY
            for deed in ability.deed
        )

    @functools.cached_property
    def steps(self) -> Mapping[str, tuple[Step, ...]]:
        """All steps of each card and of the scenario, by id, in the order of writing."""
        owners: dict[str, Any] = {**self.faces, self.scenario.id: self.scenario}
        return {
            id_: tuple(one for one in parts_in(owner) if isinstance(one, Step))
            for id_, owner in owners.items()
        }

    def place_of(self, code: str, step: Step) -> int:
        """Return the position of a step among those of its card. ValueError if it has no such."""
        return self.steps[code].index(step)

    @functools.cached_property
    def worded(self) -> frozenset[str]:
        """The cards with an ability of any kind."""
        return frozenset(id_ for id_, face in self.faces.items() if face.abilities)

    @functools.cached_property
    def usable(self) -> Mapping[tuple[Does, ...], frozenset[str]]:
        """The cards with an ability of some kinds that is used without an occurrence to answer."""
        return {
            kinds: frozenset(
                id_
                for id_, face in self.faces.items()
                if any(one.does in kinds and one.on is None for one in face.abilities)
            )
            for kinds in (ACTIONS, FREE, FREE_OUTSIDE_TESTS)
        }

    @functools.cached_property
    def triggered(self) -> Mapping[str, Mapping[tuple[Moment, Happening], Sequence[int]]]:
        """The positions of the abilities of each card that answer an occurrence."""
        found: dict[str, dict[tuple[Moment, Happening], list[int]]] = {}
        for id_, face in self.faces.items():
            for at, ability in enumerate(face.abilities):
                if ability.on is not None:
                    found.setdefault(id_, {}).setdefault(ability.on.parts(), []).append(at)
        return found

    @functools.cached_property
    def stars(self) -> Mapping[str, SymbolEntry]:
        """The entry of the star, by investigator."""
        return {
            id_: SymbolEntry(by=one.star_bonus, effect=one.star)
            for id_, one in self.pack.investigators.items()
        }

    @functools.cached_property
    def fast(self) -> frozenset[str]:
        """The cards that are Fast."""
        return frozenset(
            id_ for id_, one in self.pack.players.items() if Keyword.FAST in one.keywords
        )

    @functools.cached_property
    def counts_icons(self) -> bool:
        """True if any number of a card is that of the icons of the committed cards."""
        parts = (one for face in self.faces.values() for one in parts_in(face))
        return any(isinstance(one, Amount) and one.per is Factor.ICONS for one in parts)

    @functools.cached_property
    def giving(self) -> Mapping[tuple[type, Word | None], frozenset[str]]:
        """The cards with a constant ability that gives a modifier, by its class and its object."""
        found: dict[tuple[type, Word | None], set[str]] = {}
        for id_, face in self.faces.items():
            for ability in face.abilities:
                for given in _flat(ability.gives):
                    found.setdefault((type(given), given.about), set()).add(id_)
        return {kind: frozenset(ids) for kind, ids in found.items()}


def takes_from_hand(part: object) -> bool:
    """
    Return whether an ability or an effect takes cards from a hand, or may.

    Then whether it can be carried out follows from what only their holder knows.
    """
    return any(
        isinstance(one, DiscardHand | DiscardHandCost | PlayCard | TakeAction)
        or (isinstance(one, IntoPlay) and one.from_hand is not None)
        for one in parts_in(part)
    )


def _flat(gives: tuple[Modifier, ...]) -> Iterator[Modifier]:
    for given in gives:
        yield given
        yield from _flat(getattr(given, "gives", ()))
