"""
Scenarios: a map, the pieces on it, and what happens at which moment.

Tiles are drawn (`protocol.boards.maps`); a scenario gives each its place on the board. Tokens wait
off the board until an effect places them.
"""

import enum
import functools
from collections.abc import Mapping
from typing import Annotated

import attrs

from content.games.second_edition.schema.counters import Counter
from content.games.second_edition.schema.decks import DeckCard
from content.games.second_edition.schema.effects import Effect, Number
from content.games.second_edition.schema.kinds import (
    ONE_UP,
    PLAYERS,
    InvestigatorId,
    ItemId,
    Kind,
    PlainText,
    RoomId,
    SpaceId,
    SpellId,
    TileId,
)
from content.games.second_edition.schema.puzzles import Code, Lock, Puzzle, Slide
from content.games.second_edition.schema.requirements import Happened, Requirement
from content.games.second_edition.schema.shared import SharedEvents
from content.games.second_edition.schema.timers import Timer
from content.language.walk import parts_in
from content.reading.formulas import MOST
from content.reading.meanings import Bounds, Declares, Names
from protocol.games.second_edition.table import TokenKind


@attrs.frozen
class Tile:
    """A tile and its place on the board."""

    id: Annotated[str, Declares(Kind.TILE)]
    row: Annotated[int, Bounds(0, 999)]
    """Row of the tile's upper left corner on the map, counted from 0."""
    column: Annotated[int, Bounds(0, 999)]
    """Column of the tile's upper left corner on the map, counted from 0."""
    drawing: str = ""
    """The drawing of the tile, a block of lines. Leave it out for a tile of the pack: the loader
    fills in the drawing from the pack, with the doors that are kept."""
    rooms: Mapping[str, RoomId] = attrs.field(factory=dict)
    """The room of each space, by the letter of the space. Rule ROOM-1."""
    of: Annotated[str, Names(Kind.PACK_TILE)] | None = None
    """The id of a tile of the pack, which replaces `drawing`."""
    doors: tuple[str, ...] | None = None
    """The doors of the pack's tile that are kept, by their digits; the others become wall. If left
    out, all doors are kept."""
    instead_of: TileId | None = None
    """Another tile of the scenario with the same place. Only one of the two tiles is on the board
    at a time."""

    @property
    def stead(self) -> str:
        """Id of the first tile in this place, if several take turns there; else its own id."""
        return self.instead_of or self.id


@attrs.frozen
class MapRoom:
    """A room of the map. Rule ROOM-3."""

    id: Annotated[str, Declares(Kind.ROOM)]
    outdoor: bool = False
    """Whether the room is outdoors."""
    traits: tuple[Annotated[str, Declares(Kind.ROOM_TRAIT)], ...] = ()
    """The traits of the room, such as `kitchen`. Shared events can require a trait."""


@attrs.frozen
class DoorToken:
    """
    A Door token, which makes a door in a wall once `place_door` brings it. Rule DOOR-3.

    The id of the token is the name of the new door.
    """

    id: Annotated[str, Declares(Kind.DOOR_TOKEN)]
    between: tuple[SpaceId, ...]
    """The two spaces that share the wall; the door is placed in the middle of the wall."""


@attrs.frozen
class TokenOption:
    """One option of a token. Rules ACTION-5 to ACTION-8."""

    text: PlainText
    """The text of the option, which everybody reads before the option is chosen."""
    effect: Effect
    action: bool = True
    """Whether the option has the action icon."""
    requires: Requirement | None = None
    """A requirement that the investigator must meet; otherwise the option is shown but refused with
    a reason (EXPLORE-5)."""
    when: Requirement | None = None
    """A requirement. The option is shown only while the requirement holds."""


@attrs.frozen
class TokenCard:
    """A token of the scenario."""

    id: Annotated[str, Declares(Kind.TOKEN)]
    kind: TokenKind
    at: Annotated[str, Names(Kind.SPOT)]
    """The place of the token: a space (`tile/a`), or for an Explore token a named door
    (`tile/1`)."""
    options: tuple[TokenOption, ...]
    anonymous: bool = False
    """For a person: whether the words only describe the person, such as a guest, and give no name.
    Rule TOKEN-6."""
    person: Annotated[str, Names(Kind.PERSON)] | None = None
    """For a person: the id of a person of the pack, whose name and text are used if the words have
    none under the token's own id. A person can be on the board only once."""
    health: Annotated[Number, ONE_UP] | None = None
    """For a person who can be hurt: the damage that they can bear. Nobody can hurt others."""


