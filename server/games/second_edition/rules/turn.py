"""
Turns: the active investigator, their options, and the move action.

Rules TURN-1 to TURN-5, ACTION-1 to ACTION-7, COMPONENT-1 to COMPONENT-3, COMPONENT-5, MOVE-1 to
MOVE-4, MOVE-16, WOUNDED-5, FORFEIT-2, GOLDEN-5, DECIDE-20 to DECIDE-23, DECIDE-27. One action is
one procedure; actions that interrupt a move are part of it.
"""

import functools
from typing import Any

from content.games.second_edition.schema.scenario import Moment
from protocol.common.text import Text
from protocol.games.second_edition.events import TurnBegan, TurnEnded
from protocol.games.second_edition.table import InvestigatorId, SpaceId
from protocol.values import evolve
from server.games.second_edition.rules import (
    actions,
    adjacency,
    barricades,
    combat,
    component,
    fire_actions,
    movement,
    naming,
    powers,
    push,
    routes,
    stakes,
    steal,
    timers,
    tokens,
    trade,
    triggers,
)
from server.games.second_edition.rules.play import Play
from server.games.second_edition.rules.routes import Route
from server.kernel.asks import Option, Prompt
from server.rulekit.offers import (
    RISK,
    Offers,
    PlayerAction,
    choose_from,
    refusal,
    together,
)

ACTIONS = 2
"""Number of actions in a turn. Rule TURN-2."""
SPACES = 2
"""Number of spaces in a move action. Rule MOVE-1."""


# Whose turn it is ----------------------------------------------------------------------------


def waiting(play: Play) -> tuple[InvestigatorId, ...]:
    """Return the investigators who have not had a turn in this phase. TURN-1 and ELIMINATED-3."""
    standing = play.table.standing()
    return tuple(who for who in standing if not play.table.investigators[who].has_taken_turn)


async def begin_turn(play: Play, investigator: InvestigatorId) -> None:
    """Start a turn. Rules TURN-2 and TURN-5."""
    play.emit(TurnBegan(investigator, ACTIONS))


async def end_turn(play: Play, investigator: InvestigatorId) -> None:
    """End a turn; the remaining actions are lost. Rules TURN-3, TURN-4 and DECIDE-22."""
    play.emit(TurnEnded(investigator))
    await timers.end_turn(play, investigator)
    await triggers.run(play, Moment.TURN_ENDED, investigator)


async def choose_turn(play: Play) -> None:
    """
    Let any seat start the turn of one of its investigators.

    Rules ROUND-3 and DECIDE-20: the first seat to answer starts its turn. Sight tokens can be
    looked at meanwhile (DECIDE-26). A single option is taken without asking, unless a token may
    have a private option.

    Neither the question nor the asked seats may depend on anything that only one seat knows.
    """
    options = between_turns(play)
    asked = {play.seat_of(who) for who in waiting(play)} | between_turns(play, is_open=True).keys()
    # A seat with nothing but private options is not asked: the question would tell the others.
    if play.version > 1:
        options = {seat: offers for seat, offers in options.items() if seat in asked}
    for who in waiting(play):
        text = Text("choice/take_turn", (who,))
        action = functools.partial(begin_turn, play, who)
        points = (naming.at_investigator(who),)
        option: Option[PlayerAction] = Option(action, text, points, "rest", ends=True)
        options.setdefault(play.seat_of(who), []).insert(0, option)
    every = [option for offers in options.values() for option in offers]
    # If a token may have a private option, the question is asked even for a single option: its
    # absence would reveal that there is none.
    if len(every) == 1 and not tokens.hides_options(play):
        await every[0].value()
        return
    await ask_anybody(play, options, rule="ROUND-3", subject="next_turn", prompt=_whose_turn(play))


def _whose_turn(play: Play) -> Text:
    """Return the question who takes the next turn; from version 3 on it names the round."""
    if play.version < 3:
        return Text("ask/next_turn")
    return Text("ask/next_turn_of_round", (play.table.round_number,))


