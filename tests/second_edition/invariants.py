"""
Invariants: what must hold of the table after every single event.

Written from the rulebook, not from the code: a fault is a sentence that names the rule.
"""

from collections import Counter
from collections.abc import Iterator

from content.schema.pack import Content
from protocol.common.table import Table
from protocol.second_edition.table import (
    INSANE_DECK,
    FeatureKind,
    Harm,
    Phase,
    Possession,
    SecondEditionTable,
    deck,
    facedown_pile,
    spell_deck,
)


def faults(table: Table, content: Content) -> list[str]:
    """Return everything that is wrong with a table; empty if nothing is."""
    game = table.game
    if not isinstance(game, SecondEditionTable) or not game.investigators:
        return []
    return [
        *_harm_cards(game, content),
        *_handles(game),
        *_possessions(game, content),
        *_spells(game, content),
        *_figures(game),
        *_pieces(game),
        *_features(game),
        *_turns(game),
        *_states(game),
        *_question(table),
    ]


def _harm_cards(game: SecondEditionTable, content: Content) -> Iterator[str]:
    """Every Damage and Horror card is in exactly one zone. Rules DAMAGE-1, DISCARD-2, LIMIT-2."""
    for harm in Harm:
        if deck(harm) not in game.piles:
            continue
        printed = Counter[str]()
        for card in content.pack.harms.values():
            if card.harm is harm:
                printed[card.id] += card.copies
        zones = [deck(harm), *(facedown_pile(who, harm) for who in game.investigators)]
        found = Counter(
            game.card_of(handle) for zone in zones for handle in game.piles.get(zone, ())
        )
        for who in game.investigators.values():
            found.update(card.card for card in who.faceup_cards(harm))
        if found != printed:
            yield f"{harm.value} cards: {printed - found} missing, {found - printed} too many"


def _handles(game: SecondEditionTable) -> Iterator[str]:
    """No handle lies in two places."""
    places = Counter(handle for pile in game.piles.values() for handle in pile)
    for who in game.investigators.values():
        places.update(card.handle for cards in who.faceup.values() for card in cards)
        places.update(c.handle for c in who.conditions if c.handle)
    places.update(has.handle for has in _out(game) if has.handle)
    yield from (f"handle {handle} lies {n} times" for handle, n in places.items() if n > 1)


def _possessions(game: SecondEditionTable, content: Content) -> Iterator[str]:
    """Every copy of a card is in the supply, with somebody or in a space. Rule LIMIT-2."""
    if not game.supply:
        return
    out = Counter(has.card for has in _out(game))
    ids = Counter(has.possession_id for has in _out(game))
    yield from (f"possession {p} is in two places" for p, n in ids.items() if n > 1)
    for item in content.pack.items.values():
        left = game.supply.get(item.id, 0)
        if left < 0 or left + out[item.id] != item.copies:
            yield f"{item.id}: {left} in the deck and {out[item.id]} out, of {item.copies}"


def _out(game: SecondEditionTable) -> Iterator[Possession]:
    """Yield every possession that is not in its deck."""
    for who in game.investigators.values():
        yield from who.possessions
    for lying in game.lying.values():
        yield from lying


def _spells(game: SecondEditionTable, content: Content) -> Iterator[str]:
    """Every copy of a Spell is in its pile, with somebody or in a space. Rules SPELL-1, LIMIT-2."""
    for spell in content.pack.spells.values() if game.supply else ():
        pile = game.piles[spell_deck(spell.id)]
        if len(pile) != game.supply[spell.id]:
            yield f"{spell.id}: {len(pile)} copies where {game.supply[spell.id]} are counted"
        held = [has for has in _out(game) if has.card == spell.id]
        found = Counter(game.card_of(handle) for handle in (*pile, *(has.handle for has in held)))
        if found != Counter({back.id: back.copies for back in spell.backs}):
            yield f"{spell.id}: the copies are {dict(found)}"
        for has in held:
            if has.turned_to not in {None, game.card_of(has.handle)}:
                yield f"{has.possession_id} shows {has.turned_to}, the back of another copy"


