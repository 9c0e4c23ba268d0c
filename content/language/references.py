"""
References: which fields of the schema name something, and what kind of thing.

The loader checks by these tables that what is named exists; the linter follows them to see what
nothing names.
"""

import enum
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import attrs

from content.games.second_edition.schema import (
    board_steps,
    box,
    campaigns,
    cards,
    decks,
    effects,
    monster_steps,
    monsters,
    numbers,
    products,
    puzzles,
    requirements,
    scenario,
    shared,
    targets,
    timers,
)
from content.language.walk import parts_in
from content.reading.formulas import Variable
from content.reading.names import Kinds


class Kind(enum.Enum):
    """What can be named; the value is how people call it."""

    INVESTIGATOR = "investigator"
    ITEM = "item"
    SPELL = "spell"
    BACK = "back"
    """Of a two-sided Item or Condition, or of a Spell."""
    HARM = "Damage or Horror card"
    CONDITION = "condition"
    INSANE = "Insane back"
    MONSTER = "monster"
    MONSTER_TRAIT = "trait of a monster"
    MONSTERS = "monster, nor a trait or a name of one,"
    FIGURE = "name of a monster"
    WHICH = "such monster"
    """Where a word for a monster may stand, too."""
    WHOM = "such investigator"
    """Where a word for some investigators may stand, too."""
    PLACE = "space or room"
    ABILITY = "ability"
    SCENARIO = "scenario"
    TRAIT = "trait"
    TEXT = "text"
    """A subject with the field `text`."""
    NAME = "name"
    """A subject with the field `name`."""
    ROOM = "room"
    TILE = "tile"
    TOKEN = "token"  # noqa: S105  # a piece on the map
    SPACE = "space"
    DOOR = "named door"
    DOOR_TOKEN = "Door token"  # noqa: S105  # a piece on the map
    SPOT = "space or named door"
    COUNTER = "counter"
    DECK = "deck"
    DECK_CARD = "card of a deck"
    TIMER = "timer"
    VALUE = "counter or number"
    """What an expression names."""
    PUZZLE = "puzzle"
    EFFECT = "named effect"
    MYTHOS = "mythos event"
    TRIGGER = "trigger"
    PRODUCT = "product"
    CAMPAIGN = "campaign"
    HAPPENING = "mythos event, trigger, token or named effect"
    PACK_TILE = "tile of the pack"
    PERSON = "person"
    SHARED_EVENT = "shared event"
    ROOM_TRAIT = "trait of a room"
    PERSON_TRAIT = "trait of a person"
    MOOD = "mood"
    CARD = "Item or Spell"
    COMPONENT = "investigator, card, monster or scenario"


OF_SCENARIO = frozenset(
    [
        *(Kind.ROOM, Kind.TILE, Kind.TOKEN, Kind.SPACE, Kind.DOOR, Kind.SPOT, Kind.COUNTER),
        *(Kind.PUZZLE, Kind.EFFECT, Kind.MYTHOS, Kind.TRIGGER, Kind.DOOR_TOKEN, Kind.VALUE),
        *(Kind.HAPPENING, Kind.DECK, Kind.DECK_CARD, Kind.TIMER),
        *(Kind.MONSTERS, Kind.FIGURE, Kind.WHICH, Kind.PLACE),
    ]
)
"""What belongs to one scenario; the rest belongs to the pack."""

