"""
Scenarios: a house, its contents, and what happens when.

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
    """The position of its upper left corner on the map, from 0."""
    column: Annotated[int, Bounds(0, 999)]
    """The position of its upper left corner on the map, from 0."""
    drawing: str = ""
    """A block of lines. For a tile of the pack it is left out: the loader fills in the tile's
    drawing, with its doors.
    """
    rooms: Mapping[str, RoomId] = attrs.field(factory=dict)
    """Room of each space, by the letter of the space. Rule ROOM-1."""
    of: Annotated[str, Names(Kind.PACK_TILE)] | None = None
    """The tile of the pack that this is, in place of a drawing of its own."""
    doors: tuple[str, ...] | None = None
    """The named doors of that tile that are kept, by their digits; the others become wall. All, if
    left out.
    """
    instead_of: TileId | None = None
    """A tile of the scenario in whose place this one can lie: by turns, never both at once."""

    @property
    def stead(self) -> str:
        """Id of the first of the tiles that take turns in this tile's place."""
        return self.instead_of or self.id


@attrs.frozen
class MapRoom:
    """A room. Rule ROOM-3."""

    id: Annotated[str, Declares(Kind.ROOM)]
    outdoor: bool = False
    """Whether it lies under the open sky."""
    traits: tuple[Annotated[str, Declares(Kind.ROOM_TRAIT)], ...] = ()
    """The kind of room, such as `kitchen`: shared events ask for it."""


@attrs.frozen
class DoorToken:
    """
    A Door token, which makes a door in a wall once `place_door` brings it. Rule DOOR-3.

    The id of the token is the name of the new door.
    """

    id: Annotated[str, Declares(Kind.DOOR_TOKEN)]
    between: tuple[SpaceId, ...]
    """The two spaces that share the wall; the door comes into its middle."""


@attrs.frozen
class TokenOption:
    """One option of a token. Rules ACTION-5 to ACTION-8."""

    text: PlainText
    """The words of the option before it is chosen, for all to read."""
    effect: Effect
    action: bool = True
    """Whether it has the action icon."""
    requires: Requirement | None = None
    """Needed by the investigator; else the option is refused with a reason (EXPLORE-5)."""
    when: Requirement | None = None
    """Not shown at all if this does not hold."""


@attrs.frozen
class TokenCard:
    """A token of the scenario."""

    id: Annotated[str, Declares(Kind.TOKEN)]
    kind: TokenKind
    at: Annotated[str, Names(Kind.SPOT)]
    """A space (`tile/a`), or for an Explore token a named door (`tile/1`)."""
    options: tuple[TokenOption, ...]
    anonymous: bool = False
    """For a person: whether it is somebody without a name, such as a guest, whom the words only
    describe, rather than one whom they name. Rule TOKEN-6."""
    person: Annotated[str, Names(Kind.PERSON)] | None = None
    """For a person: which one of the pack; name and text are theirs, unless the words say
    otherwise under the token's own id. One person is on the board once at most."""


@attrs.frozen
class MythosEvent:
    """Something that can happen in the event step. Rules EVENT-1 to EVENT-3."""

    id: Annotated[str, Declares(Kind.MYTHOS)]
    effect: Effect
    when: Requirement | None = None
    """Drawn only if this holds."""
    repeats: bool = False
    """Whether it can come again once all others are used up."""
    weight: Annotated[int, Bounds(1, 9)] = 1
    """Number of times that it is in the pool."""


class Moment(enum.Enum):
    """Moments at which triggers are looked at."""

    STARTED = "started"
    """When the first round begins, before all else."""
    ROUND_BEGAN = "round_began"
    """At the start of the Investigator phase."""
    TURN_ENDED = "turn_ended"
    """The actor is the one whose turn it was."""
    INVESTIGATOR_PHASE_ENDED = "investigator_phase_ended"
    """When everybody has had a turn."""
    MYTHOS_BEGAN = "mythos_began"
    """When the Mythos phase begins."""
    EVENTS_DONE = "events_done"
    """In the event step, after the drawn event."""
    MONSTER_ACTIVATES = "monster_activates"
    """Before it moves and attacks."""
    MONSTER_ACTIVATED = "monster_activated"
    """After it has moved and attacked, if it is still on the board; the actor is the investigator
    it moved toward.
    """
    HORROR_DONE = "horror_done"
    """After the last horror check; not if no monster is left."""
    ROUND_ENDED = "round_ended"
    """At the end of the Mythos phase."""
    FINAL_ROUND = "final_round"
    """When the first elimination begins the countdown."""
    MONSTER_SPAWNED = "monster_spawned"
    """Once a monster has appeared."""
    MONSTER_DEFEATED = "monster_defeated"
    """The actor is the active investigator, if there is one."""
    INVESTIGATOR_WOUNDED = "investigator_wounded"
    """Once somebody has become Wounded; the actor is that investigator."""
    INVESTIGATOR_INSANE = "investigator_insane"
    """Once somebody has become Insane; the actor is that investigator."""
    INVESTIGATOR_ELIMINATED = "investigator_eliminated"
    """Once somebody is out of the game."""
    TOKEN_USED = "token_used"  # noqa: S105  # a piece on the map
    """After the effect of one of its options."""
    SPACE_ENTERED = "space_entered"
    """An investigator came into the space, of their own will or not."""
    ROOM_ENTERED = "room_entered"
    """An investigator came into the room, from another room or from off the board."""
    ROOM_REVEALED = "room_revealed"
    """The first of its spaces has come on the board."""
    ITEM_GAINED = "item_gained"
    """An Item or a Spell came to somebody, from a deck, the floor or somebody else."""
    ITEM_USED = "item_used"
    """Its action was performed, or it was attacked with."""
    ITEM_GIVEN = "item_given"
    """In a trade; the actor is the one who has it now."""
    COUNTER_REACHED = "counter_reached"
    """The counter came within the bounds."""


