"""Sentences of plain mode about a game: people, places, story, test, chaos bag."""

from collections.abc import Iterable, Iterator

from client.games.cards.moment import moment_of
from client.games.cards.speaker import CardsSpeaker, in_game
from client.locale.speaker import Speaker
from client.model.tables import TableView
from protocol.common.table import GameTable
from protocol.games.cards.table import (
    ENCOUNTER,
    Card,
    CardId,
    CardsTable,
    Investigator,
    InvestigatorId,
    PieceId,
    deck_of,
    hand_of,
)
from protocol.games.cards.words import STAR, Fate, Phase, Token, Zone

CARD = "card/"
"""How the id of a card begins; a hidden one is not named."""
ACTIONS = 3
"""Actions with which a turn begins."""
OWN_TOKENS = tuple(one.value for one in (Token.DAMAGE, Token.HORROR, Token.CLUE, Token.RESOURCE))
"""Tokens of an investigator that are always named, also where there are none."""


def own_people(game: CardsTable, seat: int | None) -> tuple[InvestigatorId, ...]:
    """Return the investigators of a seat; for a spectator the active one, else all."""
    mine = tuple(one.id for one in game.investigators.values() if one.seat == seat)
    return mine or ((game.active,) if game.active else game.order)


def situation(speaker: CardsSpeaker, view: TableView, who: InvestigatorId) -> Iterator[str]:
    """Yield how an investigator is and what is there; at the beginning of a turn, the hand too."""
    game = _game(view)
    one = game.investigators[who]
    yield from person_lines(speaker, view, who, is_short=True)
    yield from map_lines(speaker, game, [one.location])
    if one.actions >= ACTIONS:
        yield from hand_lines(speaker, game, who)


# People ------------------------------------------------------------------------------------


def person_lines(
    speaker: CardsSpeaker, view: TableView, who: InvestigatorId, *, is_short: bool = False
) -> Iterator[str]:
    """Yield where an investigator is and how, then the play area and the threat area."""
    game, say = _game(view), speaker.say
    one = game.investigators[who]
    name, player = speaker.name("character", who), speaker.seat(view.table, one.seat)
    if one.fate is not None:
        key = "plain.resigned" if one.fate is Fate.RESIGNED else "plain.defeated"
        yield say(key, name, player)
        return
    card = game.card_of_investigator(who)
    held = ", ".join(speaker.token(kind, card.count(kind)) for kind in OWN_TOKENS)
    is_there = one.location in game.cards
    where = speaker.piece(game, one.location) if is_there else say("plain.nowhere")
    yield say("plain.person", name, player, where, held, _actions(speaker, game, one))
    if not is_short and (fact := speaker.fact(card.code)):
        yield say("plain.values", fact)
    for zone in (Zone.PLAY, Zone.THREAT):
        names = [
            with_tokens(speaker, game, lying)
            for lying in game.lying(zone, who)
            if lying.piece != card.piece
        ]
        if names:
            yield say(f"plain.{zone.value}", ", ".join(names))
    if is_short:
        return
    piles = (len(game.piles.get(hand_of(who), ())), len(game.piles.get(deck_of(who), ())))
    yield say("plain.piles", *piles, len(game.lying(Zone.DISCARD, who)))


def _actions(speaker: CardsSpeaker, game: CardsTable, one: Investigator) -> str:
    if game.active == one.id:
        return speaker.say("plain.actions_now", one.actions + len(one.extra))
    return speaker.say("plain.has_acted" if one.has_acted else "plain.has_not_acted")


def with_tokens(speaker: CardsSpeaker, game: CardsTable, card: Card) -> str:
    """Return an open card with all that lies on it, and the cards attached to it."""
    on = [*speaker.tokens_on(card)]
    attached = [speaker.piece(game, one.piece) for one in game.lying(Zone.ON, card.piece)]
    swarm = len(game.lying(Zone.SWARM, card.piece))
    on += [speaker.say("card.attached", name) for name in attached]
    on += [speaker.say("card.swarms", swarm)] if swarm else []
    name = speaker.piece(game, card.piece)
    return f"{name} ({', '.join(on)})" if on else name