def between_turns(
    play: Play, *, active: InvestigatorId | None = None, is_open: bool = False
) -> dict[int, list[Option[PlayerAction]]]:
    """
    Return by seat the Sight tokens that investigators who are not active can look at. DECIDE-26.

    If a seat has two investigators, each option names the one who would look.

    Args:
        play: the game.
        active: the active investigator, who has options of their own.
        is_open: True to leave out options that only the looking investigator knows of.
    """
    options: dict[int, list[Option[PlayerAction]]] = {}
    standing = play.table.standing()
    for who in standing:
        if who == active:
            continue
        seat = play.seat_of(who)
        offers = tokens.sight_menu(play, who, is_open=is_open).options
        if any(play.seat_of(other) == seat for other in standing if other != who):
            offers = tuple(
                evolve(
                    offer,
                    text=Text("choice/as", (who, offer.text)),
                    points=(*offer.points, naming.at_investigator(who)),
                )
                for offer in offers
            )
        if offers:
            options.setdefault(seat, []).extend(offers)
    return options


async def ask_anybody(
    play: Play,
    options: dict[int, list[Option[PlayerAction]]],
    *,
    rule: str,
    subject: str,
    prompt: Text | None = None,
) -> None:
    """Ask several seats at once, and carry out the first answer."""
    asked = prompt or Text(f"ask/{subject}")
    prompts = {seat: Prompt(asked, tuple(offers)) for seat, offers in sorted(options.items())}
    _, (action,) = await play.any_one(prompts, rule=rule, about=Text(f"about/{subject}"))
    await action()


# One action ----------------------------------------------------------------------------------


async def take_action(play: Play) -> None:
    """
    Let the active investigator perform one action or free option, or end the turn.

    Rules TURN-2, TURN-3, ACTION-1 and GOLDEN-5. The turn ends by itself once the actions are spent
    and no free option is left. As long as actions are left the question is always asked, since its
    absence would reveal that an Insane back bars the rest. It is also asked if a token may have a
    private option, whether or not the investigator has that option.
    """
    investigator = play.table.active
    assert investigator is not None
    offers = menu(play, investigator)
    is_over = not play.table.actions_left and not tokens.hides_options(play)
    if is_over and not offers.options:
        await end_turn(play, investigator)
        return
    end: Option[PlayerAction] = Option(
        functools.partial(end_turn, play, investigator),
        Text("choice/end_turn"),
        group="rest",
        ends=True,
    )
    left = play.table.actions_left
    # The words name what is lost, and the client asks again: a turn is ended early by mistake.
    if left and play.version > 1:
        lost = stakes.detailed(play, end.text, left, field="losing")
        end = evolve(end, text=lost, group=RISK)
    seat = play.seat_of(investigator)
    looking = _looks_meanwhile(play, investigator)
    every = (*offers.options, *looking.pop(seat, ()), end)
    prompt = Prompt(
        Text("ask/turn", (investigator, left)),
        every,
        tokens.far_last(offers.refused),
        default=(len(every) - 1,),
    )
    prompts = {seat: prompt} | {
        other: Prompt(Text("ask/look_meanwhile", (investigator,)), tuple(looks))
        for other, looks in looking.items()
    }
    about = Text("about/turn", (investigator,))
    action = await _one_action(play, prompts, about)
    await action()
    # DECIDE-69: an elimination ends the turn at once; the action may have ended it already.
    is_eliminated = play.table.investigators[investigator].is_eliminated
    if play.table.active == investigator and is_eliminated:
        await end_turn(play, investigator)


async def _one_action(
    play: Play, prompts: dict[int, Prompt[PlayerAction]], about: Text
) -> PlayerAction:
    """Ask the active seat, and seats that can look at Sight tokens; the first answer counts."""
    if len(prompts) == 1:
        ((action,),) = (await play.each(prompts, rule="TURN-2", about=about)).values()
    else:
        _, (action,) = await play.any_one(dict(sorted(prompts.items())), rule="TURN-2", about=about)
    return action


def _looks_meanwhile(play: Play, active: InvestigatorId) -> dict[int, list[Option[PlayerAction]]]:
    """
    Return by seat the Sight tokens that the others can look at during a turn. Rule DECIDE-26.

    A seat is left out if the other players cannot know that it has such an option. Before version 3
    nobody could look before the end of the turn.
    """
    if play.version < 3:
        return {}
    known = between_turns(play, active=active, is_open=True)
    return {
        seat: offers for seat, offers in between_turns(play, active=active).items() if seat in known
    }


def menu(play: Play, investigator: InvestigatorId) -> Offers:
    """
    Return all options of the active investigator, with the refusals.

    Rules ACTION-2 to ACTION-6.
    """
    if not play.table.actions_left:
        return other_actions(play, investigator)
    return other_actions(play, investigator) + move_menu(play, investigator)


