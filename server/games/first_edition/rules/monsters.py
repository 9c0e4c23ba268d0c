"""Monsters: placed, moved, hurt and killed. Sections 17 and 27."""

from protocol.event import hidden
from protocol.games.first_edition.events import MonsterHurt, MonsterKilled, MonsterPlaced
from protocol.games.first_edition.table import MonsterBack, MonsterId, SpaceId
from protocol.games.first_edition.words import KEEPER
from server.games.first_edition.rules import horror
from server.games.first_edition.rules.play import Play
from server.rulekit.draws import Draws

DRAWS = Draws()


async def place(play: Play, kind: str, space: SpaceId) -> None:
    """
    Put a new monster on the board, with a token whose back nobody else knows.

    K-CARD-15, K-DECIDE-22, K-DECIDE-61: it enters, so horror tests follow but in setup.
    """
    put(play, kind, space)
    monster = f"m{play.table.next_monster - 1}"
    await horror.on_coming(play, monster)


def put(play: Play, kind: str, space: SpaceId) -> None:
    """Put a new monster on the board without any test. K-DECIDE-61."""
    card = play.content.pack.monsters[kind]
    tokens = [back for back in card.backs for _ in range(back.copies)]
    for other in play.table.monsters.values():
        # The tokens on the board are not in the supply.
        if other.kind == kind:
            tokens.remove(next(t for t in tokens if t.id == other.back.value.back))
    at = DRAWS.deal(play, f"token {kind}", range(len(tokens)))
    assert at is not None
    back = MonsterBack(tokens[at].id, tokens[at].health, tokens[at].damage)
    taken = {other.number for other in play.table.monsters.values() if other.kind == kind}
    number = next(n for n in range(1, len(taken) + 2) if n not in taken)
    play.emit(
        MonsterPlaced(
            kind,
            number,
            card.class_,
            card.awareness,
            card.horror,
            space,
            card.named,
            card.large,
            KEEPER,
            hidden(back),
        )
    )


def hurt(play: Play, monster: MonsterId, damage: int) -> None:
    """Deal damage to a monster; it is killed at its health. K-MONSTER-1, K-MONSTER-4 to 6."""
    play.emit(MonsterHurt(monster, damage))
    piece = play.table.monsters[monster]
    if piece.damage >= piece.back.value.health:
        play.emit(MonsterKilled(monster))
