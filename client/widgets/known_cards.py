"""Cards of any game that a viewer knows, by pile."""

from collections.abc import Iterator

from client.locale.speaker import Speaker
from client.widgets.paragraphs import HEAD, Paragraph, Row
from client.widgets.scene import Scene
from protocol.common.table import GameTable


def known_cards(scene: Scene) -> list[Row]:
    """Return the piles in which the viewer knows a card, with those cards."""
    game = scene.table.game
    if game is None:
        return []
    return [row for pile in game.piles for row in _pile(scene.speaker, game, pile)]


def _pile(speaker: Speaker, game: GameTable, pile: str) -> Iterator[Row]:
    cards = [(handle, game.known_card(handle)) for handle in game.piles[pile]]
    known = [(handle, card) for handle, card in cards if card is not None]
    if known:
        yield Row(pile, speaker.name("pile", pile))
    for handle, card in known:
        name = speaker.name("card", card)
        texts: list[Paragraph] = [(HEAD, name)]
        for text in speaker.details("card", card):
            texts += [("", ""), ("", text)]
        yield Row(handle, name, (tuple(texts),), indent=2, about=("card", card))