@attrs.frozen
class MythosEvent:
    """Something that can happen in the event step. Rules EVENT-1 to EVENT-3."""

    id: Annotated[str, Declares(Kind.MYTHOS)]
    effect: Effect
    when: Requirement | None = None
    """A requirement. The event is drawn only if the requirement holds."""
    repeats: bool = False
    """Whether the event can be drawn again once all other events are used up."""
    weight: Annotated[int, Bounds(1, 9)] = 1
    """Number of times that the event is in the pool."""


class Moment(enum.Enum):
    """The moments at which the game checks triggers."""

    STARTED = "started"
    """When the first round begins, before anything else happens."""
    ROUND_BEGAN = "round_began"
    """At the start of the Investigator phase."""
    TURN_ENDED = "turn_ended"
    """When a turn has ended; the actor is the investigator whose turn ended."""
    INVESTIGATOR_PHASE_ENDED = "investigator_phase_ended"
    """When every investigator has had a turn."""
    MYTHOS_BEGAN = "mythos_began"
    """When the Mythos phase begins."""
    EVENTS_DONE = "events_done"
    """In the event step, after the drawn event."""
    MONSTER_ACTIVATES = "monster_activates"
    """Before a monster moves and attacks."""
    MONSTER_ACTIVATED = "monster_activated"
    """After a monster has moved and attacked, if the monster is still on the board; the actor is
    the investigator toward whom the monster moved."""
    HORROR_DONE = "horror_done"
    """After the last horror check; only if a monster is left on the board."""
    ROUND_ENDED = "round_ended"
    """At the end of the Mythos phase."""
    FINAL_ROUND = "final_round"
    """When the first elimination begins the countdown."""
    MONSTER_SPAWNED = "monster_spawned"
    """Once a monster has appeared."""
    MONSTER_DEFEATED = "monster_defeated"
    """Once a monster has been defeated; the actor is the active investigator, or nobody between
    turns."""
    PERSON_DIED = "person_died"
    """
    Once a person has suffered as much damage as they have health; the actor is the actor of the
    effect that hurt them.
    """
    INVESTIGATOR_WOUNDED = "investigator_wounded"
    """Once an investigator has become Wounded; the actor is that investigator."""
    INVESTIGATOR_INSANE = "investigator_insane"
    """Once an investigator has become Insane; the actor is that investigator."""
    INVESTIGATOR_ELIMINATED = "investigator_eliminated"
    """Once an investigator has been eliminated."""
    TOKEN_USED = "token_used"  # noqa: S105  # a piece on the map
    """After the effect of a token's option."""
    SPACE_ENTERED = "space_entered"
    """Once an investigator has entered the space, willingly or not."""
    ROOM_ENTERED = "room_entered"
    """Once an investigator has entered the room, from another room or from off the board."""
    ROOM_REVEALED = "room_revealed"
    """Once the first space of the room is on the board."""
    ITEM_GAINED = "item_gained"
    """Once an investigator has gained an Item or a Spell, from a deck, the floor or another
    investigator."""
    ITEM_USED = "item_used"
    """Once the action of an Item or a Spell was performed, or an attack was made with the Item or
    Spell."""
    ITEM_GIVEN = "item_given"
    """Once an Item or a Spell was given in a trade; the actor is its new holder."""
    COUNTER_REACHED = "counter_reached"
    """Once the value of a counter has come within the bounds."""


@attrs.frozen
class Trigger:
    """An effect that the game resolves at a moment, without an investigator's choice."""

    id: Annotated[str, Declares(Kind.TRIGGER)]
    on: Moment
    """The moment at which the trigger is checked."""
    effect: Effect
    when: Requirement | None = None
    once: bool = True
    """Whether the trigger is resolved only once in a game."""
    of: str | None = None
    """The subject of the moment: a monster (its kind, one of its traits or its name), token, space,
    room, Item, Spell or counter. If left out, any subject sets the trigger off."""
    at_least: Annotated[int, Bounds(-MOST, MOST)] | None = None
    at_most: Annotated[int, Bounds(-MOST, MOST)] | None = None
    """The upper bound for `counter_reached`; `at_least` is the lower bound."""
    text: PlainText | None = None
    """A text that everybody reads before the effect is resolved. If several triggers with a text
    come at one moment, the investigators order them (CONFLICT-2); triggers without a text are
    resolved in the order of writing."""