@attrs.frozen
class Trigger:
    """An effect that is resolved at a moment, without anybody choosing it."""

    id: Annotated[str, Declares(Kind.TRIGGER)]
    on: Moment
    """The moment at which it is looked at."""
    effect: Effect
    when: Requirement | None = None
    once: bool = True
    """Whether it is resolved only once in a game."""
    of: str | None = None
    """The subject of the moment: a monster by its kind, one of its traits or its name, a token, a
    space, a room, an Item or Spell, a counter. Any, if left out."""
    at_least: Annotated[int, Bounds(-MOST, MOST)] | None = None
    at_most: Annotated[int, Bounds(-MOST, MOST)] | None = None
    """The bounds of `counter_reached`."""
    text: PlainText | None = None
    """Read by all before it is resolved. If several such triggers come at one moment, the
    investigators order them (CONFLICT-2); all others come in the order of writing."""


@attrs.frozen
class Scenario:
    """One scenario."""

    id: Annotated[str, Declares(Kind.SCENARIO)]
    minutes: Annotated[int, Bounds(1, 600)]
    """Typical length of a game, for the lobby."""
    difficulty: Annotated[int, Bounds(1, 5)]
    """Difficulty, from 1 (easy) to 5 (hard)."""
    start: SpaceId
    """The space where the investigators' figures are placed. Rule SETUP-15."""
    starting_items: tuple[ItemId, ...]
    """The Items that the group divides. Rules SETUP-12 and SETUP-13."""
    prologue: PlainText
    """Told before anything lies on the table."""
    setup: Effect
    """Places the first tiles and tokens. Rule SETUP-16."""
    rooms: tuple[MapRoom, ...]
    """The map rooms, as players know them."""
    tiles: tuple[Tile, ...]
    """The drawn parts of the map."""
    tokens: tuple[TokenCard, ...]
    """The tokens that steps can place."""
    mythos: tuple[MythosEvent, ...]
    """The events of the event step."""
    eliminated_epilogue: PlainText
    """Told when the countdown after an elimination has run out. Rule ELIMINATED-7."""
    events_each_round: Annotated[Number, Bounds(1, 9)] = 1
    """Number of events drawn in each round."""
    triggers: tuple[Trigger, ...] = ()
    """Effects that are resolved without anybody choosing them."""
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
    """Decks by name. A card is drawn again only after all others that can be drawn."""
    timers: Mapping[Annotated[str, Declares(Kind.TIMER)], Timer] = attrs.field(factory=dict)
    """Timers by name."""
    effects: Mapping[Annotated[str, Declares(Kind.EFFECT)], Effect] = attrs.field(factory=dict)
    """Effects under a name, called from anywhere."""
    starting_spells: tuple[SpellId, ...] = ()
    """The Spells that the group divides, after the Items. Rule SETUP-12."""
    shared_events: SharedEvents | None = None
    """Which of the pack's events come into one pool with its own; none if left out."""
    monsters: tuple[Annotated[str, Declares(Kind.FIGURE)], ...] = ()
    """The names by which its steps know single monsters."""
    minimum_players: Annotated[int, PLAYERS] = 1
    maximum_players: Annotated[int, PLAYERS] = 5
    """With more players it cannot be played."""
    investigators: tuple[InvestigatorId, ...] = ()
    """The only investigators who can be played; all of the pack, if left out. With as many as there
    are players, the party is fixed.
    """

    @functools.cached_property
    def remembered(self) -> tuple[str, ...]:
        """The events whose occurrence some requirement asks about."""
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
