"""Steps about chaos tokens. Sections 1.9 and 2.8."""

from content.games.cards.schema import steps as s
from protocol.games.cards.events import BagChanged, TokenCancelled, TokenSealed, TokensReturned
from server.games.cards.rules import skill_tests
from server.games.cards.rules.effects import Run, changes, resolves
from server.games.cards.rules.play import Play, Source


@resolves(s.AddTokens)
async def _add(run: Run, step: s.AddTokens) -> None:
    """C-BLESS-3: as many as remain in the supply."""
    play, number = run.game, run.number(step.number)
    number = min(number, play.table.supply.get(step.token, number))
    run.source.is_done = number == run.number(step.number)
    if number:
        play.emit(BagChanged(added=(step.token,) * number))


@resolves(s.RemoveTokens)
async def _remove(run: Run, step: s.RemoveTokens) -> None:
    play = run.game
    number = min(run.number(step.number), play.table.bag.count(step.token))
    if number:
        play.emit(BagChanged(removed=(step.token,) * number))


@changes(s.AddTokens)
def _can_add(play: Play, step: s.AddTokens, source: Source) -> bool:
    del source
    return play.table.supply.get(step.token, 1) > 0


@resolves(s.Reveal)
async def _reveal(run: Run, step: s.Reveal) -> None:
    """Reveal tokens outside a test: they have no modifier and reveal nothing. C-BLESS-1, 6."""
    play = run.game
    await skill_tests.reveal_from_bag(play, run.number(step.number))
    await run.resolve(step.then)
    play.emit(TokensReturned())


@resolves(s.RevealMore)
async def _reveal_more(run: Run, step: s.RevealMore) -> None:
    """C-TOK-9 to C-TOK-12: declared before any token is taken."""
    plan = skill_tests.current(run.game)
    if plan is not None:
        plan.reveals.append((step.number, step.keep))


@resolves(s.AnotherToken)
async def _another(run: Run, step: s.AnotherToken) -> None:
    """C-BBAG-11, C-BBAG-16."""
    plan = skill_tests.current(run.game)
    if plan is not None:
        if step.yes:
            plan.more += 1
        else:
            plan.stopped_chain = True


@resolves(s.SealShown)
async def _seal(run: Run, step: s.SealShown) -> None:
    """C-TOK-4, C-BBAG-15: every token that was resolved and fits."""
    play = run.game
    test = play.table.test
    shown = play.table.revealed if test is None else test.shown
    pieces = await run.cards(step.card)
    for one in shown:
        fits = not step.tokens or one.token in step.tokens
        if pieces and fits and not one.is_ignored:
            play.emit(TokenSealed(pieces[0], one.token, from_bag=False))


@resolves(s.CancelToken)
async def _cancel(run: Run, step: s.CancelToken) -> None:
    """C-TOK-14: it goes back at once, and what it ordered does not happen (C-BBAG-18)."""
    play, answers = run.game, run.source.occurrence
    test = play.table.test
    shown = play.table.revealed if test is None else test.shown
    if answers is None or not step.yes:
        return
    for at, one in reversed(tuple(enumerate(shown))):
        if one.token in answers.tags and not one.is_ignored:
            answers.is_off = True
            play.emit(TokenCancelled(at))
            return
