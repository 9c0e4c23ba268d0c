"""Steps about chaos tokens. Sections 1.9 and 2.8."""

from content.games.cards.schema import steps as s
from content.games.cards.schema.targets import TheCard
from protocol.games.cards.events import BagChanged, TokenCancelled, TokenSealed, TokensReturned
from server.games.cards.rules import plans, skill_tests, targets, tokens, values
from server.games.cards.rules.effects import Run, changes, resolves
from server.games.cards.rules.play import Play, Source, is_beside


@resolves(s.ChangeBag)
async def _change(run: Run, step: s.ChangeBag) -> None:
    """C-BLESS-3: as many as remain in the supply, or lie in the bag."""
    play, by = run.game, values.number(run.game, step.number, run.source)
    number = min(abs(by), _available(play, step.token, by))
    run.source.is_done = number == abs(by)
    if number:
        tokens_ = (step.token,) * number
        play.emit(BagChanged(added=tokens_) if by > 0 else BagChanged(removed=tokens_))


def _available(play: Play, token: str, by: int) -> int:
    """Return how many tokens of a kind there are to add or to take out. C-DECIDE-13."""
    return play.table.supply.get(token, by) if by > 0 else play.table.bag.count(token)


@changes(s.ChangeBag)
def _can_change(play: Play, step: s.ChangeBag, source: Source) -> bool:
    by = values.number(play, step.number, source)
    return by != 0 and _available(play, step.token, by) > 0


@resolves(s.Reveal, alone=True)
async def _reveal(run: Run, step: s.Reveal) -> None:
    """
    Reveal tokens outside a test, or beside it: they have no modifier and reveal nothing.

    C-BLESS-1, C-BLESS-6, C-BBAG-13. They stay out of the bag until the effect is complete
    (C-BBAG-14).
    """
    play = run.game
    with tokens.revealing_beside(play, beside=True):
        first = len(play.table.revealed)
        await tokens.reveal(play, run.source.you, run.number(step.number))
        await run.resolve(step.then)
    if len(play.table.revealed) > first:
        play.emit(TokensReturned(first))


@changes(s.Reveal)
def _can_reveal(play: Play, step: s.Reveal, source: Source) -> bool:
    del step, source
    return bool(play.table.bag)


@resolves(s.RevealMore)
async def _reveal_more(run: Run, step: s.RevealMore) -> None:
    """C-TOK-9 to C-TOK-12: declared before any token is taken."""
    occurrence = run.source.occurrence
    if not isinstance(occurrence, tokens.Revealing):
        return
    sealed = () if step.from_card is None else await run.cards(step.from_card)
    if step.from_card is None or sealed:
        piece = sealed[0] if sealed else ""
        await tokens.replace(run.game, run.source.you, occurrence.draw, step, piece)


@changes(s.RevealMore)
def _can_reveal_more(play: Play, step: s.RevealMore, source: Source) -> bool:
    occurrence = source.occurrence
    if not isinstance(occurrence, tokens.Revealing) or not occurrence.draw.singles():
        return False
    if not isinstance(step.from_card, TheCard):
        return True
    return any(play.table.cards[p].chaos for p in targets.named(play, step.from_card, source))


@resolves(s.AnotherToken)
async def _another(run: Run, step: s.AnotherToken) -> None:
    """C-BBAG-11."""
    plan = plans.current(run.game)
    if plan is not None and step.yes:
        await skill_tests.reveal(run.game, plan)


@resolves(s.SealShown)
async def _seal(run: Run, step: s.SealShown) -> None:
    """C-TOK-4, C-BBAG-15: every token that was resolved and fits, and lies on no card yet."""
    play = run.game
    fitting = _sealable(play, step)
    pieces = await run.cards(step.card) if fitting else ()
    run.source.is_done = bool(pieces)
    for at in fitting if pieces else ():
        token, beside = tokens.shown(play)[at].token, is_beside(play)
        play.emit(TokenSealed(pieces[0], token, at, beside))


def _sealable(play: Play, step: s.SealShown) -> list[int]:
    return [
        at
        for at, one in enumerate(tokens.shown(play))
        if one.is_resolved and not one.is_sealed and (not step.tokens or one.token in step.tokens)
    ]


@changes(s.SealShown)
def _can_seal(play: Play, step: s.SealShown, source: Source) -> bool:
    of = getattr(step.card, "of", None)
    return bool(_sealable(play, step)) and (
        of is None or bool(targets.candidates(play, of, source))
    )


@resolves(s.CancelToken)
async def _cancel(run: Run, step: s.CancelToken) -> None:
    """C-TOK-14: they go back at once, and what they order does not happen (C-BBAG-18)."""
    play, came = run.game, run.source.occurrence
    if not isinstance(came, tokens.Came):
        return
    for at in _cancellable(play, step, came):
        play.emit(TokenCancelled(at, came.beside))
    now = tokens.shown(play)
    came.tags = frozenset(now[at].token for at in came.positions if now[at].is_resolved)
    came.is_off = not came.tags


def _cancellable(play: Play, step: s.CancelToken, came: tokens.Came) -> list[int]:
    now = tokens.shown(play)
    return [
        at
        for at in came.positions
        if now[at].is_resolved and not now[at].is_sealed and now[at].token in step.tokens
    ]


@changes(s.CancelToken)
def _can_cancel(play: Play, step: s.CancelToken, source: Source) -> bool:
    came = source.occurrence
    return isinstance(came, tokens.Came) and bool(_cancellable(play, step, came))
