"""The sections beside the map: story, own investigators, hands, test, and the others."""

from collections.abc import Callable, Iterator, Sequence

from client.games.cards.boxes.cards import CARD
from client.games.cards.panes.graph import signs_of
from client.games.cards.plain import words
from client.games.cards.speaker import CardsSpeaker, in_game
from client.widgets.answering import Answering
from client.widgets.bits import Bit, Line, width_of_line, wrapped
from client.widgets.canvas import Spot
from client.widgets.scene import Scene
from client.widgets.sections import Section
from protocol.common.text import strings_of
from protocol.games.cards.table import Card, CardId, CardsTable, InvestigatorId, hand_of
from protocol.games.cards.words import Token, Zone

SHORT = "class:dim"
WIDE = 40
"""Columns at which values and rules take few enough rows."""


def sections(scene: Scene, game: CardsTable, columns: int) -> list[Section]:
    """Return the sections, the most important first."""
    speaker = in_game(scene.speaker, scene.table.game)
    mine = words.own_people(game, scene.seat)
    others = [who for who in game.order if who not in mine]
    found = [_story(speaker, game, columns)]
    # Whoever acts comes first: the cards of that hand can be played now.
    shown = [who for who in mine if game.investigators[who].fate is None]
    for who in sorted(shown, key=lambda who: who != game.active):
        found.append(_person(scene, speaker, game, who, columns))
        found.append(_hand(scene, speaker, game, who, columns, is_named=len(shown) > 1))
    if others:
        lines = [line for who in others for line in wrapped(_other(speaker, game, who), columns)]
        found.append(Section(speaker.say("pane.others"), (lines,)))
    return found


def test_lines(scene: Scene, game: CardsTable, columns: int, *, is_short: bool) -> list[Line]:
    """Return the running test, number by number, with the cards that are committed."""
    speaker = in_game(scene.speaker, scene.table.game)
    texts = words.test_lines(speaker, game, is_short=is_short)
    return [line for text in texts for line in wrapped(text, columns)]


def _story(speaker: CardsSpeaker, game: CardsTable, columns: int) -> Section:
    clues = sum(game.count(who, Token.CLUE) for who in game.order)
    doom = sum(card.count(Token.DOOM) for card in game.in_play())
    lines: list[Line] = []
    rules: list[Line] = []
    for zone, token, number in ((Zone.ACT, Token.CLUE, clues), (Zone.AGENDA, Token.DOOM, doom)):
        card = game.only(zone)
        if card is not None:
            style = "class:clues" if zone is Zone.ACT else "class:horror"
            spot = Spot("card", card.piece)
            goal = speaker.goal(card.shown)
            has = (
                speaker.say(f"pane.goal.{token.value}", number, int(goal))
                if goal.isdigit()
                else speaker.token(token.value, number)
            )
            # The numbers first: a long name is cut.
            lines.append(
                [Bit(f"{has}  ", style), Bit(speaker.card(card.shown), "class:card", spot)]
            )
            text = speaker.rules(card.shown)
            rules += [lines[-1], *(wrapped(text, columns, SHORT, indent=1) if text else ())]
    # On a narrow screen the hand needs the rows.
    forms = (rules, lines) if columns >= WIDE else (lines,)
    return Section(speaker.say("pane.story"), forms, is_needed=True)


def _person(
    scene: Scene, speaker: CardsSpeaker, game: CardsTable, who: InvestigatorId, columns: int
) -> Section:
    card = game.card_of_investigator(who)
    held = [
        (kind, style)
        for kind, style in (
            (Token.DAMAGE, "class:damage"),
            (Token.HORROR, "class:horror"),
            (Token.CLUE, "class:clues"),
            (Token.RESOURCE, "class:token"),
        )
    ]
    first = _held(held, card, speaker.token, "  ")
    if width_of_line(first) > columns:
        first = _held(held, card, lambda kind, number: speaker.say(f"short.{kind}", number), " ")
    lying = [*game.lying(Zone.PLAY, who), *game.lying(Zone.THREAT, who)]
    # Enemies first: where there are few rows, the end is cut.
    lines = [
        first,
        *(
            _card_line(scene, speaker, game, one)
            for one in sorted(lying, key=lambda one: not one.engaged)
            if one.piece != card.piece
        ),
    ]
    title = f"{signs_of(game)[who]} {speaker.name('character', who)}"
    values = wrapped(speaker.fact(card.code), columns, SHORT) if columns >= WIDE else []
    forms = ([*lines[:1], *values, *lines[1:]], lines, lines[:4], lines[:1])
    return Section(title, forms, is_needed=True)


