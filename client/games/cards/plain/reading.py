"""Plain mode's commands that read the table: places, people, hands, cards, the story."""

from collections.abc import Iterable, Iterator, Sequence

from client.games.cards.plain import words
from client.games.cards.speaker import CardsSpeaker, in_game
from client.locale.speaker import Speaker
from client.model.tables import TableView
from client.plain.command import Command, Takes
from client.plain.talk import PlayerPlace, Talk
from protocol.common.text import Text, strings_of
from protocol.games.cards.table import CardId, CardsTable
from protocol.games.cards.words import IN_PLAY, Zone

READ_FROM = (Zone.DISCARD, Zone.VICTORY, Zone.COMMITTED, Zone.RESOLVING, Zone.DRAWN)
"""Zones out of play whose cards can be read, too."""
CARD = "card/"


def game_at(talk: Talk) -> CardsTable:
    """Return the game on the table. Raise UnreadableCommand before the game has begun."""
    game = talk.game()
    assert isinstance(game, CardsTable)
    return game


def about_question(base: Speaker, view: TableView) -> Iterator[str]:
    """Yield the situation before a turn; before other questions, the cards that they name."""
    game, question, speaker = view.table.game, view.my_question(), in_game(base)
    if not isinstance(game, CardsTable) or question is None or view.ask is None:
        return
    if game.active and view.ask.about == Text("about/turn", (game.active,)):
        yield from words.person_lines(speaker, view, game.active)
        yield from words.map_lines(speaker, game, [game.investigators[game.active].location])
        yield from words.hand_lines(speaker, game, game.active)
        return
    texts = (view.ask.about, question.prompt, *(choice.text for choice in question.choices))
    named = (string for text in texts for string in strings_of(text))
    for code in dict.fromkeys(one for one in named if one.startswith(CARD)):
        if printed := speaker.printed(code):
            text = " ".join(printed).replace("\n", " ")
            yield speaker.say("plain.card", speaker.card(code), text)


# The board, the people, the story -------------------------------------------------------------


def look(talk: Talk, _: str) -> None:
    """Describe the player's own investigators, and the locations around them."""
    game, speaker, seat = game_at(talk), in_game(talk.speaker), talk.view().seat
    for who in words.own_people(game, seat):
        talk.print(words.person_lines(speaker, talk.view(), who))
    talk.print(words.map_lines(speaker, game, words.places_around(game, seat)))


def map_(talk: Talk, argument: str) -> None:
    """Describe all locations, or the one that the argument names."""
    game, speaker = game_at(talk), in_game(talk.speaker)
    places = game.lying(Zone.MAP)
    if argument:
        places = (places[talk.which(argument, _place_names(talk))],)
        talk.print(words.map_lines(speaker, game, [places[0].piece]))
        talk.print(speaker.printed(places[0].shown)[1:])
    else:
        talk.print(words.map_lines(speaker, game))


def _place_names(talk: Talk) -> list[str]:
    speaker = in_game(talk.speaker)
    return [speaker.card(card.shown) for card in game_at(talk).lying(Zone.MAP)]


def hand(talk: Talk, _: str) -> None:
    """List the hands of the player's own investigators, each card with cost and icons."""
    game, speaker = game_at(talk), in_game(talk.speaker)
    for who in words.own_people(game, talk.view().seat):
        talk.print(words.hand_lines(speaker, game, who))


def party(talk: Talk, _: str) -> None:
    """Describe all investigators."""
    game, speaker = game_at(talk), in_game(talk.speaker)
    for who in game.investigators:
        talk.print(words.person_lines(speaker, talk.view(), who))


def act(talk: Talk, _: str) -> None:
    """Print act and agenda with what they need, and the scenario card."""
    talk.print(words.story_lines(in_game(talk.speaker), game_at(talk)))


def bag(talk: Talk, _: str) -> None:
    """Print the chaos bag, and the running test."""
    game, speaker = game_at(talk), in_game(talk.speaker)
    talk.print([*words.bag_lines(speaker, game), *words.test_lines(speaker, game)])


# Cards -------------------------------------------------------------------------------------


def cards(talk: Talk, argument: str) -> None:
    """List the cards that the player may look at, or print all about one."""
    speaker, codes = in_game(talk.speaker), readable(talk)
    if argument:
        code = codes[talk.which(argument, _names(speaker, codes))]
        talk.print([speaker.card(code), *speaker.printed(code)])
    else:
        talk.tell_list(_names(speaker, codes), "plain.cards_hint", "cards")


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
    return _names(in_game(talk.speaker), readable(talk))


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
