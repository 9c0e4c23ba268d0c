"""
The round: mythos, investigation, enemy, upkeep. Sections 2.3, 2.4, 2.5, 2.12 and 2.13.

Each procedure of the kernel is one step of a phase; the table says which comes next, so that a room
can be rebuilt between any two of them.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from content.games.cards.schema.kinds import Stat
from content.games.cards.schema.modifiers import SkipDoom, Thing
from content.games.cards.schema.occurrences import Happening
from protocol.common.text import Text
from protocol.games.cards.events import Exhausted, RoundBegan, StepCame
from protocol.games.cards.table import InvestigatorId, PieceId, hand_of
from protocol.games.cards.words import Phase, Token, Until, Zone
from server.games.cards.rules import (
    actions,
    answers,
    encounter,
    enemies,
    hands,
    outcomes,
    playing,
    skill_tests,
    story,
    timing,
    turns,
    values,
    windows,
)
from server.games.cards.rules.play import Occurrence, Play, Source, Use, end_periods, seat
from server.kernel.asking import Interruption
from server.kernel.asks import Option, Prompt
from server.rulekit.offers import PlayerAction

Step = Callable[[Play], Awaitable[None]]


async def step(play: Play) -> None:
    """
    Carry out the next step of the round that writes something. C-BROUND-1.

    The steps before it write nothing again if the room is rebuilt. Tests that were put off in it,
    outside of any action, come once it is complete. C-DECIDE-10.
    """
    before, first = play.table, play.next_sequence
    steps = PHASES[before.phase]
    for at in range(before.step, len(steps)):
        await steps[at](play)
        if play.next_sequence == first:
            continue
        is_here = (play.table.phase, play.table.step) == (before.phase, before.step)
        if is_here and steps[at] is not _turns:
            play.emit(StepCame(before.phase, at + 1))
        break
    else:
        await _end_phase(play)
    await skill_tests.take_up(play)


async def _begin(play: Play) -> None:
    """C-BROUND-4."""
    await timing.pass_by(play, Occurrence(Happening.PHASE_BEGINS, phase=play.table.phase))


async def _end_phase(play: Play) -> None:
    """
    End a phase, with what lasts until its end, and begin the next one.

    C-BROUND-5, C-BUPK-6, C-BROUND-4.
    """
    phase = play.table.phase
    await timing.pass_by(play, Occurrence(Happening.PHASE_ENDS, phase=phase))
    end_periods(play, Until.PHASE)
    if phase is not Phase.UPKEEP:
        play.emit(StepCame(ORDER[ORDER.index(phase) + 1], 0))
        return
    await timing.pass_by(play, Occurrence(Happening.ROUND_ENDS))
    end_periods(play, Until.ROUND)
    play.emit(RoundBegan(play.table.round_number + 1))
    play.emit(StepCame(Phase.MYTHOS, 0))
    await timing.pass_by(play, Occurrence(Happening.ROUND_BEGINS))


ORDER = (Phase.MYTHOS, Phase.INVESTIGATION, Phase.ENEMY, Phase.UPKEEP)
"""The phases in their order. C-BROUND-1."""


# Mythos phase


async def _place_doom(play: Play) -> None:
    """C-BMYTH-1: 1 doom on the agenda, unless a card has the step skipped."""
    agenda = play.table.only(Zone.AGENDA)
    if agenda is not None and not any(values.given(play, SkipDoom)):
        await story.place_doom(play, agenda.piece, 1)


async def _draw_encounters(play: Play) -> None:
    """C-BMYTH-3: in player order. C-BROUND-3."""
    for who in play.table.order:
        await encounter.draw(play, who)


EARLY = "early"
"""Group of uses for which a turn comes soon, so that nothing presses. C-BWIN-3, C-BWIN-4."""


def _early(_: Use) -> str:
    return EARLY


async def _mythos_window(play: Play) -> None:
    """C-BWIN-3."""
    await windows.player_window(play, "mythos", group=_early)


# Investigation phase


async def _investigation_window(play: Play) -> None:
    """C-BWIN-4."""
    await windows.player_window(play, "investigation", group=_early)


async def _turns(play: Play) -> None:
    """
    Have the investigators take their turns, one each; one action is one procedure.

    C-BTURN-1, C-BTURN-6.
    """
    table = play.table
    if table.active:
        await act(play, table.active)
        return
    left = [who for who in table.order if not table.investigators[who].has_acted]
    if left:
        at = PHASES[Phase.INVESTIGATION].index(_turns)
        if table.step != at:
            # What a turn changes must not have the steps before it come again.
            play.emit(StepCame(Phase.INVESTIGATION, at))
        await turns.begin(play, await _choose_turn(play, left))


async def _choose_turn(play: Play, left: Sequence[InvestigatorId]) -> InvestigatorId:
    """Have the players decide who takes the next turn: the first to take it. C-BTURN-1."""
    if len(left) == 1:
        return left[0]
    prompts: dict[int, list[Option[InvestigatorId]]] = {}
    for who in left:
        option = Option(who, Text("choice/take_turn", (who,)))
        prompts.setdefault(seat(play, who), []).append(option)
    asked = {at: Prompt(Text("ask/turn"), tuple(found)) for at, found in sorted(prompts.items())}
    _, (chosen,) = await play.any_one(asked, rule="C-BTURN-1", about=Text("about/order"))
    return chosen


async def act(play: Play, who: InvestigatorId) -> None:
    """
    Ask an investigator for an action, or the end of the turn, and carry it out. C-BTURN-2.

    It is carried out completely before the next question (C-BTURN-4, C-BWIN-10).

    The player window after each action is part of the same question: whoever else could use
    something may do so while the investigator decides (C-BWIN-4, C-BWIN-1).
    """
    perform = await _ask(play, who)
    await perform()
    await actions.finish(play)
    await enemies.engage_all(play)


async def _ask(play: Play, who: InvestigatorId) -> PlayerAction:
    """
    Ask what is done next; nobody else takes actions. C-BTURN-5, C-BACTS-6.

    The turn ends unasked where nobody could do anything else. Under *strict* a hand that could hold
    something is asked all the same (C-DECIDE-52); that cards may be shown is no reason to ask.
    """
    reasons = playing.refusals(play, who)
    options = actions.offers(play, who, reasons)
    mine = seat(play, who)
    others: dict[int, list[Option[PlayerAction]]] = {}
    for use in answers.free(play, *play.table.order):
        is_mine = seat(play, use.you) == mine
        text = outcomes.to_use(play, use, turn_of=who if is_mine else use.you)
        option = Option(_using(play, use), text, use.points(), outcomes.group_of(play, use))
        if is_mine:
            options.append(option)
        else:
            others.setdefault(seat(play, use.you), []).append(option)
    if story.can_advance_act(play):
        act_card = play.table.only(Zone.ACT)
        assert act_card is not None
        name = Text("choice/advance_act", (act_card.shown,))
        options.append(Option(_spending(play, who), name))
        proposers = {
            seat(play, one): one for one in play.table.order if play.table.count(one, Token.CLUE)
        }
        for at, one in proposers.items():
            if at != mine:
                others.setdefault(at, []).append(Option(_spending(play, one), name))
    if windows.is_strict(play):
        # Asked all the same, with nothing to choose. C-DECIDE-52.
        for one in windows.holders(play):
            if seat(play, one) != mine:
                others.setdefault(seat(play, one), [])
    is_held = windows.is_strict(play) and any(
        seat(play, one) == mine for one in windows.holders(play)
    )
    if not (options or others or is_held):
        return _ending(play, who)
    if hands.may_show(play, who):
        options.append(Option(_showing(play, who), Text("choice/show_hand")))
    options.append(Option(_ending(play, who), Text("choice/end_turn"), ends=True))
    prompt = Prompt(
        Text("ask/action", (who, play.table.investigators[who].actions, *_left(play, who))),
        tuple(options),
        (*playing.refused(play, reasons), *story.refused(play)),
        default=(len(options) - 1,),
    )
    about = Text("about/turn", (who,))
    beside = {
        at: Prompt(Text("ask/beside", (who,)), tuple(found))
        for at, found in others.items()
        if found or windows.is_strict(play)
    }
    if not beside:
        return await play.choose(
            mine,
            prompt.options,
            rule="C-BTURN-2",
            about=about,
            prompt=prompt.prompt,
            refused=prompt.refused,
        )
    found = await play.beside(mine, prompt, beside, rule="C-BTURN-2", about=about)
    return found.value if isinstance(found, Interruption) else found


def _left(play: Play, who: InvestigatorId) -> tuple[int, int]:
    """Return the damage and the horror that would defeat an investigator."""
    card = play.table.card_of_investigator(who)
    health, sanity = (values.stat(play, card, one) or 0 for one in (Stat.HEALTH, Stat.SANITY))
    return health - card.count(Token.DAMAGE), sanity - card.count(Token.HORROR)


def _using(play: Play, use: Use) -> PlayerAction:
    async def use_it() -> None:
        await answers.carry_out(play, use)

    return use_it


def _spending(play: Play, who: InvestigatorId) -> PlayerAction:
    async def spend() -> None:
        await story.spend_for_act(play, who)

    return spend


def _showing(play: Play, who: InvestigatorId) -> PlayerAction:
    async def show() -> None:
        await hands.show(play, who)

    return show


def _ending(play: Play, who: InvestigatorId) -> PlayerAction:
    async def end() -> None:
        await turns.end(play, who)

    return end


# Enemy phase


async def _hunt(play: Play) -> None:
    """C-BENPH-1."""
    await enemies.hunt(play)


async def _hunt_window(play: Play) -> None:
    """C-BWIN-5."""
    await windows.player_window(play, "hunters")


async def _attacks(play: Play) -> None:
    """
    Have the enemies attack, investigator by investigator.

    C-BENPH-2, C-BWIN-5, C-BENPH-5, C-BENEMY-15.
    """
    attacked: set[PieceId] = set()
    for who in play.table.order:
        await windows.player_window(play, "attacks")
        await enemies.attack_in_phase(play, who, attacked)
    enemies.tire_massive(play, attacked)
    await windows.player_window(play, "attacks")


# Upkeep phase


async def _upkeep_window(play: Play) -> None:
    """C-BWIN-6."""
    await windows.player_window(play, "upkeep")


async def _ready(play: Play) -> None:
    """
    Reset actions and ready all exhausted cards at once. C-BUPK-1, C-BUPK-2.

    Then enemies engage (C-BUPK-8).
    """
    turns.reset(play)
    tired = [
        card.piece
        for card in play.table.in_play()
        if card.is_exhausted and values.cannot(play, Thing.READY, card=card) is None
    ]
    group = [Occurrence(Happening.READIED, card=piece) for piece in tired]

    async def ready(live: list[Occurrence]) -> None:
        there = tuple(one.card for one in live if one.card in play.table.cards)
        if there:
            play.emit(Exhausted(there, is_exhausted=False))

    await timing.happen(play, group, ready)
    # C-BUPK-8: only after all cards are ready.
    await enemies.engage_all(play)


async def _draw(play: Play) -> None:
    """Draw a card each, then take a resource each. C-BUPK-3, C-BUPK-9, C-BUPK-12, C-DECIDE-64."""
    for who in play.table.order:
        await hands.draw(play, (who,), 1)
    for who in play.table.order:
        if values.cannot(play, Thing.GAIN_RESOURCES, who) is None:
            playing.gain_resources(play, who, 1)


async def _discard(play: Play) -> None:
    """Discard down to the hand limit, in player order. C-BUPK-4, C-BUPK-5, C-BKEY-24, C-HAND-5."""
    for who in play.table.order:
        limit = max(0, values.skill(play, who, Stat.HAND_SIZE))
        over = len(play.table.piles.get(hand_of(who), ())) - limit
        if over > 0:
            too_many = Text("about/hand_limit", (who,))
            await hands.discard(play, who, over, Source(who, "", who), about=too_many)


PHASES: Mapping[Phase, tuple[Step, ...]] = {
    Phase.MYTHOS: (_begin, _place_doom, story.check_doom, _draw_encounters, _mythos_window),
    Phase.INVESTIGATION: (_begin, _investigation_window, _turns),
    Phase.ENEMY: (_begin, _hunt, _hunt_window, _attacks),
    Phase.UPKEEP: (_begin, _upkeep_window, _ready, _draw, _discard),
}
"""The steps of each phase."""
