"""Monsters, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import SecondEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.second_edition import events as se

one_line(
    se.MonsterSpawned,
    "spawned",
    lambda e, at: (at.speaker.monster(e.monster), at.space(e.monster.space)),
)
one_line(se.MonsterMoved, "monster_moved", lambda e, at: (at.monster(e.monster), at.space(e.space)))
one_line(se.MonsterHealed, "monster_healed", lambda e, at: (at.monster(e.monster), e.amount))
one_line(se.MonsterDamaged, "monster_damaged", lambda e, at: (at.monster(e.monster), e.amount))
one_line(se.MonsterCorrected, "monster_corrected", lambda e, at: (at.monster(e.monster), e.damage))


@tells(se.MonsterDiscarded)
def _(event: se.MonsterDiscarded, at: SecondEditionContext) -> Iterator[Told]:
    key = "monster_defeated" if event.is_defeated else "monster_gone"
    yield Tone.ACTION, at.say(key, at.monster(event.monster))