DECLARES: Mapping[tuple[type, str], Kind] = {
    (cards.InvestigatorCard, "id"): Kind.INVESTIGATOR,
    (cards.ItemCard, "id"): Kind.ITEM,
    (cards.SpellCard, "id"): Kind.SPELL,
    (cards.ItemBack, "id"): Kind.BACK,
    (cards.SpellBack, "id"): Kind.BACK,
    (cards.ConditionBack, "id"): Kind.BACK,
    (cards.HarmCard, "id"): Kind.HARM,
    (cards.ConditionCard, "id"): Kind.CONDITION,
    (cards.InsaneBack, "id"): Kind.INSANE,
    (monsters.MonsterCard, "id"): Kind.MONSTER,
    (monsters.Ability, "id"): Kind.ABILITY,
    (scenario.Scenario, "id"): Kind.SCENARIO,
    (products.Product, "id"): Kind.PRODUCT,
    (campaigns.Campaign, "id"): Kind.CAMPAIGN,
    (scenario.MapRoom, "id"): Kind.ROOM,
    (scenario.Tile, "id"): Kind.TILE,
    (scenario.TokenCard, "id"): Kind.TOKEN,
    (scenario.DoorToken, "id"): Kind.DOOR_TOKEN,
    (puzzles.Code, "id"): Kind.PUZZLE,
    (puzzles.Slide, "id"): Kind.PUZZLE,
    (puzzles.Lock, "id"): Kind.PUZZLE,
    (scenario.MythosEvent, "id"): Kind.MYTHOS,
    (scenario.Trigger, "id"): Kind.TRIGGER,
    (shared.PackTile, "id"): Kind.PACK_TILE,
    (shared.Person, "id"): Kind.PERSON,
    (shared.SharedEvent, "id"): Kind.SHARED_EVENT,
    (scenario.Scenario, "counters"): Kind.COUNTER,
    (scenario.Scenario, "effects"): Kind.EFFECT,
    (scenario.Scenario, "decks"): Kind.DECK,
    (scenario.Scenario, "timers"): Kind.TIMER,
    (decks.DeckCard, "id"): Kind.DECK_CARD,
    (scenario.Scenario, "monsters"): Kind.FIGURE,
}
"""The fields that bring something into being; of a mapping, its keys do."""

SHARED: Mapping[tuple[type, str], Kind] = {
    **dict.fromkeys(
        [
            *((card, "traits") for card in (cards.ItemCard, cards.HarmCard, cards.ConditionCard)),
            *((card, "traits") for card in (cards.SpellCard, cards.ItemBack, cards.SpellBack)),
            (cards.ConditionBack, "traits"),
        ],
        Kind.TRAIT,
    ),
    (scenario.MapRoom, "traits"): Kind.ROOM_TRAIT,
    (monsters.MonsterCard, "traits"): Kind.MONSTER_TRAIT,
    (box.Box, "room_traits"): Kind.ROOM_TRAIT,
    (shared.Person, "traits"): Kind.PERSON_TRAIT,
    (shared.Fits, "moods"): Kind.MOOD,
}
"""The fields that say of what sort something is; several things may be of one sort."""

OF_SORT = frozenset(SHARED.values())
"""The kinds that may be declared again and again."""

