"""
Invariants: what must hold for the table after every event, at every question, or at rest.

They are written from the rulebook, not from the code. Each invariant is a function that yields a
sentence for each breach.
"""

import enum
from collections import Counter
from collections.abc import Callable, Iterator

import attrs

from content.games.cards.schema.cards import EnemyCard, PlayerCard, StoryCard
from content.games.cards.schema.kinds import Keyword, Slot, Stat
from content.games.cards.schema.modifiers import SlotModifier
from content.games.cards.schema.pack import AnyFace, Content
from content.games.cards.schema.steps import IntoPlay
from protocol.common import events
from protocol.event import Event
from protocol.games.cards.events import BagChanged
from protocol.games.cards.events.tokens import lying
from protocol.games.cards.table import (
    FACE_DOWN,
    STACKED,
    Card,
    CardsTable,
    Delayed,
    Lasting,
    Place,
    deck_of,
    hand_of,
)
from protocol.games.cards.words import SUPPLY, Phase, Until, Zone


class Time(enum.Enum):
    """When an invariant holds."""

    ALWAYS = "always"
    """After every event."""
    ASKED = "asked"
    """When a question is asked; in the middle of a rule it may be broken for a moment."""
    RESTED = "rested"
    """At a checkpoint."""


@attrs.frozen
class Look:
    """What an invariant looks at."""

    before: CardsTable
    """The table before the event."""
    game: CardsTable
    content: Content
    event: Event

    def face(self, card: Card) -> AnyFace | None:
        """Return the printed face of a card; that of its host for a swarm card."""
        if card.at.zone is Zone.SWARM:
            # A host that leaves play is gone before its swarm is.
            card = self.game.cards.get(card.at.of, card)
        return self.content.faces.get(card.shown)


Invariant = Callable[[Look], Iterator[str]]
INVARIANTS: dict[Time, list[Invariant]] = {time: [] for time in Time}


def holds(time: Time) -> Callable[[Invariant], Invariant]:
    """Declare an invariant."""

    def declare(invariant: Invariant) -> Invariant:
        INVARIANTS[time].append(invariant)
        return invariant

    return declare


def faults(look: Look) -> list[str]:
    """Return the breaches after an event, each with the name of the invariant."""
    times = [Time.ALWAYS]
    if isinstance(look.event, events.Asked):
        times.append(Time.ASKED)
    if isinstance(look.event, events.CheckpointReached):
        times += [Time.ASKED, Time.RESTED]
    return [
        f"{invariant.__name__}: {fault}"
        for time in times
        for invariant in INVARIANTS[time]
        for fault in invariant(look)
    ]


# Cards ---------------------------------------------------------------------------------------


@holds(Time.ALWAYS)
def no_card_is_in_two_zones(look: Look) -> Iterator[str]:
    """A handle lies in one pile, and an open card in one ordered place. C-BZONE-4."""
    game = look.game
    lying = Counter(handle for pile in game.piles.values() for handle in pile)
    yield from (f"handle {handle} lies {n} times" for handle, n in lying.items() if n > 1)
    stacked = Counter(piece for stack in game.stacks.values() for piece in stack)
    ordered = {p for p, card in game.cards.items() if card.at.zone in STACKED}
    if stacked != Counter(ordered):
        yield f"ordered places hold {stacked}, and {ordered} lie in them"
    down = Counter(card.handle for card in game.cards.values() if card.handle)
    if down != Counter(game.piles.get(FACE_DOWN, ())):
        yield "the cards that lie face down are not those of their pile"


@holds(Time.RESTED)
def each_card_of_a_player_is_somewhere(look: Look) -> Iterator[str]:
    """
    Cards of an investigator are in deck, hand or in the open. C-BZONE-3, C-ZONE-2.

    An investigator who was eliminated has left with deck and hand.
    """
    game = look.game
    for who in game.order:
        deck = next(d for d in look.content.pack.decks.values() if d.investigator == who)
        own = Counter(dict(deck.cards)) + Counter(look.content.pack.investigators[who].signatures)
        for dealt in game.weaknesses.get(who, ()):
            own += Counter(dealt.value)
        own += _linked(look, own)
        found = Counter(
            game.card_of(handle)
            for pile in (deck_of(who), hand_of(who))
            for handle in game.piles.get(pile, ())
        )
        for card in game.cards.values():
            if card.owner == who and card.piece != game.investigators[who].card:
                found[card.code or game.card_of(card.handle)] += 1
        # Encounter cards with Hidden lie in a hand too.
        for code in look.content.hidden:
            if code not in own:
                del found[code]
        if found != own:
            yield f"{who}: {own - found} missing, {found - own} too many"


def _linked(look: Look, deck: Counter[str]) -> Counter[str]:
    """Return the linked cards that were set aside for a deck. C-BOND-1, C-BOND-2."""
    called = {s.id for code in deck for s in look.content.steps[code] if isinstance(s, IntoPlay)}
    cards = look.content.pack.players.values()
    linked = [card for card in cards if card.id in called and Keyword.BONDED in card.keywords]
    return Counter({card.id: card.copies for card in linked})


