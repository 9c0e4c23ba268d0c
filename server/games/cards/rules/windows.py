"""
Windows: whom a window asks, and how it closes. C-REACT-1, C-REACT-2, C-BWIN-1, C-BWIN-2.

Under *who can* a window asks the seats that could use something in it; that a seat was asked is all
that others learn (C-DECIDE-6, C-DECIDE-52). The first use settles what happens next and opens the
window again for all who can act then; it closes when all who are asked have passed since
(C-DECIDE-5).
"""

from collections.abc import Callable, Sequence

from content.games.cards.schema.occurrences import Moment
from protocol.common.text import Text
from protocol.games.cards.table import InvestigatorId
from server.games.cards.rules import answers
from server.games.cards.rules.play import Key, Occurrence, Play, Use, seat
from server.kernel.asks import Option, Prompt


async def reactions(
    play: Play, moment: Moment, about: Occurrence, found: Callable[[], list[Use]]
) -> None:
    """
    Hold the window of a moment for a group of occurrences.

    What could be used when the window opened can be used as long as it is open (C-BABIL-35), each
    once for each occurrence (C-BABIL-7); what can be used by then comes in besides.
    """
    offered: dict[tuple[InvestigatorId, Key], Use] = {}
    used: set[Key] = set()
    kind = f"{moment.value}/{about.kind.value}"
    while True:
        offered.update({(use.you, use.key): use for use in found()})
        usable = [
            use
            for use in offered.values()
            if use.key not in used
            and not (use.occurrence is not None and use.occurrence.is_off)
            and answers.is_usable(play, use)
        ]
        use = await ask(play, usable, kind, about.about())
        if use is None:
            return
        used.add(use.key)
        await answers.carry_out(play, use)


async def player_window(play: Play, name: str) -> None:
    """
    Hold a player window: free abilities, and Fast cards. C-BWIN-1, C-BWIN-2.

    Args:
        play: the game.
        name: what the window is at, such as `test`; the last part of its kind.
    """
    while True:
        usable = [use for who in play.table.order for use in answers.free(play, who)]
        use = await ask(play, usable, f"window/{name}", Text(f"window/{name}"))
        if use is None:
            return
        await answers.carry_out(play, use)


async def ask(play: Play, usable: Sequence[Use], kind: str, about: Text) -> Use | None:
    """Ask the seats that could use one of these; None if all pass, or if there is nothing."""
    if not usable:
        return None
    by_seat: dict[int, list[Option[Use | None]]] = {}
    for use in usable:
        option: Option[Use | None] = Option(use, use.text(), use.points())
        by_seat.setdefault(seat(play, use.you), []).append(option)
    prompts = {
        where: Prompt(Text("ask/window", (about,)), (*options, passing()))
        for where, options in sorted(by_seat.items())
    }
    acted = await play.first_to_act(prompts, rule="C-BWIN-2", about=about, kind=kind)
    return None if acted is None else acted[1]


def passing() -> Option[Use | None]:
    """Return the option to pass."""
    return Option(None, Text("choice/pass"), ends=True)
