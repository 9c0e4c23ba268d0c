"""Cards of any game that a viewer knows, by pile."""

from client.widgets.paragraphs import HEAD, Paragraph, Row
from client.widgets.scene import Scene


def known_cards(scene: Scene) -> list[Row]:
    """Return the piles in which the viewer knows a card, with the known cards."""
    game = scene.table.game
    if game is None:
        return []
    rows, speaker = list[Row](), scene.speaker
    for pile, handles in game.piles.items():
        cards = [(handle, game.known_card(handle)) for handle in handles]
        known = [(handle, card) for handle, card in cards if card is not None]
        if known:
            rows.append(Row(pile, speaker.name("pile", pile)))
        for handle, card in known:
            name = speaker.name("card", card)
            texts: list[Paragraph] = [(HEAD, name)]
            for text in speaker.reading("card", card):
                texts += [("", ""), ("", text)]
            rows.append(Row(handle, name, (tuple(texts),), indent=2, about=("card", card)))
    return rows
