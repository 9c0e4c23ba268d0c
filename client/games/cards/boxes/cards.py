"""Lists of cards with their full text: hands, what lies on the table, and the locations."""

from collections.abc import Iterable, Iterator

from client.games.cards.plain import words
from client.games.cards.speaker import CardsSpeaker, in_game
from client.screens.base.choices import choices_about
from client.widgets.paragraphs import HEAD, Paragraph, Row
from client.widgets.scene import Scene
from protocol.common.text import strings_of
from protocol.games.cards.table import ENCOUNTER, Card, CardId, CardsTable, hand_of
from protocol.games.cards.words import Zone

CARD = "card/"
IN_OTHER_LISTS = (Zone.MAP, Zone.ACT, Zone.AGENDA, Zone.SCENARIO)
"""Zones whose cards other readings have."""
OF_A_TEST = (Zone.COMMITTED, Zone.DRAWN, Zone.RESOLVING)
OUT_OF_PLAY = (Zone.DISCARD, Zone.VICTORY, Zone.ASIDE, Zone.REMOVED, Zone.BENEATH)


def readable_cards(scene: Scene) -> list[Row]:
    """Return the cards that the viewer may look at: in question, in hand, in play, the others."""
    game = scene.table.game
    return [*_rows(scene, game)] if isinstance(game, CardsTable) else []


def locations(scene: Scene) -> list[Row]:
    """Return all locations, each with its text, what is there and where it leads."""
    game, speaker = scene.table.game, in_game(scene.speaker, scene.table.game)
    if not isinstance(game, CardsTable):
        return []
    rows = []
    for card in game.lying(Zone.MAP):
        state = [("", line) for line in words.map_lines(speaker, game, [card.piece])]
        rows.append(_row(scene, card.piece, card.shown, state))
    return rows


def _rows(scene: Scene, game: CardsTable) -> Iterator[Row]:
    speaker = in_game(scene.speaker, scene.table.game)
    say = speaker.say
    yield from _in_question(scene, game)
    for who in words.own_people(game, scene.seat):
        known = [
            (code, handle)
            for handle in game.piles.get(hand_of(who), ())
            if (code := game.known_card(handle)) is not None
        ]
        if known:
            yield Row(hand_of(who), say("box.hand", speaker.name("character", who), len(known)))
        for code, handle in sorted(known):
            yield _row(scene, handle, code)
    yield from _lying(scene, game, "box.test", game.cards.values(), OF_A_TEST)
    for who in game.order:
        own = (*game.lying(Zone.PLAY, who), *game.lying(Zone.THREAT, who))
        yield from _listed(scene, game, who, speaker.name("character", who), own)
    at_places = (Zone.AT, Zone.ON, Zone.SWARM)
    yield from _lying(scene, game, "box.at_places", game.cards.values(), at_places)
    for zone in OUT_OF_PLAY:
        found = [card for card in game.cards.values() if card.at.zone is zone]
        for of in dict.fromkeys(card.at.of for card in found):
            title = _pile(speaker, game, zone, of)
            cards = [card for card in found if card.at.of == of]
            yield from _listed(scene, game, f"{zone.value} {of}", title, cards)
    if captives := game.lying(Zone.CAPTIVE):
        # The pile may not be consulted. C-PILE-3, C-DECIDE-37.
        yield Row("captives", say("box.captives", len(captives)))


def _pile(speaker: CardsSpeaker, game: CardsTable, zone: Zone, of: str) -> str:
    """Return the heading of cards out of play that lie together."""
    if zone is Zone.DISCARD and of != ENCOUNTER:
        return speaker.say("box.pile.own", speaker.name("character", of))
    if zone is Zone.BENEATH:
        return speaker.say("box.pile.beneath", speaker.piece(game, of) if of else "")
    return speaker.say(f"box.pile.{zone.value}")


def _in_question(scene: Scene, game: CardsTable) -> Iterator[Row]:
    """Yield the card under the cursor, then the cards that the open question is about."""
    ask = scene.table.room.ask
    lit = (code_of(game, point.piece) for point in scene.lit)
    about = strings_of(ask.about) if ask is not None else ()
    codes = dict.fromkeys((*sorted(filter(None, lit)), *about))
    named = [one for one in codes if one.startswith(CARD) and one not in game.investigators]
    if named:
        yield Row("question", scene.speaker.say("box.in_question"))
    for code in named:
        yield _row(scene, f"question {code}", code)


def code_of(game: CardsTable, piece: str) -> CardId | None:
    """Return the card of a piece or a handle, as far as the viewer knows it; else None."""
    card = game.cards.get(piece)
    if card is not None and not card.handle:
        return card.shown
    piece = card.handle if card is not None else piece
    return game.known_card(piece) if piece in game.hidden_cards else None


def _lying(
    scene: Scene, game: CardsTable, title: str, cards: Iterable[Card], zones: tuple[Zone, ...]
) -> Iterator[Row]:
    found = [card for zone in zones for card in cards if card.at.zone is zone]
    yield from _listed(scene, game, title, scene.speaker.say(title), found)


def _listed(
    scene: Scene, game: CardsTable, key: str, title: str, cards: Iterable[Card]
) -> Iterator[Row]:
    """Yield a heading, then each card with what lies on it and where it lies."""
    speaker = in_game(scene.speaker, scene.table.game)
    # A card that lies face down has nothing to read, unless the viewer may look at it.
    shown = [(card, code) for card in cards if (code := code_of(game, card.piece))]
    if shown:
        yield Row(key, title)
    for card, code in shown:
        notes = [*speaker.tokens_on(card)]
        if card.at.of in game.cards:
            notes.insert(0, speaker.piece(game, card.at.of))
        yield _row(scene, card.piece, code, [("", note) for note in notes])


def _row(scene: Scene, key: str, code: CardId, state: Iterable[Paragraph] = ()) -> Row:
    speaker = in_game(scene.speaker, scene.table.game)
    text = (
        *card_text(speaker, code),
        *((("", ""), *state) if state else ()),
        *choices_about(scene, "card", key),
    )
    return Row(key, speaker.card(code), (text,), indent=2, about=("card", code))


def card_text(speaker: CardsSpeaker, code: CardId) -> Iterator[Paragraph]:
    """Yield all that is printed on a card, its name first."""
    yield HEAD, speaker.card(code)
    for printed in speaker.printed(code):
        yield "", ""
        for line in printed.split("\n"):
            yield "", line
