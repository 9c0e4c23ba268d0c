"""Hindsight on a night in the woods: where another snare would have caught more animals."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from protocol.common.events import Player
from protocol.common.hindsight import Hindsight
from protocol.common.text import Text
from server.kernel.hindsight import Step
from tests.games.woods.protocol import events as woods
from tests.games.woods.protocol.table import WoodsTable


def look_back(
    content: Any, players: tuple[Player, ...], steps: Sequence[Step]
) -> Iterator[Hindsight]:
    """Yield the clearing that most animals walked into, unless the snare lay there."""
    del content, players
    for step in steps:
        table = step.before.game
        if not isinstance(table, WoodsTable) or not isinstance(step.record.event, woods.RoundEnded):
            continue
        walked = Counter(one.clearing for one in table.animals.values() if one.has_walked)
        (best, most), *_ = walked.most_common(1)
        assert table.snare is not None
        if walked[table.snare.value] < most:
            text = Text("woods/better_snare", (best, most))
            yield Hindsight(step.record.sequence, "snare", text)