def hand_lines(speaker: CardsSpeaker, game: CardsTable, who: InvestigatorId) -> Iterator[str]:
    """Yield the cards in a hand, as far as the viewer knows them, each with its values."""
    codes = hand_codes(game, who)
    handles = game.piles.get(hand_of(who), ())
    name = speaker.name("character", who)
    if codes:
        yield speaker.say("plain.hand", name)
        yield from (f"- {speaker.carded(code)}" for code in codes)
    else:
        yield speaker.say("plain.hand_unknown", name, len(handles))


def hand_codes(game: CardsTable, who: InvestigatorId) -> list[CardId]:
    """Return the cards in a hand that the viewer knows, by their ids."""
    known = [game.known_card(handle) for handle in game.piles.get(hand_of(who), ())]
    return sorted(code for code in known if code is not None)


# Places ------------------------------------------------------------------------------------


def map_lines(
    speaker: CardsSpeaker, game: CardsTable, places: Iterable[PieceId] | None = None
) -> Iterator[str]:
    """Yield a line for each location: values, tokens, who and what is there, where it leads."""
    if not game.lying(Zone.MAP):
        yield speaker.say("map.empty")
    for card in game.lying(Zone.MAP):
        if places is None or card.piece in places:
            yield " ".join(_place_parts(speaker, game, card))


def _place_parts(speaker: CardsSpeaker, game: CardsTable, card: Card) -> Iterator[str]:
    name, fact = speaker.card(card.shown), speaker.fact(card.shown)
    if not card.face:
        yield speaker.say("plain.unrevealed", name)
    else:
        yield f"{name}. {fact}." if fact else f"{name}."
    if card.position is not None:
        yield speaker.say("plain.position", card.position.row, card.position.column)
    if lying := ", ".join(speaker.tokens_on(card)):
        yield speaker.say("plain.lies", lying)
    if here := things_at(speaker, game, card.piece):
        yield speaker.say("plain.here", ", ".join(here))
    near = (way for way in game.links.get(card.piece, ()) if way in game.cards)
    ways = [speaker.piece(game, way) for way in near]
    if ways:
        yield speaker.say("plain.ways", ", ".join(ways))


def things_at(speaker: CardsSpeaker, game: CardsTable, place: PieceId) -> list[str]:
    """Return the investigators at a location, and the cards there, each with its tokens."""
    people = [who for who in game.order if game.investigators[who].location == place]
    found = []
    for who in people:
        found.append(speaker.name("character", who))
        engaged = [card for card in game.lying(Zone.THREAT, who) if card.engaged]
        found += [
            speaker.say("plain.engaged", with_tokens(speaker, game, card)) for card in engaged
        ]
    lying = (*game.lying(Zone.AT, place), *game.lying(Zone.ON, place))
    return [*found, *(with_tokens(speaker, game, card) for card in lying)]


def places_around(game: CardsTable, seat: int | None) -> tuple[PieceId, ...]:
    """Return the locations of a seat's investigators, then those next to them."""
    here = [game.investigators[who].location for who in own_people(game, seat)]
    beside = [way for place in here for way in game.links.get(place, ())]
    return tuple(dict.fromkeys(place for place in (*here, *beside) if place))


# The story, the test, the bag ----------------------------------------------------------------


def story_lines(speaker: CardsSpeaker, game: CardsTable) -> Iterator[str]:
    """Yield act and agenda with what they need, how many come after, and the scenario card."""
    clues = sum(game.count(who, Token.CLUE) for who in game.order)
    doom = sum(card.count(Token.DOOM) for card in game.in_play())
    for zone, left, token, number in (
        (Zone.ACT, game.acts_left, Token.CLUE, clues),
        (Zone.AGENDA, game.agendas_left, Token.DOOM, doom),
    ):
        card = game.only(zone)
        if card is None:
            continue
        yield speaker.say(f"plain.{zone.value}", speaker.carded(card.shown), left)
        yield from speaker.printed(card.shown)[1:]
        yield speaker.say(f"plain.{zone.value}_has", speaker.token(token.value, number))
    card = game.only(Zone.SCENARIO)
    if card is not None:
        yield speaker.say("plain.scenario", speaker.card(card.shown))
        yield from speaker.printed(card.shown)


