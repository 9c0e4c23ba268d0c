"""
What must hold inside one object of a pack, beyond its types.

Each check gets an object that has been read and tells what is wrong with a field, in words that
say what to do. What needs more than one object is checked in `content.board` and
`content.loader`.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from content.checks_board import check_place
from content.checks_monsters import check_amount, check_context, check_root, check_spawn
from content.drawings import check_pack_tile, check_tile
from content.expressions import KEYWORDS, NAME
from content.references import ABOUT, BY_RULES, PLAIN_ID, Kind
from content.schema import (
    cards,
    counters,
    decks,
    effects,
    monster_steps,
    monsters,
    products,
    puzzles,
    requirements,
    scenario,
    shared,
    timers,
)
from content.schema.decks import MOST_CARDS
from content.schema.expressions import BUILT_IN
from content.schema.walk import parts_in
from content.sheet import Complaint
from protocol.second_edition.table import FeatureKind, TokenKind

DEFAULT_BOUNDS = (0, 99)
"""Of whole numbers that have no bounds of their own."""

_SKILL = (2, 5)  # rule SKILL-2
_PLAYERS = (1, 5)  # rule SETUP-1
_ONE_UP = (1, 99)
_MODIFIER = (-9, 9)
_COUNTED = (-1000, 1000)
_MOST_DEALT = 100

INT_BOUNDS: Mapping[tuple[type, str], tuple[int, int]] = {
    **{
        (cards.InvestigatorCard, skill): _SKILL
        for skill in ("strength", "agility", "observation", "lore", "influence", "will")
    },
    (cards.InvestigatorCard, "health"): (1, 20),
    (cards.InvestigatorCard, "sanity"): (1, 20),
    (cards.Modifier, "amount"): _MODIFIER,
    (cards.Reroll, "dice"): _ONE_UP,
    (cards.ItemCard, "copies"): _ONE_UP,
    (cards.SpellBack, "copies"): _ONE_UP,
    (cards.HarmCard, "copies"): _ONE_UP,
    (cards.ConditionCard, "copies"): _ONE_UP,
    (cards.InsaneBack, "copies"): _ONE_UP,
    (cards.InsaneBack, "minimum_players"): _PLAYERS,
    (monsters.MonsterCard, "copies"): _ONE_UP,
    (monsters.Ability, "barricade_dice"): _MODIFIER,
    # Evading, horror and pushing add these to a test: they may be below zero.
    (monsters.MonsterCard, "awareness"): _MODIFIER,
    (monsters.MonsterCard, "horror_rating"): _MODIFIER,
    (monsters.MonsterCard, "brawn"): _MODIFIER,
    (effects.SkillTest, "modifier"): _MODIFIER,
    (effects.Negate, "modifier"): _MODIFIER,
    (effects.SkillTest, "against"): _ONE_UP,
    (effects.TurnFacedown, "count"): _ONE_UP,
    (effects.TurnFaceup, "count"): _ONE_UP,
    (effects.SpendClues, "count"): _ONE_UP,
    (effects.LoseActions, "count"): _ONE_UP,
    (effects.MayMove, "spaces"): _ONE_UP,
    (effects.MoveAway, "spaces"): _ONE_UP,
    (effects.Count, "add"): _COUNTED,
    (effects.Count, "to"): _COUNTED,
    (effects.SetCounters, "values"): _COUNTED,
    **{(counters.Counter, bound): _COUNTED for bound in ("first", "least", "most")},
    (scenario.Trigger, "at_least"): (-1_000_000, 1_000_000),
    (scenario.Trigger, "at_most"): (-1_000_000, 1_000_000),
    (requirements.Counter, "at_least"): (-1_000_000, 1_000_000),
    (requirements.Counter, "at_most"): (-1_000_000, 1_000_000),
    (requirements.HasClues, "count"): _ONE_UP,
    (requirements.Happened, "at_least"): _ONE_UP,
    (requirements.TimerLeft, "at_least"): (0, 1_000_000),
    (requirements.TimerLeft, "at_most"): (0, 1_000_000),
    (effects.Way, "weight"): _ONE_UP,
    (effects.Deal, "from_"): _COUNTED,
    (effects.Deal, "to"): _COUNTED,
    (decks.DeckCard, "weight"): _ONE_UP,
    (timers.Timer, "rounds"): _ONE_UP,
    (timers.Timer, "turns"): _ONE_UP,
    **{
        (asked, bound): (0, 1_000_000)
        for asked in (requirements.Round, requirements.Investigators, requirements.Monsters)
        for bound in ("at_least", "at_most")
    },
    (scenario.Scenario, "minutes"): (1, 600),
    (scenario.Scenario, "difficulty"): _PLAYERS,
    (scenario.Scenario, "events_each_round"): (1, 9),
    (scenario.Scenario, "minimum_players"): _PLAYERS,
    (scenario.Scenario, "maximum_players"): _PLAYERS,
    (scenario.MythosEvent, "weight"): (1, 9),
    (shared.SharedEvent, "weight"): (1, 9),
    (shared.SharedEvents, "weight"): (1, 9),
    (scenario.Tile, "row"): (0, 999),
    (scenario.Tile, "column"): (0, 999),
    # CODE-1: a code is made of at least three pieces.
    (puzzles.Code, "length"): (3, 9),
    (puzzles.Slide, "rows"): (1, 6),
    (puzzles.Slide, "columns"): (1, 6),
    (puzzles.Slide, "least"): _ONE_UP,
    **{
        (puzzles.Lock, side): (puzzles.LEAST_GRID, puzzles.MOST_GRID)
        for side in ("rows", "columns")
    },
    # With one step there is nothing in the way.
    (puzzles.Lock, "steps"): (2, 99),
}
"""The least and the greatest number that a field may hold."""

T = TypeVar("T")
Check = Callable[[Any, Complaint], None]

CHECKS: dict[type, Check] = {}
"""The check of each class that has one."""


def _checks(
    *classes: type,
) -> Callable[[Callable[[T, Complaint], None]], Callable[[T, Complaint], None]]:
    def declare(check: Callable[[T, Complaint], None]) -> Callable[[T, Complaint], None]:
        CHECKS.update(dict.fromkeys(classes, check))
        return check

    return declare


def _is_nothing(number: effects.Number) -> bool:
    """Whether a number is 0 in every game."""
    return number in (0, effects.Amount())


def _least(number: effects.Number) -> int:
    """Return the least that a number can be for any group, as far as it can be told; else 1."""
    if isinstance(number, int):
        return number
    if number.formula is not None:
        return 1
    return min(number.listed) if number.listed else number.base + number.each


@_checks(cards.Modifier)
def _modifier(card: cards.Modifier, fault: Complaint) -> None:
    counts = {
        *(cards.ModifierKind.DICE, cards.ModifierKind.SPACES),
        cards.ModifierKind.WEAPON_DAMAGE,
    }
    if card.kind in counts and card.amount == 0:
        fault("amount", f"{card.kind.value!r} changes by 0; write an amount")
    if card.kind not in counts and card.amount != 0:
        fault("amount", f"{card.kind.value!r} has no amount; leave it out")
    if card.skill is not None and card.kind is not cards.ModifierKind.DICE:
        fault("skill", f"{card.kind.value!r} is of no skill; leave it out")


def _deck(made: cards.ItemCard | effects.GainRandomItem, fault: Complaint) -> None:
    if made.deck not in {"common", "unique"}:
        fault("deck", f"expected common or unique, not {made.deck[:40]!r}")


CHECKS[effects.GainRandomItem] = _deck


@_checks(cards.ItemCard)
def _item(card: cards.ItemCard, fault: Complaint) -> None:
    _deck(card, fault)
    flips = any(isinstance(part, effects.FlipThis) for part in parts_in(card))
    if flips and card.back is None:
        fault("back", "'flip_this' turns this card over, but it has no other side; write a back")


@_checks(cards.SpellCard)
def _spell(card: cards.SpellCard, fault: Complaint) -> None:
    if not card.backs:
        fault("backs", "a Spell has two sides (rule TWOSIDED-1); write at least one back")
    front = (card.attack, card.powers)
    if not any(isinstance(part, effects.FlipThis) for part in parts_in(front)):
        reason = "the front says when to flip the card (rule SPELL-2); write 'flip_this: true'"
        fault("powers", f"{reason} in its action, or in 'after' of its attack")
    if card.attack is not None and card.attack.kind is not cards.WeaponKind.SPELL:
        fault("attack", "one attacks with a Spell by the option 'spell'; write 'kind: spell'")


@_checks(cards.HarmCard)
def _harm(card: cards.HarmCard, fault: Complaint) -> None:
    if not card.id.startswith(f"{card.harm.value}/"):
        fault("id", f"an id in this file begins with {card.harm.value}/")
    if bool(card.resolve) == (card.keep is not None):
        have = "both" if card.resolve else "neither"
        fault("resolve", f"a card has exactly one of resolve and keep, this has {have}")


_ON_A_BACK = {
    *(cards.ModifierKind.NO_TRADE, cards.ModifierKind.NO_ATTACK),
    *(cards.ModifierKind.NO_INTERACT, cards.ModifierKind.NO_SEARCH),
}
"""What shows in nobody's questions but the owner's own. Rule SECRET-7."""


@_checks(cards.InsaneBack)
def _insane_back(card: cards.InsaneBack, fault: Complaint) -> None:
    shows = [m.kind.value for m in card.powers.modifiers if m.kind not in _ON_A_BACK]
    if shows or card.powers.reroll is not None or card.powers.action is not None:
        allowed = ", ".join(sorted(kind.value for kind in _ON_A_BACK))
        fault("powers", f"the others could tell from that what the back says; only {allowed}")


@_checks(monsters.MonsterCard)
def _monster(card: monsters.MonsterCard, fault: Complaint) -> None:
    if _least(card.health) < 1:
        fault("health", "a monster has at least 1 health")
    for field in ("evades", "horrors", "activations"):
        if not getattr(card, field):
            fault(field, "at least one entry is needed: the keeper draws one")
    for kind in cards.WeaponKind:
        if not card.attacks.get(kind):
            fault("attacks", f"add at least one entry under {kind.value!r} (rule ATTACK-9)")


@_checks(monsters.Ability)
def _ability(card: monsters.Ability, fault: Complaint) -> None:
    if not card.passes and not card.barricade_dice:
        fault("passes", "this ability does nothing; write passes or barricade_dice")


@_checks(effects.Suffer, effects.Negate)
def _suffer(step: effects.Suffer | effects.Negate, fault: Complaint) -> None:
    if _is_nothing(step.damage) and _is_nothing(step.horror):
        fault("damage", "nothing is suffered; write damage or horror")
    _within_range(step, fault)


@_checks(effects.Heal)
def _heal(step: effects.Heal, fault: Complaint) -> None:
    if _is_nothing(step.damage) and _is_nothing(step.horror):
        fault("damage", "nothing is healed; write damage or horror")
    _within_range(step, fault)


@_checks(
    *(effects.TurnFacedown, effects.TurnFaceup, effects.GainClues, effects.Become),
    *(effects.Recover, effects.ForEach, effects.GainItem, effects.GainSpell),
)
def _within_range(step: Any, fault: Complaint) -> None:
    allowed = (monsters.MonsterCard, scenario.Scenario)
    if step.who is effects.Who.WITHIN_RANGE and fault.root not in allowed:
        fault("who", "'within_range' means range of a monster; no monster is dealt with here")


@_checks(effects.TurnThisFacedown, effects.DiscardThis, effects.FlipThis)
def _this_card(
    step: effects.TurnThisFacedown | effects.DiscardThis | effects.FlipThis, fault: Complaint
) -> None:
    allowed: tuple[type, ...] = (cards.HarmCard,)
    if isinstance(step, effects.DiscardThis):
        allowed = (cards.HarmCard, cards.ItemCard, cards.SpellCard)
    elif isinstance(step, effects.FlipThis):
        allowed = (cards.ItemCard, cards.SpellCard)
    if fault.root not in allowed:
        fault("value", "there is no card here that this could mean; name it or leave the step out")
    _only_true(step, fault)


@_checks(effects.DropRandomItem, effects.Return)
def _only_true(step: Any, fault: Complaint) -> None:
    if not step.value:
        fault("value", "false does nothing; leave the step out")


@_checks(effects.Forfeit)
def _forfeit(step: effects.Forfeit, fault: Complaint) -> None:
    if fault.root is not monsters.MonsterCard:
        fault("", "no monster is dealt with here; this step stands in monsters.yaml only")
    _only_true(step, fault)


for _about_monsters in (
    *(effects.MoveAway, monster_steps.RemoveMonster, monster_steps.PlaceMonster),
    monster_steps.Activate,
):
    CHECKS[_about_monsters] = check_root
CHECKS[monster_steps.HealMonster] = CHECKS[monster_steps.MoveMonster] = check_amount
CHECKS[effects.Spawn] = check_spawn


@_checks(effects.DamageMonster)
def _damage_monster(step: effects.DamageMonster, fault: Complaint) -> None:
    check_root(step, fault)
    if step.weapon and fault.root is not monsters.MonsterCard:
        fault("weapon", "nobody attacks here; this stands in monsters.yaml only")
    if _is_nothing(step.amount) and not (step.weapon or step.successes):
        fault("amount", "no damage is done; write amount, weapon: true or successes: true")


@_checks(effects.GainClues)
def _gain_clues(step: effects.GainClues, fault: Complaint) -> None:
    if _is_nothing(step.count):
        fault("count", "no clue is gained; write a count")
    _within_range(step, fault)


@_checks(effects.PlaceInvestigator)
def _place_investigator(step: effects.PlaceInvestigator, fault: Complaint) -> None:
    check_place(step, fault)
    _within_range(step, fault)


@_checks(effects.SkillTest)
def _test(step: effects.SkillTest, fault: Complaint) -> None:
    """See that one way of telling the difficulty and one of telling the outcome is written."""
    bounds = [threshold.at_least for threshold in step.thresholds]
    if step.thresholds and (step.passed or step.failed):
        fault("thresholds", "write thresholds in place of passed and failed, not beside them")
    if len(set(bounds)) < len(bounds):
        fault("thresholds", "two thresholds are alike; join them")
    if step.thresholds and (step.against is not None or step.difficulty != 1):
        fault("thresholds", "the thresholds say how much is needed; leave the difficulty out")
    if step.against is not None and step.difficulty != 1:
        fault("against", "the dice of the keeper are the difficulty; leave the other one out")
    if step.against is not None and step.hidden is not None:
        fault("against", "the keeper rolls openly; leave 'hidden' out")
    _within_range(step, fault)


@_checks(effects.Count)
def _count(step: effects.Count, fault: Complaint) -> None:
    if _is_nothing(step.add) and step.to is None:
        fault("add", "nothing is counted; write add or to")


@_checks(effects.SetCounters)
def _set(step: effects.SetCounters, fault: Complaint) -> None:
    if not step.values:
        fault("values", "nothing is set; write 'counter: number'")


@_checks(counters.Counter)
def _counter(counter: counters.Counter, fault: Complaint) -> None:
    bounds = (counter.least, counter.most)
    if counter.is_ is counters.CounterKind.FLAG and bounds != (None, None):
        fault("is", "a flag is 0 or 1; leave out least and most")
    low, high = counter.bounds
    if low >= high:
        fault("least", f"it could stand at nothing else than {low}; most must be more than least")
    elif not low <= counter.first <= high:
        fault("first", f"it begins at {counter.first}, but stays between {low} and {high}")


@_checks(effects.Deal)
def _deal(step: effects.Deal, fault: Complaint) -> None:
    if not 1 <= step.to - step.from_ < _MOST_DEALT:
        fault("to", f"at least two numbers are dealt from, and {_MOST_DEALT} at most")


@_checks(timers.Timer)
def _timer(timer: timers.Timer, fault: Complaint) -> None:
    if (timer.rounds is None) == (timer.turns is None):
        fault("rounds", "a timer counts rounds or turns; write exactly one of the two")
    if timer.seen and timer.text is None:
        fault("text", "people see this timer; write a text, or 'seen: false'")
    if not timer.seen and timer.text is not None:
        fault("text", "nobody sees this timer; leave the text out, or write 'seen: true'")
    if not timer.effect:
        fault("effect", "nothing happens when it runs out; write an effect")


@_checks(effects.PlaceFeature)
def _place_feature(step: effects.PlaceFeature, fault: Complaint) -> None:
    if step.against is not None and step.feature is not FeatureKind.BARRICADE:
        fault("against", f"{step.feature.value!r} blocks nothing; leave it out")


@_checks(effects.When)
def _when(step: effects.When, fault: Complaint) -> None:
    if not step.then and not step.otherwise:
        fault("then", "nothing happens either way; write then or otherwise")


@_checks(effects.Choose)
def _choose(step: effects.Choose, fault: Complaint) -> None:
    if len(step.options) < 2:
        fault("options", "a choice has at least two options")
    elif all(option.when is not None for option in step.options):
        fault("options", "one option must always be there; leave out 'when' in one of them")


@_checks(effects.ForEach)
def _for_each(step: effects.ForEach, fault: Complaint) -> None:
    if not step.effect:
        fault("effect", "nothing happens for each; write an effect")
    _within_range(step, fault)


@_checks(effects.OneOf)
def _one_of(step: effects.OneOf, fault: Complaint) -> None:
    if len(step.ways) < 2:
        fault("ways", "chance needs at least two effects to pick from")


@_checks(requirements.AllOf, requirements.AnyOf)
def _several(made: requirements.AllOf | requirements.AnyOf, fault: Complaint) -> None:
    if not made.of:
        fault("of", "name at least one requirement, or leave this out")


@_checks(
    *(requirements.Round, requirements.Counter),
    *(requirements.Investigators, requirements.Monsters, requirements.TimerLeft),
)
def _bounds(made: Any, fault: Complaint) -> None:
    if made.at_least > made.at_most:
        fault("at_least", f"{made.at_least} is more than at_most, {made.at_most}: it never holds")
    if not isinstance(made, requirements.TimerLeft) and type(made)(**_kept(made)) == made:
        fault("at_least", "this holds always; write at_least or at_most")


def _kept(made: Any) -> dict[str, Any]:
    return {
        name: getattr(made, name)
        for name in ("name", "kind", "trait", "room", "named")
        if hasattr(made, name)
    }


@_checks(scenario.TokenCard)
def _token(card: scenario.TokenCard, fault: Complaint) -> None:
    if card.at[-1:].isdigit() and card.kind is not TokenKind.EXPLORE:
        fault("at", "only an explore token lies on a door; name a space such as hall/a")
    if not card.options:
        fault("options", "a token offers at least one option")
    if card.anonymous and card.kind is not TokenKind.PERSON:
        fault("anonymous", "only a person can be without a name; leave it out")
    if card.person is None:
        # A person of the pack has the name there; every other token has its own.
        fault.sheet.refer(Kind.NAME, card.id, fault.sheet.place(fault.node, "id"))
    elif card.kind is not TokenKind.PERSON or card.anonymous:
        fault("person", "only a token of the kind person, which is not anonymous, can be somebody")


@_checks(scenario.Trigger)
def _trigger(trigger: scenario.Trigger, fault: Complaint) -> None:
    """See that `of` fits the moment, and what it names."""
    kind, bounds = ABOUT.get(trigger.on), (trigger.at_least, trigger.at_most)
    if trigger.of is not None and kind is None:
        fault("of", f"{trigger.on.value!r} is about nothing in particular; leave it out")
    elif trigger.of is not None and kind is not None:
        fault.sheet.refer(kind, trigger.of, fault.sheet.place(fault.node, "of"))
    if trigger.on is not scenario.Moment.COUNTER_REACHED:
        if bounds != (None, None):
            fault("at_least", "only 'counter_reached' has bounds; write them in 'when'")
    elif trigger.of is None:
        fault("of", "say which counter")
    elif bounds == (None, None):
        fault("at_least", "say when the counter is there; write at_least or at_most")
    elif None not in bounds and (trigger.at_least or 0) > (trigger.at_most or 0):
        fault("at_least", "more than at_most: the counter never comes there")


@_checks(puzzles.Code)
def _code(code: puzzles.Code, fault: Complaint) -> None:
    _begins(code, "code", fault)
    if len(code.pieces) < 2 or len(set(code.pieces)) < len(code.pieces):
        fault("pieces", "a code has at least two pieces, each written once")


@_checks(scenario.DoorToken)
def _door_token(door: scenario.DoorToken, fault: Complaint) -> None:
    if len(set(door.between)) != 2 or len(door.between) != 2:
        fault("between", "a door lies between two spaces; name both")
    fault.sheet.declare(Kind.DOOR, door.id, fault.sheet.place(fault.node, "id"))


@_checks(puzzles.Slide)
def _slide(slide: puzzles.Slide, fault: Complaint) -> None:
    _begins(slide, "slide", fault)
    if slide.rows * slide.columns < 6:
        fault("rows", "a picture is cut into six pieces at least (SLIDE-1)")
    elif slide.least > slide.hardest:
        fault("least", f"with so many pieces, {slide.hardest} steps can be asked for at most")
    lines = slide.picture.split("\n")
    if not slide.picture.isascii():
        fault("picture", "draw it with plain ASCII characters, so that every client can show it")
    elif len(lines) > puzzles.MOST_LINES or max(map(len, lines)) > puzzles.MOST_COLUMNS:
        most = f"{puzzles.MOST_LINES} lines of {puzzles.MOST_COLUMNS} characters"
        fault("picture", f"a picture has {most} at most")
    else:
        _pieces(slide, fault)


def _begins(puzzle: puzzles.Puzzle, prefix: str, fault: Complaint) -> None:
    if not puzzle.id.startswith(f"{prefix}/"):
        fault("id", f"an id in this list begins with {prefix}/")


def _pieces(slide: puzzles.Slide, fault: Complaint) -> None:
    try:
        pieces = slide.cut()
    except ValueError as error:
        fault("picture", f"{error}; add or leave out lines")
        return
    if len(set(pieces)) < len(pieces):
        fault("picture", "two pieces look the same, so nobody could tell where they belong")


@_checks(puzzles.Lock)
def _lock(lock: puzzles.Lock, fault: Complaint) -> None:
    _begins(lock, "lock", fault)
    if lock.steps > lock.hardest:
        fault("steps", f"in a grid of this size, {lock.hardest} steps can be asked for at most")


@_checks(products.Product)
def _product(product: products.Product, fault: Complaint) -> None:
    needed = sorted(BY_RULES.intersection(product.holds))
    if needed:
        fault("holds", f"the rules themselves need {' and '.join(needed)}; leave it out")
    if len(set(product.holds)) < len(product.holds):
        fault("holds", "something stands here twice; write each id once")


@_checks(scenario.Scenario)
def _scenario(made: scenario.Scenario, fault: Complaint) -> None:
    check_context(made, fault)
    if made.minimum_players > made.maximum_players:
        fault("minimum_players", "more players are needed than are allowed")
    for name, deck in made.decks.items():
        if not 1 <= len(deck) <= MOST_CARDS:
            fault("decks", f"{name!r} has {len(deck)} cards; write 1 to {MOST_CARDS}")
    for name in made.counters:
        _counter_name(name, fault)
    if not made.mythos and made.shared_events is None:
        fault("mythos", "at least one event is needed: one is drawn in each round (EVENT-1)")
    doors = {door.id for door in made.doors}
    for token in made.tokens:
        if token.at in doors and token.kind is not TokenKind.EXPLORE:
            fault("tokens", f"{token.id!r} is no explore token and cannot lie on a door")


def _counter_name(name: str, fault: Complaint) -> None:
    if name in BUILT_IN or name in KEYWORDS:
        fault("counters", f"{name!r} has a meaning of its own in expressions; take another name")
    elif PLAIN_ID.fullmatch(name) and not NAME.fullmatch(name):
        reason = "could not stand in an expression; let a letter begin it and follow each hyphen"
        fault("counters", f"{name!r} {reason}")


CHECKS[scenario.Tile] = check_tile
CHECKS[shared.PackTile] = check_pack_tile
