"""Monsters: placed, hurt, stunned and killed. Sections 17 and 27."""

from collections.abc import Mapping, Sequence

from protocol.common.text import Text
from protocol.event import EVERYBODY, hidden
from protocol.games.first_edition.events import (
    MonsterBackShown,
    MonsterFlies,
    MonsterHurt,
    MonsterKilled,
    MonsterPlaced,
    MonsterRemoved,
    Told,
)
from protocol.games.first_edition.table import MonsterBack, MonsterId, SpaceId
from protocol.games.first_edition.words import KEEPER
from server.games.first_edition.rules import horror, objective, places
from server.games.first_edition.rules.play import Play, Source, about, chooser
from server.kernel.asks import Option
from server.rulekit.draws import Draws

DRAWS = Draws()
DAMAGED_BACKS_OPEN = False
"""Whether a monster's first damage opens its back, too. K-DECIDE-94."""


async def bring(
    play: Play, kind: str, spaces: Sequence[SpaceId], source: Source, token: str | None = None
) -> None:
    """
    Have the keeper put one monster into one of these spaces. K-SUPPLY-5 to K-SUPPLY-7.

    If all figures of its type are on the board, the keeper may take one of them off and place it
    anew; it counts as another monster (K-DECIDE-57).
    """
    table = play.table
    figures = [one.monster_id for one in table.monsters.values() if one.kind == kind]
    if len(figures) >= play.content.pack.monsters[kind].figures:
        options: list[Option[MonsterId | None]] = [
            Option(None, Text("choice/no_figure"), (), "rest", ends=True)
        ]
        for figure in figures:
            text = Text("choice/take_figure", (places.monster_name(table, figure),))
            options.append(Option(figure, text, (places.at_monster(figure),), "move"))
        taken = await play.choose(
            chooser(play, source),
            options,
            rule="K-SUPPLY-6",
            about=about(source),
            prompt=Text("ask/take_figure", (kind,)),
        )
        if taken is None:
            return
        play.emit(MonsterRemoved(taken))
    await place(play, kind, await places.choose_space(play, spaces, source, kind), token)


async def place(play: Play, kind: str, space: SpaceId, token: str | None = None) -> None:
    """
    Put a new monster on the board, with a token whose back nobody else knows.

    K-CARD-15, K-DECIDE-22: it enters, so horror tests follow.
    """
    put(play, kind, space, token)
    await horror.on_coming(play, newest(play))


def lay(play: Play, answers: Mapping[str, str] | None = None) -> None:
    """
    Put the monsters of the story on the board. K-DECIDE-61.

    Those whose token the answers choose come once the answers are given. W-DECIDE-37, W-SECRET-13.
    """
    for one in play.content.story.monsters:
        if bool(one.tokens) == (answers is not None):
            put(play, one.kind, one.at, one.token_for(answers or {}))


def put(play: Play, kind: str, space: SpaceId, token: str | None = None) -> None:
    """
    Put a new monster on the board without any test. K-DECIDE-61, K-SECRET-15, K-INFO-2.

    Awareness and horror rating lie open on the front of its token (K-MONSTER-7, K-SECRET-14); the
    special attack is on the back (K-MONSTER-8). One that flies has a wing there (W-FLY-1).

    Args:
        play: the game.
        kind: the type of monster.
        space: where it comes.
        token: the token under it, if the story names one that is not on the board (W-DECIDE-37).
    """
    card = play.content.pack.monsters[kind]
    tokens = {f"{back.id} {copy}": back for back in card.backs for copy in range(back.copies)}
    alike = [other for other in play.table.monsters.values() if other.kind == kind]
    for other in alike:
        # The tokens on the board are not in the supply.
        del tokens[next(name for name in tokens if tokens[name].id == other.back.value.back)]
    # Whether one is drawn would tell whether the token that is named lies under another monster.
    drawn = DRAWS.deal(play, f"token {kind}", tuple(tokens))
    assert drawn is not None
    drawn = next((name for name in tokens if tokens[name].id == token), drawn)
    back = MonsterBack(tokens[drawn].id, tokens[drawn].health, tokens[drawn].damage)
    taken = {other.number for other in alike}
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
    if card.flying:
        play.emit(MonsterFlies(newest(play)))


def newest(play: Play) -> MonsterId:
    """Return the monster that came last."""
    return f"m{play.table.next_monster - 1}"


def hurt(play: Play, monster: MonsterId, damage: int) -> None:
    """
    Deal damage to a monster; it is killed at its health. K-MONSTER-1 to K-MONSTER-6.

    The back stays closed, unless `DAMAGED_BACKS_OPEN`: unknown health is the keeper's bluff
    (K-DECIDE-94).
    """
    if monster not in play.table.monsters or damage <= 0:
        return
    play.emit(MonsterHurt(monster, damage))
    if DAMAGED_BACKS_OPEN:
        show_back(play, monster)
    piece = play.table.monsters[monster]
    if piece.damage >= piece.back.value.health:
        play.emit(MonsterKilled(monster))


def heal(play: Play, monster: MonsterId, damage: int) -> None:
    """Heal damage of a monster, at most what it has."""
    stands = play.table.monsters.get(monster)
    if stands is not None and (healed := min(damage, stands.damage)):
        play.emit(MonsterHurt(monster, -healed))


def kill(play: Play, monster: MonsterId) -> None:
    """Kill a monster without dealing damage, or tell that it cannot be done. W-DECIDE-36."""
    if withstands(play, monster):
        play.emit(Told(Text("result/withstands", (places.monster_name(play.table, monster),))))
    else:
        play.emit(MonsterKilled(monster))


def withstands(play: Play, monster: MonsterId) -> bool:
    """
    Return whether no effect kills a monster without damage. K-MONSTER-9, K-MONSTER-10, W-NAMED-1.

    It has a proper name, or the objective names it. As long as the objective is hidden, a monster
    that *any* objective of the story names withstands: if only those of the true one did, a single
    attempt would tell the objective, whether it fails or succeeds.
    """
    stands, story = play.table.monsters[monster], play.content.story
    possible = story.objectives
    if play.table.revealed is not None:
        possible = (objective.secret(play),)
    return stands.is_named or any(stands.kind in goal.targets for goal in possible)


def show_back(play: Play, monster: MonsterId) -> None:
    """Open the back of a monster that deals damage or makes its special attack. K-INFO-4."""
    stands = play.table.monsters.get(monster)
    if stands is not None and EVERYBODY not in stands.back.audience:
        back = stands.back
        play.emit(MonsterBackShown(monster, play.disclose(back), back.value.back))