def bag_lines(speaker: CardsSpeaker, game: CardsTable) -> Iterator[str]:
    """Yield the chaos tokens in the bag and sealed ones, and the numbers of the common piles."""
    yield speaker.say("plain.bag", len(game.bag), speaker.chaos_row(game.bag))
    for card in game.cards.values():
        if card.chaos:
            name = speaker.piece(game, card.piece)
            yield speaker.say("plain.sealed", name, speaker.chaos_row(card.chaos))
    deck, discard = game.piles.get(ENCOUNTER, ()), game.lying(Zone.DISCARD, ENCOUNTER)
    yield speaker.say("plain.encounter", len(deck), len(discard))


def test_lines(speaker: CardsSpeaker, game: CardsTable, *, is_short: bool) -> Iterator[str]:
    """
    Yield the running test: who tests what, the cards committed, the tokens revealed, the result.

    Of a test that is no action the card that calls for it says what is at stake, except in short. A
    story that ended within a test leaves it as it was.
    """
    test = game.test
    if test is None or game.phase is Phase.OVER:
        return
    who, skill = speaker.name("character", test.tester), speaker.say(f"skill.{test.skill.value}")
    yield speaker.say("plain.test", who, skill, test.difficulty)
    is_called_for = not test.deed and test.source.startswith(CARD) and not is_short
    if is_called_for and (text := speaker.rules(test.source)):
        yield speaker.say("plain.test_of", speaker.card(test.source), text)
    committed = [one for one in game.cards.values() if one.at.zone is Zone.COMMITTED]
    if committed:
        names = ", ".join(speaker.in_hand(one.shown) for one in committed)
        yield speaker.say("plain.committed", names)
    if test.shown:
        tokens = tuple(one.token for one in test.shown if not one.is_ignored)
        yield speaker.say("plain.tokens", speaker.chaos_row(tokens))
        yield from symbol_lines(speaker, game, tokens)
    if test.value is not None and test.has_succeeded is not None:
        key = "journal.test_passed" if test.has_succeeded else "journal.test_failed"
        by = abs(test.value - test.difficulty)
        yield speaker.say(key, test.value, test.difficulty, by)


def symbol_lines(speaker: CardsSpeaker, game: CardsTable, tokens: Iterable[str]) -> Iterator[str]:
    """Yield what the symbols among the tokens of the running test do."""
    scenario, test = game.only(Zone.SCENARIO), game.test
    assert test is not None
    for token in dict.fromkeys(tokens):
        code = scenario.shown if scenario is not None else ""
        if token == STAR:
            code = game.card_of_investigator(test.tester).shown
        if said := speaker.symbol(code, token):
            yield said


def status(base: Speaker, game: GameTable) -> Iterator[str]:
    """Yield round and phase, the turn, the running test, and what the story needs."""
    assert isinstance(game, CardsTable)
    speaker, moment = in_game(base, game), moment_of(game)
    yield ", ".join(moment.phase(speaker)) + "."
    if game.active:
        yield moment.turn(speaker) + "."
    yield from test_lines(speaker, game, is_short=False)
    clues = sum(game.count(who, Token.CLUE) for who in game.order)
    doom = sum(card.count(Token.DOOM) for card in game.in_play())
    for zone, token, number in (
        (Zone.ACT, Token.CLUE, clues),
        (Zone.AGENDA, Token.DOOM, doom),
    ):
        card = game.only(zone)
        if card is not None:
            yield speaker.say(f"plain.{zone.value}_short", speaker.carded(card.shown))
            yield speaker.say(f"plain.{zone.value}_has", speaker.token(token.value, number))


def _game(view: TableView) -> CardsTable:
    game = view.table.game
    assert isinstance(game, CardsTable)
    return game
