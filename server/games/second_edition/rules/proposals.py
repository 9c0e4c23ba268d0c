"""
Proposals: the usual answer to an open question holds if no seat objects.

Rules CONFLICT-1 to CONFLICT-3, DECIDE-103 and DECIDE-142. An open question is the order of
simultaneous effects, or a tie. Its usual answer is proposed to all seats and holds if all pass. In
the Mythos phase one such agreement also settles all later questions of the phase, unless a seat
accepts the answer for this one time. If a seat objects, the group votes. By its settings, a table
can also accept all proposals unasked. Games before version 3 proposed only orders, each on its own.
"""

import enum
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from protocol.common.text import Text
from protocol.games.second_edition.events import DealtWith, MythosStepBegan
from protocol.games.second_edition.table import MythosStep, Phase, SecondEditionTable
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option, Prompt

T = TypeVar("T")

ORDERS = "order/same_time"
"""Kind of question on orders; a seat can pass on it for the rest of the game."""
TIES = "order/tie"
"""Kind of question on ties; a seat can pass on it for the rest of the game."""

_AGREED = "as usual"
"""Mark in the list of things done in a step: proposed answers apply without a question for the rest
of the phase."""


class _Wish(enum.Enum):
    """Reply of a seat to a proposal."""

    HOLDS = enum.auto()
    """The seat accepts the proposed answer; in the Mythos phase, also all later ones of the
    phase."""
    ONCE = enum.auto()
    """The seat accepts the proposed answer this time only."""
    OTHERWISE = enum.auto()
    """The seat rejects the proposed answer, and the group votes."""


async def is_accepted(
    play: Play, usual: Text, *, kind: str, rule: str, about: Text, prompt: Text
) -> bool:
    """
    Propose the usual answer to a question; return True if it is accepted.

    Args:
        play: the game.
        usual: the usual answer, in words.
        kind: ORDERS or TIES.
        rule: the rule that leaves the answer open.
        about: what the question is about.
        prompt: the question, with its reason.
    """
    if _is_settled(play):
        return True
    is_for_phase = play.version > 2 and play.table.phase is Phase.MYTHOS
    options = _for_phase(usual) if is_for_phase else _this_time(usual, kind)
    acted = await play.first_to_act(
        dict.fromkeys(_seats(play), Prompt(prompt, options)), rule=rule, about=about, kind=kind
    )
    # One seat that does not pass decides for all of them.
    if acted is not None:
        return acted[1] is _Wish.ONCE
    if is_for_phase:
        play.emit(DealtWith(_AGREED))
    return True


def _for_phase(usual: Text) -> tuple[Option[_Wish], ...]:
    return (
        Option(_Wish.HOLDS, Text("choice/usual_phase", (usual,)), (), "proposed", ends=True),
        Option(_Wish.ONCE, Text("choice/usual_once", (usual,))),
        Option(_Wish.OTHERWISE, Text("choice/not_usual")),
    )


def _this_time(usual: Text, kind: str) -> tuple[Option[_Wish], ...]:
    is_order = kind == ORDERS
    said = "choice/usual_order" if is_order else "choice/usual"
    other = "choice/another_order" if is_order else "choice/not_usual"
    return (
        Option(_Wish.HOLDS, Text(said, (usual,)), (), "proposed", ends=True),
        Option(_Wish.OTHERWISE, Text(other)),
    )


def _seats(play: Play) -> list[int]:
    return sorted({play.seat_of(who) for who in play.table.standing()})


def _is_settled(play: Play) -> bool:
    """
    Return True if the usual answer holds without a proposal.

    It does if the table's settings accept all proposals, if the group has agreed to this for the
    whole Mythos phase, or if all investigators are eliminated.
    """
    # Nobody is left to ask once all are eliminated.
    return play.is_as_proposed or _is_agreed(play.table) or not play.table.standing()


def _is_agreed(table: SecondEditionTable) -> bool:
    return table.phase is Phase.MYTHOS and _AGREED in table.done


def begin_step(play: Play, step: MythosStep) -> None:
    """Begin a step of the Mythos phase; an agreement for the whole phase stays in force."""
    was_agreed = _is_agreed(play.table)
    play.emit(MythosStepBegan(step))
    if was_agreed:
        play.emit(DealtWith(_AGREED))


async def tie(
    play: Play,
    options: Sequence[Option[T]],
    *,
    rule: str,
    about: Text,
    prompt: Text,
    worth: Callable[[T], Any] = lambda _: 0,
) -> T:
    """
    Return one of several possible outcomes: the usual one, or the choice of the group. CONFLICT-1.

    A single outcome is taken without asking. A player who is alone chooses without a proposal.
    Before version 3 the group voted on each tie.

    Args:
        play: the game.
        options: the outcomes.
        rule: the rule that leaves the outcome open.
        about: what the question is about.
        prompt: the question, with its reason.
        worth: returns how good an outcome is for the investigators. The best outcome is the usual
            one; of several equally good outcomes, the first.
    """
    if play.version > 2:
        # The sort is stable: among equally good outcomes the first one stays first.
        options = sorted(options, key=lambda option: worth(option.value), reverse=True)
        usual = options[0]
        if len(options) == 1 or _is_settled(play):
            return usual.value
        if len(_seats(play)) > 1 and await is_accepted(
            play, usual.text, kind=TIES, rule=rule, about=about, prompt=prompt
        ):
            return usual.value
    return await play.agree(play.table.standing(), options, rule=rule, about=about, prompt=prompt)
