"""Checks of scenarios and what they declare, beyond their types."""

from content.games.second_edition.checks.monsters import check_context
from content.games.second_edition.checks.registry import CHECKS, checks
from content.games.second_edition.references import ABOUT
from content.games.second_edition.schema import board_steps, counters, scenario, shared, timers
from content.games.second_edition.schema.decks import MOST_CARDS
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.numbers import BUILT_IN
from content.language.drawings import DrawingChecks
from content.language.walk import parts_in
from content.reading.expressions import KEYWORDS, NAME
from content.reading.mistakes import find_twins
from content.reading.names import PLAIN_ID
from content.reading.sheet import Complaint
from protocol.games.second_edition.table import TokenKind


@checks(counters.Counter)
def _counter(counter: counters.Counter, fault: Complaint) -> None:
    bounds = (counter.least, counter.most)
    if counter.is_ is counters.CounterKind.FLAG and bounds != (None, None):
        fault("is", "a flag is 0 or 1; leave out least and most")
    low, high = counter.bounds
    if low >= high:
        fault("least", f"it could stand at nothing else than {low}; most must be more than least")
    elif not low <= counter.first <= high:
        fault("first", f"it begins at {counter.first}, but stays between {low} and {high}")


@checks(timers.Timer)
def _timer(timer: timers.Timer, fault: Complaint) -> None:
    if (timer.rounds is None) == (timer.turns is None):
        fault("rounds", "a timer counts rounds or turns; write exactly one of the two")
    if timer.seen and timer.text is None:
        fault("text", "people see this timer; write a text, or 'seen: false'")
    if not timer.seen and timer.text is not None:
        fault("text", "nobody sees this timer; leave the text out, or write 'seen: true'")
    if not timer.effect:
        fault("effect", "nothing happens when it runs out; write an effect")


@checks(scenario.TokenCard)
def _token(card: scenario.TokenCard, fault: Complaint) -> None:
    if card.at[-1:].isdigit() and card.kind is not TokenKind.EXPLORE:
        fault("at", "only an explore token lies on a door; name a space such as hall/a")
    if not card.options:
        fault("options", "a token offers at least one option")
    if card.anonymous and card.kind is not TokenKind.PERSON:
        fault("anonymous", "only a person can be without a name; leave it out")
    if card.health is not None and card.kind is not TokenKind.PERSON:
        fault("health", "only a person can be hurt; leave it out")
    if card.person is None:
        # A person of the pack has the name there; every other token has its own.
        fault.sheet.refer(Kind.NAME, card.id, fault.sheet.place(fault.node, "id"))
    elif card.kind is not TokenKind.PERSON or card.anonymous:
        fault("person", "only a token of the kind person, which is not anonymous, can be somebody")


@checks(scenario.Trigger)
def _trigger(trigger: scenario.Trigger, fault: Complaint) -> None:
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


@checks(scenario.DoorToken)
def _door_token(door: scenario.DoorToken, fault: Complaint) -> None:
    if len(set(door.between)) != 2 or len(door.between) != 2:
        fault("between", "a door lies between two spaces; name both")
    fault.sheet.declare(Kind.DOOR, door.id, fault.sheet.place(fault.node, "id"))


@checks(scenario.Scenario)
def _scenario(made: scenario.Scenario, fault: Complaint) -> None:
    check_context(made, fault)
    if made.minimum_players > made.maximum_players:
        fault("minimum_players", "more players are needed than are allowed")
    for name, deck in made.decks.items():
        if not 1 <= len(deck) <= MOST_CARDS:
            fault("decks", f"{name!r} has {len(deck)} cards; write 1 to {MOST_CARDS}")
    for name in made.counters:
        if name in BUILT_IN or name in KEYWORDS:
            fault(
                "counters", f"{name!r} has a meaning of its own in expressions; take another name"
            )
        elif PLAIN_ID.fullmatch(name) and not NAME.fullmatch(name):
            reason = (
                "could not stand in an expression; let a letter begin it and follow each hyphen"
            )
            fault("counters", f"{name!r} {reason}")
    if not made.mythos and made.shared_events is None:
        fault("mythos", "at least one event is needed: one is drawn in each round (EVENT-1)")
    for twin in find_twins(made.investigators):
        fault("investigators", f"{twin} stands here twice; name each once")
    hurt = {token.id for token in made.tokens if token.health is not None}
    for part in parts_in(made):
        is_about = isinstance(part, board_steps.HurtPerson | board_steps.HealPerson)
        if is_about and part.token in made.tokens_by_id and part.token not in hurt:
            fault("tokens", f"{part.token!r} cannot be hurt; write its health, or leave it alone")
    doors = {door.id for door in made.doors}
    for token in made.tokens:
        if token.at in doors and token.kind is not TokenKind.EXPLORE:
            fault("tokens", f"{token.id!r} is no explore token and cannot lie on a door")


_DRAWINGS = DrawingChecks(Kind.SPACE, Kind.DOOR, (Kind.SPACE, Kind.DOOR, Kind.SPOT))

CHECKS[scenario.Tile] = _DRAWINGS.check


@checks(shared.PackTile)
def _pack_tile(tile: shared.PackTile, fault: Complaint) -> None:
    _DRAWINGS.check_shared(tile.id, tile.drawing, fault)