@attrs.frozen
class Scenario:
    """A scenario: its players, its map and tokens, and the effects that tell its story."""

    id: Annotated[str, Declares(Kind.SCENARIO)]
    minutes: Annotated[int, Bounds(1, 600)]
    """Typical length of a game in minutes, shown in the lobby."""
    difficulty: Annotated[int, Bounds(1, 5)]
    """Difficulty, from 1 (easy) to 5 (hard)."""
    start: SpaceId
    """The space where the investigators' figures are placed. Rule SETUP-15."""
    starting_items: tuple[ItemId, ...]
    """The Items that the group divides at the start. Rules SETUP-12 and SETUP-13."""
    prologue: PlainText
    """The text told before the first tile is placed."""
    setup: Effect
    """The effect that places the first tiles and tokens. Rule SETUP-16."""
    rooms: tuple[MapRoom, ...]
    """The map rooms, with the names that players know."""
    tiles: tuple[Tile, ...]
    """The tiles of the map."""
    tokens: tuple[TokenCard, ...]
    """The tokens that steps of the scenario can place."""
    mythos: tuple[MythosEvent, ...]
    """The Mythos events that can be drawn in the event step."""
    eliminated_epilogue: PlainText
    """The text told when the countdown after an elimination has run out. Rule ELIMINATED-7."""
    events_each_round: Annotated[Number, Bounds(1, 9)] = 1
    """Number of events drawn in each round."""
    triggers: tuple[Trigger, ...] = ()
    """Effects that the game resolves at certain moments."""
    codes: tuple[Code, ...] = ()
    """The code puzzles."""
    doors: tuple[DoorToken, ...] = ()
    """The Door tokens that can be placed."""
    slides: tuple[Slide, ...] = ()
    """The slide puzzles."""
    locks: tuple[Lock, ...] = ()
    """The lock puzzles."""
    counters: Mapping[Annotated[str, Declares(Kind.COUNTER)], Counter] = attrs.field(factory=dict)
    """Counters by name. Their values are secret to everybody."""
    decks: Mapping[Annotated[str, Declares(Kind.DECK)], tuple[DeckCard, ...]] = attrs.field(
        factory=dict
    )
    """Decks by name. A card is drawn again only after every other card that can be drawn."""
    timers: Mapping[Annotated[str, Declares(Kind.TIMER)], Timer] = attrs.field(factory=dict)
    """Timers by name."""
    effects: Mapping[Annotated[str, Declares(Kind.EFFECT)], Effect] = attrs.field(factory=dict)
    """Named effects, which any other effect can call."""
    starting_spells: tuple[SpellId, ...] = ()
    """The Spells that the group divides at the start, after the Items. Rule SETUP-12."""
    shared_events: SharedEvents | None = None
    """The shared Mythos events of the pack that are added to the scenario's own; none if left
    out."""
    monsters: tuple[Annotated[str, Declares(Kind.FIGURE)], ...] = ()
    """Names that steps of the scenario use for single monsters."""
    minimum_players: Annotated[int, PLAYERS] = 1
    maximum_players: Annotated[int, PLAYERS] = 5
    """The highest number of players for this scenario."""
    investigators: tuple[InvestigatorId, ...] = ()
    """The investigators who can be played; if left out, all of the pack. If there are as many as
    players, no choice is left."""

    @functools.cached_property
    def remembered(self) -> tuple[str, ...]:
        """Ids of all events, such as named effects, that a `happened` requirement asks about."""
        asked = (part.event for part in parts_in(self) if isinstance(part, Happened))
        return tuple(dict.fromkeys(asked))

    @functools.cached_property
    def numbers_of_counters(self) -> Mapping[str, int]:
        """Position of each counter by its name, counted from 1."""
        return {name: number for number, name in enumerate(self.counters, start=1)}

    @functools.cached_property
    def triggers_by_moment(self) -> Mapping[Moment, tuple[tuple[int, Trigger], ...]]:
        """The triggers of each moment in order, each with its number in the scenario, from 1."""
        # Logs know triggers by these numbers, so they follow the file.
        numbered = tuple(enumerate(self.triggers, start=1))
        return {
            moment: tuple((number, trigger) for number, trigger in numbered if trigger.on is moment)
            for moment in Moment
        }

    @functools.cached_property
    def tokens_by_id(self) -> Mapping[str, TokenCard]:
        """The tokens by id."""
        return {token.id: token for token in self.tokens}

    @property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """All puzzles, of every type. Rule PUZZLE-12."""
        return (*self.codes, *self.slides, *self.locks)