@holds(Time.ASKED)
def what_lies_on_a_card_lies_on_one_in_play(look: Look) -> Iterator[str]:
    """
    An attachment, a swarm card and what is at a location have a host in play. C-ATT-4.

    At the end some locations go to the victory display. C-BLOC-9.
    """
    cards = look.game.cards
    for card in cards.values() if look.game.phase is not Phase.OVER else ():
        if card.at.zone in (Zone.ON, Zone.SWARM, Zone.AT):
            host = cards.get(card.at.of)
            if host is None or not host.is_in_play:
                yield f"{card.code} lies {card.at.zone.value} {card.at.of}, which is not in play"


@holds(Time.ALWAYS)
def only_cards_in_play_are_exhausted_or_hold_tokens(look: Look) -> Iterator[str]:
    """C-BZONE-10."""
    for card in look.game.cards.values():
        if card.is_in_play or card.at.zone is Zone.RESOLVING:
            continue
        if card.is_exhausted or card.tokens or card.chaos or card.engaged:
            yield f"{card.code} is out of play, and not blank: {card}"


@holds(Time.ASKED)
def a_unique_card_is_in_play_once(look: Look) -> Iterator[str]:
    """C-BZONE-15."""
    shown = Counter(card.shown for card in look.game.in_play())
    for code, number in shown.items():
        if number > 1 and getattr(look.content.faces.get(code), "unique", False):
            yield f"{code} is in play {number} times"


@holds(Time.ASKED)
def slots_are_not_exceeded(look: Look) -> Iterator[str]:
    """C-BPLAY-8, C-BPLAY-10, C-SLOT-1."""
    for who in look.game.order:
        room = Counter({Slot.ALLY: 1, Slot.ACCESSORY: 1, Slot.BODY: 1, Slot.TAROT: 1})
        room.update({Slot.HAND: 2, Slot.ARCANE: 2})
        taken = Counter[Slot]()
        for card in look.game.lying(Zone.PLAY, who):
            face = look.face(card)
            if isinstance(face, PlayerCard | StoryCard):
                taken.update(face.slots)
            for ability in () if face is None else face.abilities:
                for given in ability.gives:
                    if isinstance(given, SlotModifier):
                        room[given.slot] += given.number
        if over := taken - room:
            yield f"{who} has {over} too many"


# Investigators and enemies -------------------------------------------------------------------


@holds(Time.ASKED)
def everybody_is_somewhere(look: Look) -> Iterator[str]:
    """An investigator in the scenario is at a location in play. C-LOC-1."""
    if look.game.phase in (Phase.SETUP, Phase.OVER):
        return
    for who in look.game.order:
        at = look.game.cards.get(look.game.investigators[who].location)
        if at is None or at.at.zone is not Zone.MAP:
            yield f"{who} is nowhere"
        elif not at.face:
            yield f"{who} is at {at.code}, which is not revealed"


@holds(Time.ASKED)
def who_is_eliminated_has_nothing_left(look: Look) -> Iterator[str]:
    """C-BELIM-2, C-BELIM-3, C-BELIM-10."""
    game = look.game
    for who, one in game.investigators.items():
        if (who in game.order) is (one.fate is not None):
            yield f"{who} plays on after the elimination, or left without one"
        if who in game.order:
            continue
        areas = (Place(Zone.PLAY, who), Place(Zone.THREAT, who), Place(Zone.COMMITTED, who))
        for card in game.cards.values():
            if card.at in areas or who in card.engaged or card.controller == who:
                yield f"{who} was eliminated and has {card.code}"
        if game.piles.get(hand_of(who)) or game.piles.get(deck_of(who)):
            yield f"{who} was eliminated and has a deck or a hand"
        if game.active == who:
            yield f"{who} was eliminated and has the turn"


@holds(Time.ASKED)
def an_engaged_enemy_lies_with_its_investigator(look: Look) -> Iterator[str]:
    """
    In the threat area of the one, or at the location of several. C-ENG-1, C-BENEMY-4.

    A Massive enemy is always at a location. C-BENEMY-13.
    """
    game = look.game
    for card in game.cards.values():
        is_with = card.at.zone is Zone.THREAT and isinstance(look.face(card), EnemyCard)
        if is_with and card.engaged != (card.at.of,):
            yield f"{card.code} lies with {card.at.of}, engaged with {card.engaged}"
        is_massive = Keyword.MASSIVE in getattr(look.face(card), "keywords", ())
        if (
            len(card.engaged) == 1
            and not is_massive
            and card.at != Place(Zone.THREAT, card.engaged[0])
        ):
            yield f"{card.code} is engaged with {card.engaged[0]}, and lies at {card.at}"
        for who in card.engaged if len(card.engaged) > 1 else ():
            if card.at != Place(Zone.AT, game.investigators[who].location):
                yield f"{card.code} is engaged with {who}, who is elsewhere"