REFERS: Mapping[tuple[type, str], Kind] = {
    (cards.ComponentAction, "text"): Kind.TEXT,
    (effects.Say, "text"): Kind.TEXT,
    (effects.SetObjective, "text"): Kind.TEXT,
    (effects.EffectChoice, "text"): Kind.TEXT,
    (effects.Choose, "prompt"): Kind.TEXT,
    (effects.End, "epilogue"): Kind.TEXT,
    (effects.GainItem, "item"): Kind.ITEM,
    (effects.GainSpell, "spell"): Kind.SPELL,
    (effects.LoseItem, "item"): Kind.ITEM,
    (effects.GainRandomItem, "trait"): Kind.TRAIT,
    (effects.Become, "condition"): Kind.CONDITION,
    (effects.Recover, "condition"): Kind.CONDITION,
    (effects.FlipCondition, "condition"): Kind.CONDITION,
    (effects.PlaceInvestigator, "space"): Kind.PLACE,
    (effects.Toward, "space"): Kind.PLACE,
    (effects.OwnResult, "text"): Kind.TEXT,
    (board_steps.RemoveTile, "tile"): Kind.TILE,
    (board_steps.RemoveTile, "to"): Kind.PLACE,
    (board_steps.MoveToken, "token"): Kind.TOKEN,
    (board_steps.MoveToken, "to"): Kind.PLACE,
    (board_steps.Chapter, "text"): Kind.TEXT,
    (effects.MayEnter, "door"): Kind.DOOR,
    (effects.PlaceTile, "tile"): Kind.TILE,
    (scenario.Tile, "instead_of"): Kind.TILE,
    (effects.PlaceWall, "door"): Kind.DOOR,
    (effects.RemoveWall, "door"): Kind.DOOR,
    (effects.PlaceDoor, "door"): Kind.DOOR_TOKEN,
    (effects.RemoveDoor, "door"): Kind.DOOR_TOKEN,
    (effects.PlaceToken, "token"): Kind.TOKEN,
    (effects.RemoveToken, "token"): Kind.TOKEN,
    (effects.Spawn, "kind"): Kind.MONSTER,
    (effects.Spawn, "at"): Kind.PLACE,
    (effects.Spawn, "trait"): Kind.MONSTER_TRAIT,
    (effects.Spawn, "name"): Kind.FIGURE,
    (monster_steps.MoveMonster, "toward"): Kind.SPACE,
    (monster_steps.PlaceMonster, "space"): Kind.PLACE,
    (targets.OneInvestigator, "investigator"): Kind.WHOM,
    (targets.AllInRoom, "room"): Kind.ROOM,
    (targets.AllInSpace, "space"): Kind.SPACE,
    (targets.AllWithItem, "item"): Kind.ITEM,
    (targets.AllWithTrait, "trait"): Kind.TRAIT,
    (targets.NamedMonster, "name"): Kind.WHICH,
    (targets.OfKind, "kind"): Kind.MONSTER,
    (targets.OfTrait, "trait"): Kind.MONSTER_TRAIT,
    (effects.PlaceFeature, "at"): Kind.SPACE,
    (effects.PlaceFeature, "against"): Kind.DOOR,
    (effects.RemoveFeature, "at"): Kind.SPACE,
    (effects.Count, "counter"): Kind.COUNTER,
    (effects.SetCounters, "values"): Kind.COUNTER,
    (effects.Draw, "deck"): Kind.DECK,
    (effects.Deal, "counter"): Kind.COUNTER,
    (effects.StartTimer, "timer"): Kind.TIMER,
    (effects.StopTimer, "timer"): Kind.TIMER,
    (requirements.TimerLeft, "name"): Kind.TIMER,
    (timers.Timer, "text"): Kind.TEXT,
    (scenario.Trigger, "text"): Kind.TEXT,
    (effects.Attempt, "puzzle"): Kind.PUZZLE,
    (effects.Call, "effect"): Kind.EFFECT,
    (Variable, "name"): Kind.VALUE,
    (requirements.CounterWithin, "name"): Kind.COUNTER,
    (requirements.HasItem, "item"): Kind.ITEM,
    (requirements.AnyoneHasItem, "item"): Kind.ITEM,
    (requirements.HasTrait, "trait"): Kind.TRAIT,
    (requirements.InRoom, "room"): Kind.ROOM,
    (requirements.RoomIsOpen, "room"): Kind.ROOM,
    (requirements.TokenOnBoard, "token"): Kind.TOKEN,
    (requirements.FeatureOnBoard, "at"): Kind.SPACE,
    (requirements.Solved, "puzzle"): Kind.PUZZLE,
    (requirements.Monsters, "kind"): Kind.MONSTER,
    (requirements.Monsters, "named"): Kind.FIGURE,
    (requirements.Monsters, "trait"): Kind.MONSTER_TRAIT,
    (requirements.Monsters, "room"): Kind.ROOM,
    (requirements.Is, "investigator"): Kind.INVESTIGATOR,
    (requirements.InPlay, "investigator"): Kind.INVESTIGATOR,
    (requirements.Standing, "investigator"): Kind.INVESTIGATOR,
    (requirements.AnyoneHasTrait, "trait"): Kind.TRAIT,
    (requirements.HasSpell, "spell"): Kind.SPELL,
    (requirements.HasCondition, "condition"): Kind.CONDITION,
    (requirements.InSpace, "space"): Kind.SPACE,
    (requirements.AnyoneIn, "room"): Kind.ROOM,
    (requirements.MonsterHere, "kind"): Kind.MONSTER,
    (requirements.RoomTrait, "trait"): Kind.ROOM_TRAIT,
    (requirements.Enabled, "product"): Kind.PRODUCT,
    (requirements.Happened, "event"): Kind.HAPPENING,
    (monsters.MonsterCard, "abilities"): Kind.ABILITY,
    (monsters.Entry, "text"): Kind.TEXT,
    (monsters.Activation, "text"): Kind.TEXT,
    (monsters.Activation, "attack_text"): Kind.TEXT,
    (scenario.Tile, "rooms"): Kind.ROOM,
    (scenario.Tile, "of"): Kind.PACK_TILE,
    (scenario.TokenCard, "person"): Kind.PERSON,
    (shared.Fits, "rooms"): Kind.ROOM_TRAIT,
    (shared.SharedEvents, "moods"): Kind.MOOD,
    (shared.SharedEvents, "without"): Kind.SHARED_EVENT,
    (scenario.TokenOption, "text"): Kind.TEXT,
    (scenario.TokenCard, "at"): Kind.SPOT,
    (products.Product, "holds"): Kind.COMPONENT,
    (campaigns.Campaign, "scenarios"): Kind.SCENARIO,
    (scenario.DoorToken, "between"): Kind.SPACE,
    (puzzles.Code, "pieces"): Kind.NAME,
    (scenario.Scenario, "start"): Kind.SPACE,
    (scenario.Scenario, "investigators"): Kind.INVESTIGATOR,
    (scenario.Scenario, "starting_items"): Kind.ITEM,
    (scenario.Scenario, "starting_spells"): Kind.SPELL,
    (scenario.Scenario, "prologue"): Kind.TEXT,
    (scenario.Scenario, "eliminated_epilogue"): Kind.TEXT,
}
"""The fields that name something; of a list its items do, of a mapping its values."""