def other_actions(play: Play, investigator: InvestigatorId) -> Offers:
    """
    Return all options except the move action: these can also interrupt a move. Rule DECIDE-21.

    If the turn's actions are spent, only options that cost no action are returned (TURN-2).
    """
    if not play.table.actions_left:
        spent = refusal(Text("choice/action"), Text("refusal/no_actions"), "TURN-2")
        return tokens.free_menu(play, investigator) + spent
    offers = together(
        (
            combat.menu(play, investigator),
            tokens.menu(play, investigator),
            trade.menu(play, investigator),
            push.menu(play, investigator),
            steal.menu(play, investigator),
            barricades.menu(play, investigator),
            component_menu(play, investigator),
            fire_actions.set_menu(play, investigator),
        )
    )
    return offers.each_done_by(functools.partial(actions.carry_out, play, investigator))


# Component actions ---------------------------------------------------------------------------


def component_menu(play: Play, investigator: InvestigatorId) -> Offers:
    """
    Return the actions that cards and features grant.

    Rules ACTION-4, COMPONENT-1 to COMPONENT-3 and COMPONENT-5.
    """
    return card_menu(play, investigator) + fire_actions.fight_menu(play, investigator)


def card_menu(play: Play, investigator: InvestigatorId) -> Offers:
    """
    Return the actions that cards grant. Rules COMPONENT-1 and COMPONENT-2.

    An investigator without a figure on the board has none (DECIDE-148); games of version 1 offered
    them without effect.
    """
    offers = Offers()
    # DECIDE-148. Logs of version 1 replay the offers that they recorded.
    if not movement.is_on_board(play, investigator) and play.version > 1:
        return offers
    for found in powers.component_actions(play, investigator):
        text = component.named(play, investigator, found)
        if found.refused is not None:
            offers += refusal(text, found.refused, "COMPONENT-1")
            continue
        action = functools.partial(use_component, play, investigator, found)
        possession = found.origin.possession
        points = () if possession is None else (naming.at_possession(possession),)
        offers += Offers((Option(action, text, points, "use"),))
    return offers


async def use_component(play: Play, investigator: InvestigatorId, found: powers.Component) -> None:
    """Perform a component action, if it is still possible after evading. EVADE-4, ACTION-8."""
    if not await actions.begin(play, investigator, "component"):
        return
    if any(
        now.origin == found.origin and now.refused is None
        for now in powers.component_actions(play, investigator)
    ):
        await component.perform(play, investigator, found)


# The move action -----------------------------------------------------------------------------


def allowance(play: Play, investigator: InvestigatorId) -> int:
    """Return the number of spaces of a move action, those from cards included. Rule MOVE-1."""
    return max(0, SPACES + powers.spaces(play, investigator))


def move_menu(play: Play, investigator: InvestigatorId) -> Offers:
    """
    Return the first spaces of a move action, and refusals for spaces that cannot be entered.

    Rules MOVE-1, MOVE-2, MOVE-7 to MOVE-9. A move can also begin without a step, to be interrupted
    at once or to stay (DECIDE-21, DECIDE-23). A Wounded investigator can move once in a round
    (WOUNDED-5, DECIDE-27).
    """
    who = play.table.investigators[investigator]
    if who.space is None:
        return Offers()
    if who.is_wounded and who.move_actions:
        reason = Text("refusal/wounded_move", (investigator,))
        return refusal(Text("choice/move"), reason, "WOUNDED-5")
    spaces = allowance(play, investigator)
    firsts = movement.next_spaces(play, investigator) if spaces else ()
    shown: list[tuple[Route, Option[Any]]] = [
        (Route((space,)), movement.step_option(play, investigator, space)) for space in firsts
    ]
    shown += [
        (route, routes.option(play, investigator, route))
        for route in routes.routes(play, investigator, spaces)
    ]
    options: list[Option[PlayerAction]] = [
        Option(functools.partial(move, play, investigator, way), one.text, one.points, one.group)
        for way, one in shown
    ]
    options.append(
        Option(
            functools.partial(move, play, investigator, None),
            Text("choice/move_later"),
            (naming.at_space(who.space),),
            "move",
        )
    )
    return Offers(tuple(options)) + _refused_ways(play, investigator)


