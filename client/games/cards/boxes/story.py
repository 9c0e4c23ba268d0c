"""Two texts to read: act and agenda, and the chaos bag with the scenario card."""

from collections.abc import Iterator

from client.games.cards.boxes.cards import card_text
from client.games.cards.plain import words
from client.games.cards.speaker import in_game
from client.widgets.paragraphs import Paragraph
from client.widgets.scene import Scene
from protocol.games.cards.table import CardsTable
from protocol.games.cards.words import Token, Zone


def act_and_agenda(scene: Scene) -> list[Paragraph]:
    """Return act and agenda with story and rules, and how far each is."""
    game = scene.table.game
    return [*_story(scene, game)] if isinstance(game, CardsTable) else []


def chaos_bag(scene: Scene) -> list[Paragraph]:
    """Return the tokens in the bag, and what the scenario card says of the symbols."""
    game = scene.table.game
    return [*_bag(scene, game)] if isinstance(game, CardsTable) else []


def _story(scene: Scene, game: CardsTable) -> Iterator[Paragraph]:
    speaker = in_game(scene.speaker, scene.table.game)
    clues = sum(game.count(who, Token.CLUE) for who in game.order)
    doom = sum(card.count(Token.DOOM) for card in game.in_play())
    for zone, left, token, number in (
        (Zone.ACT, game.acts_left, Token.CLUE, clues),
        (Zone.AGENDA, game.agendas_left, Token.DOOM, doom),
    ):
        card = game.only(zone)
        if card is None:
            continue
        yield from card_text(speaker, card.shown)
        yield "", ""
        yield (
            "class:prompt",
            speaker.say(f"plain.{zone.value}_has", speaker.token(token.value, number)),
        )
        yield "class:dim", speaker.say(f"box.{zone.value}_left", left)
        yield "", ""


def _bag(scene: Scene, game: CardsTable) -> Iterator[Paragraph]:
    speaker = in_game(scene.speaker, scene.table.game)
    for line in words.bag_lines(speaker, game):
        yield "", line
    card = game.only(Zone.SCENARIO)
    if card is not None:
        yield "", ""
        yield from card_text(speaker, card.shown)