ANY_OF: Mapping[enum.Enum, tuple[enum.Enum, ...]] = {
    Kind.SPOT: (Kind.SPACE, Kind.DOOR),
    Kind.VALUE: (Kind.COUNTER,),
    Kind.HAPPENING: (Kind.MYTHOS, Kind.TRIGGER, Kind.TOKEN, Kind.EFFECT),
    Kind.COMPONENT: (
        *(Kind.INVESTIGATOR, Kind.ITEM, Kind.SPELL, Kind.HARM, Kind.CONDITION, Kind.INSANE),
        *(Kind.MONSTER, Kind.SCENARIO, Kind.SHARED_EVENT),
    ),
    Kind.CARD: (Kind.ITEM, Kind.SPELL),
    Kind.MONSTERS: (Kind.MONSTER, Kind.MONSTER_TRAIT, Kind.FIGURE),
    Kind.WHICH: (Kind.FIGURE,),
    Kind.WHOM: (Kind.INVESTIGATOR,),
    Kind.PLACE: (Kind.SPACE, Kind.ROOM),
}
"""What may be meant where one of several kinds can be named."""

ALWAYS: Mapping[enum.Enum, Collection[str]] = {
    Kind.VALUE: numbers.BUILT_IN,
    Kind.PLACE: sorted(targets.PLACES),
    Kind.WHICH: [word.value for word in targets.Which],
    Kind.WHOM: [word.value for word in targets.Who],
}
"""What there is of a kind in every scenario; for suggestions."""

BY_KEY = frozenset([(effects.SetCounters, "values")])
"""The mappings whose keys name something, in place of their values."""

BY_RULES = frozenset(["condition/wounded", "condition/insane"])
"""The cards that rules bring into play by themselves. Rules WOUNDED-2 and INSANE-2."""

FREE: Mapping[tuple[type, str], frozenset[str]] = {
    (Variable, "name"): frozenset(numbers.BUILT_IN),
    (effects.Spawn, "at"): targets.PLACES,
    (effects.PlaceInvestigator, "space"): targets.PLACES,
    (effects.Toward, "space"): targets.PLACES,
    (board_steps.RemoveTile, "to"): targets.PLACES,
    (board_steps.MoveToken, "to"): targets.PLACES,
    (monster_steps.MoveMonster, "toward"): frozenset(["actor", "nearest"]),
    (monster_steps.PlaceMonster, "space"): targets.PLACES,
    (effects.PlaceFeature, "at"): frozenset(["actor", "random"]),
    (effects.PlaceFeature, "against"): frozenset([effects.PASSAGE]),
    (effects.RemoveFeature, "at"): frozenset(["actor", "all"]),
    (requirements.HasSpell, "spell"): frozenset(["true"]),
    (requirements.MonsterHere, "kind"): frozenset(["true"]),
    (requirements.FeatureOnBoard, "at"): frozenset(["actor", "anywhere"]),
    (puzzles.Code, "pieces"): frozenset("0123456789"),
}
"""What may stand in such a field without naming anything."""

