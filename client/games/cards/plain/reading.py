"""Plain mode's commands that read the table: places, people, hands, cards, the story."""

from collections.abc import Iterable, Iterator, Sequence

from client.games.cards.plain import words
from client.games.cards.speaker import CardsSpeaker, in_game
from client.locale.speaker import Speaker
from client.model.tables import TableView
from client.plain.choice import UnreadableCommand
from client.plain.command import Command, Takes
from client.plain.talk import PlayerPlace, Talk
from client.text.searching import has_words
from protocol.common.text import Text, strings_of
from protocol.games.cards.table import CardId, CardsTable
from protocol.games.cards.words import IN_PLAY, Zone

READ_FROM = (Zone.DISCARD, Zone.VICTORY, Zone.COMMITTED, Zone.RESOLVING, Zone.DRAWN)
"""Zones out of play whose cards can be read, too."""
CARD = "card/"
TURN, COMMIT = "ask/action", "ask/commit"
"""Questions whose cards are those of a hand, which has been shown."""
OF_HAND = ("ask/mulligan", "ask/search", "ask/discard", "ask/order")
"""Questions about cards whose cost and icons count."""


def game_at(talk: Talk) -> CardsTable:
    """Return the game on the table. Raise UnreadableCommand before the game has begun."""
    game = talk.game()
    assert isinstance(game, CardsTable)
    return game


def about_question(base: Speaker, view: TableView) -> Iterator[str]:
    """Yield the rules of the cards that a question names, unless they have been shown."""
    game, question, speaker = view.table.game, view.my_question(), in_game(base, view.table.game)
    if not isinstance(game, CardsTable) or question is None or view.ask is None:
        return
    asked = question.prompt.subject
    if asked in (TURN, COMMIT):
        return
    about = (one for one in strings_of(view.ask.about) if one not in game.investigators)
    named = (string for choice in question.choices for string in strings_of(choice.text))
    # A choice that has the sentence of a card tells it itself.
    told = {text.subject for choice in question.choices for text in _sentences(choice.text)}
    codes = (one for one in (*about, *named) if one.startswith(CARD) and one not in told)
    lines = (
        speaker.say("plain.card", name, rules)
        for code in dict.fromkeys(codes)
        for name in (speaker.carded(code) if asked in OF_HAND else speaker.card(code),)
        if (rules := speaker.rules(code))
    )
    # Two cards may be of one name and text.
    yield from dict.fromkeys(lines)


def _sentences(text: Text) -> Iterator[Text]:
    """Yield the texts of abilities of cards that are part of a text."""
    if text.field.startswith("ability."):
        yield text
    for one in text.params:
        if isinstance(one, Text):
            yield from _sentences(one)


def before_question(base: Speaker, view: TableView) -> Iterator[str]:
    """Yield the situation before each action of a turn."""
    game, question = view.table.game, view.my_question()
    if not isinstance(game, CardsTable) or question is None or not game.active:
        return
    if question.prompt.subject == TURN:
        yield from words.situation(in_game(base, game), view, game.active)


# The board, the people, the story -------------------------------------------------------------


def look(talk: Talk, _: str) -> None:
    """Describe the player's own investigators, and the locations around them."""
    game, speaker, seat = game_at(talk), in_game(talk.speaker, talk.game()), talk.view().seat
    for who in words.own_people(game, seat):
        talk.print(words.person_lines(speaker, talk.view(), who))
    talk.print(words.map_lines(speaker, game, words.places_around(game, seat)))


def map_(talk: Talk, argument: str) -> None:
    """Describe all locations, or the one that the argument names."""
    game, speaker = game_at(talk), in_game(talk.speaker, talk.game())
    places = game.lying(Zone.MAP)
    if argument:
        places = (places[talk.which(argument, _place_names(talk))],)
        talk.print(words.map_lines(speaker, game, [places[0].piece]))
        talk.print(speaker.printed(places[0].shown)[1:])
    else:
        talk.print(words.map_lines(speaker, game))


def _place_names(talk: Talk) -> list[str]:
    speaker = in_game(talk.speaker, talk.game())
    return [speaker.card(card.shown) for card in game_at(talk).lying(Zone.MAP)]


def hand(talk: Talk, _: str) -> None:
    """List the hands of the player's own investigators, each card with cost and icons."""
    game, speaker = game_at(talk), in_game(talk.speaker, talk.game())
    for who in words.own_people(game, talk.view().seat):
        talk.print(words.hand_lines(speaker, game, who))


def party(talk: Talk, _: str) -> None:
    """Describe all investigators."""
    game, speaker = game_at(talk), in_game(talk.speaker, talk.game())
    for who in game.investigators:
        talk.print(words.person_lines(speaker, talk.view(), who))


def act(talk: Talk, _: str) -> None:
    """Print act and agenda with what they need, and the scenario card."""
    talk.print(words.story_lines(in_game(talk.speaker, talk.game()), game_at(talk)))


def bag(talk: Talk, _: str) -> None:
    """Print the chaos bag, and the running test."""
    game, speaker = game_at(talk), in_game(talk.speaker, talk.game())
    talk.print([*words.bag_lines(speaker, game), *words.test_lines(speaker, game, is_short=False)])


# Cards -------------------------------------------------------------------------------------


def cards(talk: Talk, argument: str) -> None:
    """List the cards that the player may look at, or print all about one, or those with words."""
    speaker, codes = in_game(talk.speaker, talk.game()), readable(talk)
    if not argument:
        talk.tell_list(_names(speaker, codes), "plain.cards_hint", "cards")
        return
    try:
        code = codes[talk.which(argument, _names(speaker, codes))]
    except UnreadableCommand:
        texts = {code: (speaker.card(code), *speaker.printed(code)) for code in codes}
        found = [code for code in codes if has_words(argument, texts[code])]
        if not found:
            raise
        talk.print(f"- {speaker.carded(code)}" for code in found)
    else:
        talk.print([speaker.card(code), *speaker.printed(code)])


def readable(talk: Talk) -> list[CardId]:
    """Return the cards that a player may look at, each once: own hands first, then open cards."""
    game = game_at(talk)
    own = (words.hand_codes(game, who) for who in words.own_people(game, talk.view().seat))
    lying = [card for card in game.cards.values() if card.at.zone in IN_PLAY]
    others = [card for card in game.cards.values() if card.at.zone in READ_FROM]
    opened = (card.shown for card in (*lying, *others))
    return list(dict.fromkeys(code for code in (*(c for h in own for c in h), *opened) if code))


def _names(speaker: CardsSpeaker, codes: Sequence[CardId]) -> list[str]:
    return [speaker.card(code) for code in codes]


def _card_names(talk: Talk) -> Iterable[str]:
    return _names(in_game(talk.speaker, talk.game()), readable(talk))


_GAME = frozenset({PlayerPlace.GAME})

READINGS = (
    Command("look", look, _GAME, is_reading=True),
    Command("map", map_, _GAME, Takes.NAMES, is_reading=True, offers=_place_names),
    Command("hand", hand, _GAME, is_reading=True),
    Command("party", party, _GAME, is_reading=True),
    Command("act", act, _GAME, is_reading=True),
    Command("bag", bag, _GAME, is_reading=True),
    Command("cards", cards, _GAME, Takes.NAMES, is_reading=True, offers=_card_names),
)
"""Readings in the order of help."""