def _held(
    held: Sequence[tuple[Token, str]], card: Card, say: Callable[[str, int], str], gap: str
) -> Line:
    parts = [Bit(say(kind.value, card.count(kind)), style) for kind, style in held]
    return [bit for part in parts for bit in (part, Bit(gap))][:-1]


def _card_line(scene: Scene, speaker: CardsSpeaker, game: CardsTable, card: Card) -> Line:
    style = "class:enemy" if card.engaged else "class:dim" if card.is_exhausted else "class:card"
    if scene.is_lit("card", card.piece):
        style = "class:map.lit"
    line = [Bit(words.with_tokens(speaker, game, card), style, Spot("card", card.piece))]
    # What kind of card it is comes first there: an enemy is told from one's own cards.
    return [*line, Bit(f"  {speaker.fact(card.shown)}", SHORT)] if card.engaged else line


def _hand(
    scene: Scene,
    speaker: CardsSpeaker,
    game: CardsTable,
    who: InvestigatorId,
    columns: int,
    *,
    is_named: bool,
) -> Section:
    """Return a hand, a card in each row; where there is no room for that, the names in a row."""
    lines = [list(line) for line in _hand_lines(scene, speaker, game, who)]
    count = len(game.piles.get(hand_of(who), ()))
    title = (
        speaker.say("pane.hand_of", speaker.name("character", who), count)
        if is_named
        else speaker.say("pane.hand", count)
    )
    names = ", ".join(speaker.card(code) for code in words.hand_codes(game, who))
    return Section(title, (lines, wrapped(names, columns)) if names else (), is_needed=True)


def _hand_lines(
    scene: Scene, speaker: CardsSpeaker, game: CardsTable, who: InvestigatorId
) -> Iterator[Line]:
    known = [
        (code, handle)
        for handle in game.piles.get(hand_of(who), ())
        if (code := game.known_card(handle)) is not None
    ]
    for code, handle in sorted(known):
        style = "class:map.lit" if scene.is_lit("card", handle) else "class:card"
        yield [
            Bit(speaker.card(code), style, Spot("card", handle)),
            Bit(f"  {speaker.short(code)}", SHORT),
        ]


def _other(speaker: CardsSpeaker, game: CardsTable, who: InvestigatorId) -> str:
    """Return another investigator in a sentence: where, harm, clues, cards in hand."""
    one, card = game.investigators[who], game.card_of_investigator(who)
    name = speaker.name("character", who)
    # Nobody is anywhere before setup is done, nor where a location is gone at the end.
    place = speaker.piece(game, one.location) if one.location in game.cards else ""
    told = speaker.say(
        "pane.other",
        f"{name}, {place}" if place else name,
        card.count(Token.DAMAGE),
        card.count(Token.HORROR),
        card.count(Token.CLUE),
    )
    return f"{signs_of(game)[who]} {told}"


def chosen_card(
    scene: Scene, game: CardsTable, answering: Answering | None, columns: int
) -> Section:
    """Return the text of the card that the choice or refusal under the cursor names."""
    code, speaker = _named_by(game, answering), in_game(scene.speaker, scene.table.game)
    if not code:
        return Section("", ())
    # The rules first: the rest may be cut.
    texts = [text for text in (speaker.rules(code), speaker.fact(code)) if text]
    lines = [line for text in texts for line in wrapped(text, columns)]
    return Section(speaker.card(code), (lines,), is_needed=True)


def _named_by(game: CardsTable, answering: Answering | None) -> CardId:
    """Return the card that the choice or refusal under the cursor names; empty for none."""
    if answering is None or answering.cursor < 0:
        return ""
    texts = [*(one.text for one in answering.choices), *(one.text for one in answering.refusals)]
    if answering.cursor >= len(texts):
        return ""
    named = (
        game.cards[one].shown if one in game.cards else one
        for one in strings_of(texts[answering.cursor])
    )
    return next((one for one in named if one.startswith(CARD)), "")
