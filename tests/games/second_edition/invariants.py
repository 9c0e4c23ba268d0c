"""Invariants: what must hold for the table after every event.

They are written from the rulebook, not from the code. Each law is a function that yields a sentence
for each breach.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from content.games.second_edition.references import BY_RULES
from protocol.boards.maps import Boundary
from protocol.common.asks import Settle
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import (
    INSANE_DECK,
    FeatureKind,
    Harm,
    Phase,
    Possession,
    SecondEditionTable,
    TokenKind,
    copies_deck,
    deck,
    facedown_pile,
)
from tests.games.second_edition.laws import LAWS, Look, Time, Watch, faults, law

__all__ = ["LAWS", "Look", "Watch", "faults"]


# Cards ---------------------------------------------------------------------------------------


@law("piles", "investigators")
def each_harm_card_is_in_one_zone(look: Look) -> Iterator[str]:
    """Every Damage and Horror card is in its deck or with somebody. DAMAGE-1, DISCARD-2."""
    game = look.game
    for harm in Harm:
        if deck(harm) not in game.piles:
            continue
        printed = Counter[str]()
        for card in look.content.pack.harms.values():
            if card.harm is harm:
                printed[card.id] += card.copies
        zones = [deck(harm), *(facedown_pile(who, harm) for who in game.investigators)]
        found = Counter(
            game.card_of(handle) for zone in zones for handle in game.piles.get(zone, ())
        )
        for who in game.investigators.values():
            found.update(card.card for card in who.faceup_cards(harm))
        yield from _differences(harm.value, found, printed)


def _differences(name: str, found: Counter[str], printed: Counter[str]) -> Iterator[str]:
    if found != printed:
        yield f"{name} cards: {printed - found} missing, {found - printed} too many"


@law("piles", "investigators")
def each_insane_card_is_in_one_zone(look: Look) -> Iterator[str]:
    """Each Insane Condition for this number of players is in its deck or with somebody.

    INSANE-6.
    """
    if INSANE_DECK not in look.game.piles:
        return
    players = len(look.table.room.seats)
    backs = [b for b in look.content.pack.insane.values() if b.minimum_players <= players]
    people = look.game.investigators.values()
    held = [c.handle for i in people for c in i.conditions if c.handle and c.back is not None]
    found = Counter(look.game.card_of(h) for h in (*look.game.piles[INSANE_DECK], *held))
    yield from _differences("Insane", found, Counter({b.id: b.copies for b in backs}))


@law("piles", "investigators", "lying")
def no_handle_lies_twice(look: Look) -> Iterator[str]:
    """No copy of a card is in two places."""
    game = look.game
    places = Counter(handle for pile in game.piles.values() for handle in pile)
    for who in game.investigators.values():
        places.update(card.handle for cards in who.faceup.values() for card in cards)
        places.update(c.handle for c in who.conditions if c.handle)
    places.update(has.handle for has in _out(game) if has.handle)
    yield from (f"handle {handle} lies {n} times" for handle, n in places.items() if n > 1)


@law("supply", "investigators", "lying")
def each_possession_is_in_one_zone(look: Look) -> Iterator[str]:
    """Every copy of an Item or Spell is in its deck, with somebody or in a space. LIMIT-2."""
    game, pack = look.game, look.content.pack
    if not game.supply:
        return
    out = Counter(has.card for has in _out(game))
    ids = Counter(has.possession_id for has in _out(game))
    yield from (f"possession {p} is in two places" for p, n in ids.items() if n > 1)
    copies = {
        **{item.id: item.copies for item in pack.items.values()},
        **{spell.id: sum(b.copies for b in spell.backs) for spell in pack.spells.values()},
    }
    yield from (f"{card} is of no deck of this pack" for card in out if card not in copies)
    for card, printed in copies.items():
        if game.supply.get(card, 0) + out[card] != printed:
            left = game.supply.get(card, 0)
            yield f"{card}: {left} in the deck and {out[card]} out, of {printed}"


def _out(game: SecondEditionTable) -> Iterator[Possession]:
    """Yield every possession outside its deck."""
    for who in game.investigators.values():
        yield from who.possessions
    for lying in game.lying.values():
        yield from lying


@law("piles", "supply", "investigators", "lying")
def each_spell_is_in_one_zone(look: Look) -> Iterator[str]:
    """Every copy of a Spell, identified by its back, is in its pile, held or in a space.

    SPELL-1.
    """
    game = look.game
    for spell in look.content.pack.spells.values() if game.supply else ():
        pile = game.piles[copies_deck(spell.id)]
        if len(pile) != game.supply[spell.id]:
            yield f"{spell.id}: {len(pile)} copies where {game.supply[spell.id]} are counted"
        held = [has for has in _out(game) if has.card == spell.id]
        found = Counter(game.card_of(handle) for handle in (*pile, *(has.handle for has in held)))
        yield from _differences(spell.id, found, Counter({b.id: b.copies for b in spell.backs}))
        for has in held:
            if has.turned_to not in {None, game.card_of(has.handle)}:
                yield f"{has.possession_id} shows {has.turned_to}, the back of another copy"


@law("supply", "investigators")
def each_condition_is_in_one_zone(look: Look) -> Iterator[str]:
    """Every copy of an open Condition is in its deck or with somebody. LIMIT-2, CONDITION-3."""
    held = Counter(c.card for i in look.game.investigators.values() for c in i.conditions)
    for card in look.content.pack.conditions.values() if look.game.supply else ():
        left = look.game.supply[card.id]
        if card.id not in BY_RULES and left + held[card.id] != card.total:
            yield f"{card.id}: {left} in the deck and {held[card.id]} held, of {card.total}"


@law("piles", "supply", "investigators")
def each_copy_of_a_condition_is_in_one_zone(look: Look) -> Iterator[str]:
    """Each copy of a two-sided Condition, identified by its back, is in its pile or held.

    SECRET-8.
    """
    game = look.game
    conditions = look.content.pack.conditions.values() if game.supply else ()
    for card in (card for card in conditions if card.backs):
        pile = game.piles[copies_deck(card.id)]
        if len(pile) != game.supply[card.id]:
            yield f"{card.id}: {len(pile)} copies where {game.supply[card.id]} are counted"
        people = game.investigators.values()
        held = [has for who in people for has in who.conditions if has.card == card.id]
        found = Counter(game.card_of(handle) for handle in (*pile, *(has.handle for has in held)))
        yield from _differences(card.id, found, Counter({b.id: b.copies for b in card.backs}))
        for has in held:
            if has.turned_to not in {None, game.card_of(has.handle)}:
                yield f"{card.id} shows {has.turned_to}, the back of another copy"


# Supplies ------------------------------------------------------------------------------------


@law("supply", "investigators", "actions_left", "attempt", "progress")
def nothing_is_below_zero(look: Look) -> Iterator[str]:
    """Nobody spends what they do not have. SPEND-2, LIMIT-2, TURN-2, FIRE-5, PUZZLE-3."""
    game = look.game
    counts = {
        **game.supply,
        **{f"progress on {name}": count for name, count in game.progress.items()},
        **{f"Clues of {i.investigator_id}": i.clues for i in game.investigators.values()},
        **{f"successes of {i.investigator_id}": i.quenches for i in game.investigators.values()},
        "actions": game.actions_left,
        "puzzle steps": 0 if game.attempt is None else game.attempt.left,
    }
    yield from (f"{count} left of {name}" for name, count in counts.items() if count < 0)


_HEAP_OF_TOKEN: Mapping[TokenKind, str] = {
    TokenKind.EXPLORE: "explore_sight",
    TokenKind.SIGHT: "explore_sight",
    TokenKind.SEARCH: "search_interact",
    TokenKind.INTERACT: "search_interact",
    TokenKind.PERSON: "person",
}


@law("tokens", "features", "coverings")
def no_heap_gives_more_than_it_has(look: Look) -> Iterator[str]:
    """No more tokens of a kind lie on the board than the box holds. LIMIT-2, TOKEN-3, TOKEN-4."""
    game = look.game
    taken = Counter(_HEAP_OF_TOKEN[token.kind] for token in game.tokens.values())
    taken.update(feature.kind.value for feature in game.features.values())
    taken.update(covering.line.value for covering in game.coverings)
    for heap, count in taken.items():
        limit = getattr(look.content.pack.box, heap, count)
        if count > limit:
            yield f"{count} of {heap} lie on the board, of {limit}"


# The board -----------------------------------------------------------------------------------


@law("investigators", "monsters", "tokens", "features", "coverings", "tiles")
def each_piece_is_there_once(look: Look) -> Iterator[str]:
    """Ids on the board are unique, so each piece is in one space. SPACE-2."""
    game = look.game
    for id_, who in game.investigators.items():
        if id_ != who.investigator_id:
            yield f"{who.investigator_id} goes by {id_}"
    for id_, monster in game.monsters.items():
        if id_ != monster.monster_id:
            yield f"{monster.monster_id} goes by {id_}"
    for id_, token in game.tokens.items():
        if id_ != token.token_id:
            yield f"{token.token_id} goes by {id_}"
    for id_, feature in game.features.items():
        if id_ != feature.feature_id:
            yield f"{feature.feature_id} goes by {id_}"
    once = Counter(c.covering for c in game.coverings) + Counter(t.tile for t in game.tiles)
    yield from (f"{id_} lies there {count} times" for id_, count in once.items() if count > 1)


@law("investigators", "tiles", "coverings")
def each_figure_stands_on_the_board(look: Look) -> Iterator[str]:
    """Figures are in a space of the board or off the board.

    Rules SPACE-2, ELIMINATED-2, CLEAR-4.
    """
    spaces = look.game.map.rooms
    for who in look.game.investigators.values():
        if who.is_eliminated and who.space is not None:
            yield f"{who.investigator_id} is eliminated and on the board"
        if who.space is not None and who.space not in spaces:
            yield f"{who.investigator_id} stands in {who.space}, which is not there"


@law("investigators", time=Time.ASKED)
def the_eliminated_have_nothing(look: Look) -> Iterator[str]:
    """Eliminated investigators have no cards. Rule ELIMINATED-1."""
    for who in look.game.investigators.values():
        if who.is_eliminated and who.possessions:
            yield f"{who.investigator_id} is eliminated and holds possessions"


@law("lying", "tiles", "coverings")
def what_lies_about_lies_in_a_space(look: Look) -> Iterator[str]:
    """Possessions without an owner are in a space of the board. Rules DROP-1 and CLEAR-2."""
    for space, lying in look.game.lying.items():
        if lying and space not in look.game.map.rooms:
            yield f"{len(lying)} possessions lie in {space}, which is not there"


@law("monsters", "tiles", "coverings")
def each_monster_stands_on_the_board(look: Look) -> Iterator[str]:
    """Monsters are in a space, not more than the box has, each with a number. Rule MONSTER-9."""
    monsters = look.game.monsters.values()
    kinds = Counter(monster.kind for monster in monsters)
    for kind, count in kinds.items():
        if count > look.content.pack.monsters[kind].copies:
            yield f"there are {count} of {kind}"
    numbers = Counter(monster.number for monster in monsters if monster.number)
    yield from (f"{count} monsters bear the {n}" for n, count in numbers.items() if count > 1)
    for monster in monsters:
        if monster.space not in look.game.map.rooms:
            yield f"{monster.monster_id} stands in {monster.space}, which is not there"
        if monster.health <= 0:
            yield f"{monster.monster_id} has a health of {monster.health}"


@law("monsters", "test", time=Time.ASKED)
def no_defeated_monster_stays(look: Look) -> Iterator[str]:
    """No monster has as much damage as health. Rules MONSTER-11 and ATTACK-12."""
    for monster in look.game.monsters.values():
        if not 0 <= monster.damage < monster.health and look.game.test is None:
            yield f"{monster.monster_id} has {monster.damage} damage of {monster.health}"


@law("tokens", "tiles", "coverings")
def each_token_lies_on_the_board(look: Look) -> Iterator[str]:
    """Tokens are in a space, Explore tokens may be on a door. Rules TOKEN-1 and EXPLORE-2."""
    board = look.game.map
    for token in look.game.tokens.values():
        on_door = token.kind is TokenKind.EXPLORE and token.at in board.doors
        if token.at not in board.rooms and not on_door:
            yield f"{token.token_id} lies at {token.at}, which is not there"


@law("features", "tiles", "coverings")
def features_lie_where_they_can(look: Look) -> Iterator[str]:
    """A space has one feature of a kind; Barricades are exempt. FEATURE-1, FIRE-11, DARKNESS-7."""
    places = Counter((feature.kind, feature.space) for feature in look.game.features.values())
    for (kind, space), count in places.items():
        if kind is not FeatureKind.BARRICADE and count > 1:
            yield f"{space} holds {count} times {kind.value}"
        if space not in look.game.map.rooms:
            yield f"{kind.value} lies in {space}, which is not on the board"


@law("coverings", "tiles")
def coverings_make_what_they_say(look: Look) -> Iterator[str]:
    """The map has a wall under a Wall token and a door under a Door token. WALL-3 and DOOR-3."""
    board = look.game.map
    doors = {cell for door in board.doors.values() for cell in door.cells}
    for covering in look.game.coverings:
        is_door = any(cell in doors for cell in covering.cells)
        if is_door != (covering.line is Boundary.DOOR):
            yield f"{covering.covering} should be a {covering.line.value}"


# Turns ---------------------------------------------------------------------------------------


@law("active", "phase", "investigators")
def only_one_in_turn_is_active(look: Look) -> Iterator[str]:
    """Only an investigator who has not had a turn in this phase is active.

    Rules TURN-1 and TURN-5.
    """
    game = look.game
    if game.active is None:
        return
    if game.phase not in {Phase.INVESTIGATOR, Phase.OVER}:
        yield f"{game.active} is active in the {game.phase.value} phase"
    if game.investigators[game.active].has_taken_turn:
        yield f"{game.active} takes a second turn"


@law()
def nobody_acts_out_of_turn(look: Look) -> Iterator[str]:
    """Only the active investigator has actions left. TURN-1, TURN-2, ELIMINATED-3."""
    event, before = look.event, look.before
    if before is None:
        return
    own = se.ActionSpent | se.ActionForfeited | se.TurnEnded | se.FireFought
    if isinstance(event, own) and event.investigator != before.active:
        yield f"{event.tag} of {event.investigator} in the turn of {before.active}"
    if isinstance(event, se.ActionSpent) and not before.actions_left:
        yield f"{event.investigator} has no action left for {event.action}"
    if isinstance(event, se.TurnBegan):
        who = before.investigators[event.investigator]
        is_busy = before.active is not None or before.phase is not Phase.INVESTIGATOR
        if is_busy or who.has_taken_turn or who.is_eliminated:
            yield f"the turn of {event.investigator} begins in that of {before.active}"


@law()
def nothing_happens_after_the_end(look: Look) -> Iterator[str]:
    """After the end only backs of cards and the legacy of a campaign are revealed.

    Rules WIN-3, WIN-5 and DECIDE-64.
    """
    event, was_over = look.event, look.before is not None and look.before.phase is Phase.OVER
    is_more = isinstance(event, se.SecondEditionEvent) and not isinstance(
        event, se.BackShown | se.CampaignKept
    )
    if was_over and event is not None and is_more:
        yield f"{event.tag} after the end"


@law("ask")
def the_right_seat_is_asked(look: Look) -> Iterator[str]:
    """Only the owner of a turn is asked what to do with it. TURN-2.

    Other seats are asked about Sight tokens (DECIDE-26) and, between turns, who is next.
    """
    game, ask = look.game, look.table.room.ask
    if ask is None:
        return
    if ask.rule in {"TURN-2", "MOVE-2"}:
        owner = None if game.active is None else game.investigators[game.active].seat
        looking = {
            seat
            for seat, question in ask.questions.items()
            if question.value.prompt.subject == "ask/look_meanwhile"
        }
        yield from (
            f"seat {s} is asked in the turn of {owner}"
            for s in ask.questions
            if s != owner and s not in looking
        )
    if ask.rule in {"ROUND-3", "ROUND-5"} and game.active is not None:
        yield f"{ask.rule} is asked in the turn of {game.active}"
    standing = {game.investigators[who].seat for who in game.standing()}
    yield from (f"seat {s} is asked, and has lost" for s in ask.questions if s not in standing)


# People --------------------------------------------------------------------------------------


@law("investigators")
def conditions_and_flags_agree(look: Look) -> Iterator[str]:
    """Each Condition is held once, and flags match Wounded and Insane. WOUNDED-2, CONDITION-3."""
    for who in look.game.investigators.values():
        cards = [condition.card for condition in who.conditions]
        if len(set(cards)) != len(cards):
            yield f"{who.investigator_id} has a Condition twice"
        if who.is_insane != any(c.back is not None for c in who.conditions):
            yield f"{who.investigator_id} is Insane without a card, or the other way about"
        if who.is_wounded != ("condition/wounded" in cards):
            yield f"{who.investigator_id} is Wounded without a card, or the other way about"


@law("investigators", "piles", time=Time.RESTED)
def nobody_bears_more_than_they_can(look: Look) -> Iterator[str]:
    """Nobody has Damage or Horror at their limit unresolved.

    WOUNDED-1, WOUNDED-6, INSANE-1, INSANE-9.
    """
    for who in look.game.investigators.values():
        limits = {Harm.DAMAGE: who.health, Harm.HORROR: who.sanity}
        for harm, limit in limits.items():
            count = look.game.harm_count(who.investigator_id, harm)
            if count >= limit and not who.is_eliminated and look.game.phase is not Phase.OVER:
                yield f"{who.investigator_id} bears {count} {harm.value} of {limit}"


# Questions -----------------------------------------------------------------------------------


@law("ask")
def every_question_can_be_answered(look: Look) -> Iterator[str]:
    """Each question has a legal answer for its seat and for the clock. GOLDEN-3."""
    ask = look.table.room.ask
    for seat, question in () if ask is None else ask.questions.items():
        value = question.value
        rule = ask.rule if ask else ""
        if len(value.choices) < value.at_least and not value.can_repeat:
            yield f"seat {seat} is asked {rule} and cannot answer"
        if not value.choices:
            yield f"seat {seat} is asked {rule} to choose among nothing"
        if value.faults(value.default) is not None:
            yield f"the default of {rule} is no legal answer"
        ids = Counter(choice.choice_id for choice in value.choices)
        yield from (f"{rule}: the choice {id_} is there twice" for id_, n in ids.items() if n > 1)


@law("ask", time=Time.ASKED)
def every_question_is_still_open(look: Look) -> Iterator[str]:
    """An open question waits for a seat or a tiebreak. CONFLICT-1, CONFLICT-3."""
    ask = look.table.room.ask
    if ask is not None and not ask.waiting_for and ask.settle is not Settle.AGREE:
        yield f"{ask.rule} waits for nobody"