_REFUSED_BY = {
    adjacency.Obstacle.IMPASSABLE: ("refusal/impassable", "MOVE-7"),
    adjacency.Obstacle.BARRICADE: ("refusal/barricaded", "MOVE-8"),
    adjacency.Obstacle.UNEXPLORED: ("refusal/unexplored", "MOVE-9"),
}
"""Reason and rule of a refusal to move, by obstacle. A plain wall needs no refusal."""


def _refused_ways(play: Play, investigator: InvestigatorId) -> Offers:
    """Return refusals, with reasons, for adjacent spaces that cannot be entered; none for walls."""
    offers = Offers()
    space = play.table.investigators[investigator].space
    if space is None:
        return offers
    open_to = movement.next_spaces(play, investigator)
    for way, obstacle in adjacency.ways_and_obstacles(play.table, space):
        if obstacle in _REFUSED_BY and way.to not in open_to:
            reason, rule = _REFUSED_BY[obstacle]
            text = Text("choice/move_to", (naming.space(play.table, way.to),))
            offers += refusal(text, Text(reason), rule)
    return offers


async def move(play: Play, investigator: InvestigatorId, first: Route | None) -> None:
    """
    Perform a move action, space by space.

    Rules MOVE-1 to MOVE-4, MOVE-16, EVADE-9 and DECIDE-15: before each space other actions can be
    performed. A forfeit while leaving a space loses the rest of the movement (FORFEIT-2); a forfeit
    of an interrupting action does not (DECIDE-34).
    """
    # Spent before the first step: even a move that is interrupted at once has cost its action.
    actions.spend(play, investigator, "move")
    left = full = allowance(play, investigator)
    if first is not None:
        left = await _walk(play, investigator, first, left)
    # An interrupting action may end the turn, or take the figure off the board.
    while left and play.table.active == investigator and movement.is_on_board(play, investigator):
        chosen = await _ask_move(play, investigator, left, is_lost=left == full)
        if chosen is None:
            return
        if isinstance(chosen, str):
            left = await _step(play, investigator, chosen, left)
        elif isinstance(chosen, Route):
            left = await _walk(play, investigator, chosen, left)
        else:
            await chosen()


async def _walk(play: Play, investigator: InvestigatorId, route: Route, left: int) -> int:
    """Walk a route until something interrupts it; return the number of spaces left."""
    for space in route.spaces:
        if space not in movement.next_spaces(play, investigator):
            break
        # Records from here on tell whether something has interrupted the walk.
        since = play.next_sequence
        left = await _step(play, investigator, space, left)
        if not left or not routes.goes_on(play, space, since):
            break
    return left


async def _step(play: Play, investigator: InvestigatorId, space: SpaceId, left: int) -> int:
    """Move one space; return the number of spaces left. Rules EVADE-1 and FORFEIT-2."""
    leaving = await movement.try_to_leave(play, investigator, space)
    if leaving is movement.Leaving.FORFEITED:
        await actions.forfeit(play, investigator, "move")
    return movement.spaces_left(left, leaving)


async def _ask_move(
    play: Play, investigator: InvestigatorId, left: int, *, is_lost: bool
) -> SpaceId | Route | PlayerAction | None:
    """
    Return how a move continues, as the player chooses; None ends it. MOVE-3, MOVE-4, DECIDE-22.

    Nothing is asked if the move can only end. If ending would lose the whole move (`is_lost`), the
    client asks for confirmation, from version 3 on.
    """
    spaces = movement.next_spaces(play, investigator)
    others = other_actions(play, investigator)
    shut = _refused_ways(play, investigator)
    is_over = not play.table.actions_left and not tokens.hides_options(play)
    # Asking here could only be answered by stopping.
    if is_over and not spaces and not others.options:
        return None
    far = routes.routes(play, investigator, left)
    stop: Option[SpaceId | Route | PlayerAction | None] = Option(
        None, Text("choice/stop"), (), RISK if is_lost and play.version > 2 else "rest", ends=True
    )
    chosen: SpaceId | Route | PlayerAction | None = await choose_from(
        play,
        play.seat_of(investigator),
        (
            *(movement.step_option(play, investigator, space) for space in spaces),
            *(routes.option(play, investigator, route) for route in far),
            *others.options,
            stop,
        ),
        refused=tokens.far_last((shut + others).refused),
        rule="MOVE-2",
        about=Text("about/move", (investigator,)),
        prompt=Text("ask/move", (investigator, left)),
    )
    return chosen
