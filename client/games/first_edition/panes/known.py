"""Knowledge of the investigators: clues, open cards and locks, backs of monsters."""

from collections.abc import Iterator

from client.games.first_edition.panes.scene import FirstEditionScene
from protocol.event import EVERYBODY


def seen_by_investigators(scene: FirstEditionScene) -> Iterator[str]:
    """Yield a line for each thing that only the keeper knew at the start and that is open now."""
    game, speaker = scene.game, scene.speaker
    if game is None:
        return
    for clue in game.clues:
        yield speaker.say("seen.clue", speaker.card(clue))
    for room, lock in game.locks.items():
        if lock.shown is not None:
            yield speaker.say("seen.in_room", speaker.room(room), speaker.card(lock.shown))
    for room, cards in game.laid.items():
        for card in cards:
            if card.shown is not None:
                words = speaker.say("seen.in_room", speaker.room(room), speaker.card(card.shown))
                yield words
    for monster in game.monsters.values():
        if monster.back.is_open and EVERYBODY in monster.back.audience:
            yield speaker.say("seen.back", speaker.monster(game, monster))
    for ally in game.heard:
        yield speaker.say("ally.told_by", speaker.character(ally), speaker.told(game, ally))
    for event in game.resolved:
        yield speaker.say("seen.event", speaker.card(event))