def _figures(game: SecondEditionTable) -> Iterator[str]:
    """Every figure and token stands on the board. Rules SPACE-2, ELIMINATED-2, CLEAR-4."""
    board = game.map
    for who in game.investigators.values():
        if who.is_eliminated and who.space is not None:
            yield f"{who.investigator_id} is eliminated and on the board"
        if who.space is not None and who.space not in board.rooms:
            yield f"{who.investigator_id} stands in {who.space}, which is not there"
        if who.clues < 0:
            yield f"{who.investigator_id} has {who.clues} Clues"
        if who.is_eliminated and who.possessions:
            yield f"{who.investigator_id} is eliminated and holds possessions"


def _pieces(game: SecondEditionTable) -> Iterator[str]:
    """Monsters and tokens are on the board. Rules MONSTER-11, SPACE-2."""
    board = game.map
    for monster in game.monsters.values():
        if monster.space not in board.rooms:
            yield f"{monster.monster_id} stands in {monster.space}, which is not there"
        if not 0 <= monster.damage < monster.health and game.test is None:
            yield f"{monster.monster_id} has {monster.damage} damage of {monster.health}"
    for token in game.tokens.values():
        if token.at not in board.rooms and token.at not in board.doors:
            yield f"{token.token_id} lies at {token.at}, which is not there"


def _turns(game: SecondEditionTable) -> Iterator[str]:
    """Whoever acts may act. Rules TURN-1, TURN-2, ELIMINATED-3, WOUNDED-5."""
    if game.actions_left < 0:
        yield f"{game.actions_left} actions left"
    if game.active is not None:
        who = game.investigators[game.active]
        if game.phase is not Phase.INVESTIGATOR:
            yield f"{game.active} is active in the {game.phase.value} phase"
        if who.has_taken_turn:
            yield f"{game.active} takes a second turn"
    for monster in game.monsters.values():
        if monster.health <= 0:
            yield f"{monster.monster_id} has a health of {monster.health}"


def _features(game: SecondEditionTable) -> Iterator[str]:
    """One of a kind in a space of the board. Rules FIRE-11 and DARKNESS-7."""
    places = Counter((feature.kind, feature.space) for feature in game.features.values())
    for (kind, space), count in places.items():
        if kind in (FeatureKind.FIRE, FeatureKind.DARKNESS) and count > 1:
            yield f"{space} holds {count} times {kind.value}"
        if space not in game.map.rooms:
            yield f"{kind.value} lies in {space}, which is not on the board"
    for who in game.investigators.values():
        if who.quenches < 0:
            yield f"{who.investigator_id} put out more Fires than they had successes (FIRE-5)"


def _states(game: SecondEditionTable) -> Iterator[str]:
    """Conditions and flags say the same. Rules WOUNDED-2, INSANE-2, CONDITION-3."""
    for who in game.investigators.values():
        cards = [condition.card for condition in who.conditions]
        if len(set(cards)) != len(cards):
            yield f"{who.investigator_id} has a Condition twice"
        backs = [c for c in who.conditions if c.back is not None]
        if who.is_insane != bool(backs):
            yield f"{who.investigator_id} is Insane without a card, or the other way about"
    if INSANE_DECK in game.piles and any(
        c.handle in game.piles[INSANE_DECK]
        for who in game.investigators.values()
        for c in who.conditions
        if c.handle
    ):
        yield "an Insane Condition is held and in its deck"


def _question(table: Table) -> Iterator[str]:
    """Whoever is asked can answer."""
    ask = table.room.ask
    for seat, question in () if ask is None else ask.questions.items():
        value = question.value
        if len(value.choices) < value.at_least and not value.can_repeat:
            yield f"seat {seat} is asked {ask.rule if ask else ''} and cannot answer"
        if value.at_least and not value.choices:
            yield f"seat {seat} is asked to choose among nothing"
        if value.faults(value.default) is not None:
            yield f"the default of {ask.rule if ask else ''} is no legal answer"