@holds(Time.RESTED)
def a_ready_enemy_beside_an_investigator_is_engaged(look: Look) -> Iterator[str]:
    """Unless it is Aloof, Massive or particular about its prey. C-BENEMY-2, C-BENEMY-17."""
    game = look.game
    if game.phase in (Phase.SETUP, Phase.OVER):
        return
    here = {game.investigators[who].location for who in game.order}
    for card in game.cards.values():
        face = look.face(card)
        if card.at.zone is not Zone.AT or not isinstance(face, EnemyCard) or card.is_exhausted:
            continue
        is_shy = {Keyword.ALOOF, Keyword.MASSIVE} & {*face.keywords}
        if not is_shy and not (face.prey and face.prey.only) and card.at.of in here:
            yield f"{card.code} is ready beside an investigator, and engaged with nobody"


@holds(Time.RESTED)
def who_is_beaten_is_out(look: Look) -> Iterator[str]:
    """No enemy and no investigator holds as much damage as it has health. C-BDMG-5, C-BDMG-7."""
    game = look.game
    for who in game.order:
        printed = look.content.pack.investigators[who]
        card = game.card_of_investigator(who)
        has_more = _values_change(look)
        if card.count("damage") >= printed.health and not has_more:
            yield f"{who} has {card.count('damage')} damage of {printed.health}"
        if card.count("horror") >= printed.sanity and not has_more:
            yield f"{who} has {card.count('horror')} horror of {printed.sanity}"


def _values_change(look: Look) -> bool:
    """Return whether a card in play, or a lasting effect, may change health or sanity."""
    return bool(look.game.lasting) or any(
        getattr(given, "stat", None) in (Stat.HEALTH, Stat.SANITY)
        for card in look.game.in_play()
        if (face := look.face(card)) is not None
        for ability in face.abilities
        for given in ability.gives
    )


# Tokens --------------------------------------------------------------------------------------


@holds(Time.ALWAYS)
def nothing_is_below_zero(look: Look) -> Iterator[str]:
    """C-BZONE-17."""
    for card in look.game.cards.values():
        yield from (f"{card.code} holds {n} {kind}" for kind, n in card.tokens.items() if n < 1)
    for who, one in look.game.investigators.items():
        if one.actions < 0 or one.actions_lost < 0:
            yield f"{who} has {one.actions} actions and lost {one.actions_lost}"
    if any(number < 0 for number in look.game.supply.values()):
        yield f"the supply is {look.game.supply}"


@holds(Time.ALWAYS)
def chaos_tokens_stay_in_the_game(look: Look) -> Iterator[str]:
    """Bag, sealed, revealed and supply together change by an effect alone. C-EX-119."""
    before, after = _tokens(look.before), _tokens(look.game)
    if isinstance(look.event, BagChanged):
        before = Counter({kind: before[kind] for kind in SUPPLY})
        after = Counter({kind: after[kind] for kind in SUPPLY})
    if before != after and look.before.bag:
        yield f"{before - after} went, {after - before} came"


def _tokens(game: CardsTable) -> Counter[str]:
    shown = (*game.revealed, *(() if game.test is None else game.test.shown))
    sealed = (token for card in game.cards.values() for token in card.chaos)
    return Counter([*game.bag, *lying(shown), *sealed]) + Counter(game.supply)


# Course --------------------------------------------------------------------------------------


@holds(Time.RESTED)
def nothing_is_left_open(look: Look) -> Iterator[str]:
    """No test, no card on its way, no "as if" and no effect of a test or an action is left."""
    game = look.game
    if game.phase is Phase.OVER:
        return
    if game.test is not None or game.put_off:
        yield f"a test is left open: {game.test or game.put_off}"
    if game.revealed or game.as_if is not None:
        yield f"left open: {game.revealed or game.as_if}"
    for card in game.cards.values():
        if card.at.zone in (Zone.DRAWN, Zone.RESOLVING, Zone.COMMITTED):
            yield f"{card.code} is left {card.at.zone.value}"
    effects: tuple[Lasting | Delayed, ...] = (*game.lasting, *game.delayed)
    for one in effects:
        if one.until is Until.TEST:
            yield f"an effect of a test goes on: {one}"
        if one.until is Until.TURN and not game.active:
            yield f"an effect of a turn goes on: {one}"


@holds(Time.RESTED)
def chat_is_open(look: Look) -> Iterator[str]:
    """Peril closes the chat while its card is resolved, or the game ends. C-DECIDE-30."""
    if not look.game.is_chat_open and look.game.phase is not Phase.OVER:
        yield "the chat is closed"


@holds(Time.ALWAYS)
def one_act_one_agenda_one_reference(look: Look) -> Iterator[str]:
    """C-BSETUP-9."""
    zones = Counter(card.at.zone for card in look.game.in_play())
    for zone in (Zone.ACT, Zone.AGENDA, Zone.SCENARIO):
        if zones[zone] > 1:
            yield f"{zones[zone]} cards lie in {zone.value}"