NAMED_BY_RULES: Mapping[tuple[type, str], str] = {
    (requirements.HasTrait, "trait"): "trait",
}
"""The fields that rules show under a subject: its first part, before the field's own text."""

ABOUT: Mapping[scenario.Moment, Kind] = {
    **dict.fromkeys(
        [
            *(scenario.Moment.MONSTER_SPAWNED, scenario.Moment.MONSTER_DEFEATED),
            *(scenario.Moment.MONSTER_ACTIVATES, scenario.Moment.MONSTER_ACTIVATED),
        ],
        Kind.MONSTERS,
    ),
    scenario.Moment.TOKEN_USED: Kind.TOKEN,
    scenario.Moment.SPACE_ENTERED: Kind.SPACE,
    scenario.Moment.ROOM_ENTERED: Kind.ROOM,
    scenario.Moment.ROOM_REVEALED: Kind.ROOM,
    scenario.Moment.ITEM_GAINED: Kind.CARD,
    scenario.Moment.ITEM_USED: Kind.CARD,
    scenario.Moment.ITEM_GIVEN: Kind.CARD,
    scenario.Moment.COUNTER_REACHED: Kind.COUNTER,
}
"""What `of` names in a trigger, by its moment; nothing in the others."""

PREFIXES: Mapping[enum.Enum, tuple[str, ...]] = {
    Kind.INVESTIGATOR: ("investigator",),
    Kind.ITEM: ("item",),
    Kind.SPELL: ("spell",),
    Kind.BACK: ("back",),
    Kind.HARM: ("damage", "horror"),
    Kind.CONDITION: ("condition",),
    Kind.INSANE: ("insane",),
    Kind.MONSTER: ("monster",),
    Kind.ABILITY: ("ability",),
    Kind.PRODUCT: ("product",),
    Kind.CAMPAIGN: ("campaign",),
    Kind.ROOM: ("room",),
    Kind.TOKEN: ("token",),
    Kind.PUZZLE: ("code", "slide", "lock"),
    Kind.PERSON: ("person",),
    Kind.PACK_TILE: ("tile",),
    Kind.SHARED_EVENT: ("mythos",),
}
"""How the ids begin that are subjects."""

_NAMELESS = frozenset([Kind.PACK_TILE, Kind.SHARED_EVENT, Kind.TOKEN])
NAMED = frozenset([*PREFIXES, Kind.SCENARIO]) - _NAMELESS
"""What people read the name of, in the words; a token may have its name from a person."""

KINDS = Kinds(
    name=Kind.NAME,
    of_scenario=OF_SCENARIO,
    of_sort=OF_SORT,
    named=NAMED,
    prefixes={**PREFIXES, Kind.SCENARIO: ()},
    composed=frozenset([Kind.SPACE, Kind.DOOR]),
)
"""What the reader of packs must know of them; spaces and doors have their tile's id in theirs."""


@attrs.frozen
class NamedReference:
    """Something that a value names."""

    kind: Kind
    id: str


def named_in(root: Any) -> Iterator[NamedReference]:
    """Yield all that a value of the schema names, at any depth."""
    for owner in parts_in(root):
        for field in attrs.fields(type(owner)):
            way = (type(owner), field.name)
            if (kind := REFERS.get(way)) is None:
                continue
            free = FREE.get(way, frozenset())
            value = getattr(owner, field.name)
            names = tuple(value) if way in BY_KEY else value
            yield from (NamedReference(kind, id_) for id_ in _ids(names, free))


def _ids(value: Any, free: frozenset[str]) -> Iterator[str]:
    if isinstance(value, str):
        values: tuple[str, ...] = (value,)
    elif isinstance(value, Mapping):
        values = tuple(value.values())
    else:
        values = value or ()
    yield from (id_ for id_ in values if id_ not in free)
