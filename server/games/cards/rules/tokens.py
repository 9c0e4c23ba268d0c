"""
Chaos tokens: revealing them, choosing those that are resolved, and what cards answer to them.

Sections 1.9 ("Several chaos tokens") and 2.8. What is revealed at the same time is one occurrence,
so a card answers each kind once (C-TOK-6, C-TOK-7).
"""

import contextlib
from collections.abc import Iterator

import attrs

from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.steps import RevealMore
from protocol.common.text import Text
from protocol.games.cards.events import TokenIgnored, TokensRevealed
from protocol.games.cards.events.tokens import shown_of
from protocol.games.cards.table import InvestigatorId, PieceId, Shown
from protocol.games.cards.words import token_name
from server.games.cards.rules import timing
from server.games.cards.rules.play import BESIDE, Occurrence, Play, is_beside, seat
from server.kernel.asks import Option

SEVERAL = {2: "choice/tokens_2", 3: "choice/tokens_3", 4: "choice/tokens_4"}
"""Subjects of options with several tokens, by their number."""


@attrs.define(eq=False)
class Draw:
    """One reveal: a single token, or what a replacement reveals instead. C-TOK-9."""

    keep: int = 1
    """Number of parts that are resolved."""
    parts: list["Draw"] = attrs.field(factory=list)
    """The draws that replace the single token; each counts as one token. C-TOK-13."""
    sealed: PieceId = ""
    """The card whose sealed tokens are resolved instead. C-TOK-5."""
    came: tuple[int, ...] = ()
    """Positions of its own tokens among the revealed ones."""

    def tokens(self) -> tuple[int, ...]:
        """Return the positions of all its tokens."""
        return (*self.came, *(at for part in self.parts for at in part.tokens()))

    def singles(self) -> list["Draw"]:
        """Return the single tokens of the bag among its parts, or itself if it is one."""
        if self.parts:
            return [one for part in self.parts for one in part.singles()]
        return [] if self.sealed else [self]

    def groups(self) -> list["Draw"]:
        """Return the groups, itself included, that have a single token as a part."""
        inner = [one for part in self.parts for one in part.groups()]
        return [self, *inner] if any(part.singles() == [part] for part in self.parts) else inner

    def leaves(self) -> list["Draw"]:
        """Return its innermost parts."""
        return [one for part in self.parts for one in part.leaves()] if self.parts else [self]


@attrs.define(eq=False)
class Revealing(Occurrence):
    """Tokens are about to be revealed; `tags` has the token that orders it. C-BBAG-11."""

    draw: Draw = attrs.field(factory=Draw)


@attrs.define(eq=False)
class Came(Occurrence):
    """Tokens that are to be resolved were revealed at the same time."""

    positions: tuple[int, ...] = ()
    beside: bool = False


@contextlib.contextmanager
def revealing_beside(play: Play, *, beside: bool) -> Iterator[None]:
    """Have the tokens revealed inside the block belong to an effect, or to the test. C-BBAG-13."""
    before = play.shared.get(BESIDE, False)
    play.shared[BESIDE] = beside
    try:
        yield
    finally:
        play.shared[BESIDE] = before


def shown(play: Play) -> tuple[Shown, ...]:
    """Return the revealed tokens of the effect or test that goes on."""
    return shown_of(play.table, beside=is_beside(play))


async def reveal(
    play: Play, who: InvestigatorId, number: int = 1, *, by: str = ""
) -> tuple[str, ...]:
    """
    Reveal tokens at the same time: replacements first, then the tokens, then what answers them.

    Args:
        play: the game.
        who: the investigator who reveals.
        number: the number of tokens, where nothing replaces any.
        by: the kind of token that has them revealed.

    Returns:
        The tokens that are resolved.
    """
    if number < 1:
        return ()
    draw = Draw() if number == 1 else Draw(number, [Draw() for _ in range(number)])
    one = Revealing(Happening.REVEALING, who=who, draw=draw)
    one.tags = frozenset([by] if by else ())

    async def take(_: list[Occurrence]) -> None:
        _take(play, draw)
        await _choose(play, who, draw)

    await timing.happen(play, [one], take)
    return await _answer(play, who, draw.tokens())


def _take(play: Play, draw: Draw) -> None:
    """
    Take all tokens at the same time, at random from the bag. C-BBAG-3, C-TOK-10, C-TOK-12.

    From an empty bag none comes (C-BBAG-12). All tokens that are sealed on a card come at once
    (C-TOK-5).
    """
    beside = is_beside(play)
    for leaf in draw.leaves():
        card = play.table.cards.get(leaf.sealed)
        if card is not None and card.chaos:
            first = len(shown(play))
            play.emit(TokensRevealed(card.chaos, beside, card.piece))
            leaf.came = tuple(range(first, len(shown(play))))
    first, left, drawn = len(shown(play)), list(play.table.bag), list[str]()
    for leaf in draw.singles()[: len(left)]:
        token = play.pick("token", left)
        left.remove(token)
        leaf.came = (first + len(drawn),)
        drawn.append(token)
    if drawn:
        play.emit(TokensRevealed(tuple(drawn), beside))


async def _choose(play: Play, who: InvestigatorId, draw: Draw) -> None:
    """
    Have an investigator choose which parts are resolved; the others are ignored. C-TOK-9.

    A part of which one token is kept is settled before, since it counts as one token then
    (C-TOK-13); of any other part it is chosen after, if the part itself is kept.
    """
    parts = [part for part in draw.parts if part.tokens()]
    for part in parts:
        if part.keep == 1:
            await _choose(play, who, part)
    kept = tuple(range(len(parts)))
    if len(parts) > draw.keep:
        kept = await play.choose_some(
            seat(play, who),
            [Option(at, _named(play, part)) for at, part in enumerate(parts)],
            rule="C-TOK-9",
            about=Text("about/tokens", (who,)),
            prompt=Text("ask/tokens", (who, draw.keep)),
            at_least=draw.keep,
            at_most=draw.keep,
        )
    for at, part in enumerate(parts):
        if at not in kept:
            for token in _live(play, part.tokens()):
                play.emit(TokenIgnored(token, is_beside(play)))
        elif part.keep > 1:
            await _choose(play, who, part)


def _named(play: Play, part: Draw) -> Text:
    names = [token_name(shown(play)[at].token) for at in _live(play, part.tokens())]
    if len(names) == 1:
        return Text("choice/token", tuple(names))
    return Text(SEVERAL[len(names)], tuple(names))


def _live(play: Play, positions: tuple[int, ...]) -> tuple[int, ...]:
    now = shown(play)
    return tuple(at for at in positions if now[at].is_resolved)


async def _answer(play: Play, who: InvestigatorId, positions: tuple[int, ...]) -> tuple[str, ...]:
    """
    Let cards answer the tokens that are to be resolved, in ST.3 of a test. C-DECIDE-12.

    What a card attaches to the revealing is taken at this moment, and answered (C-TEST-12,
    C-TEST-13). A token that was ignored is not answered (C-TOK-8).
    """
    live = _live(play, positions)
    if not live:
        return ()
    kinds = [shown(play)[at].token for at in live]
    one = Came(
        Happening.TOKEN_REVEALED,
        who=who,
        code=token_name(kinds[0]) if len(set(kinds)) == 1 else "",
        tags=frozenset(kinds),
        positions=live,
        beside=is_beside(play),
    )
    await timing.pass_by(play, one)
    return tuple(shown(play)[at].token for at in _live(play, live))


async def replace(
    play: Play, who: InvestigatorId, draw: Draw, step: RevealMore, sealed: PieceId
) -> None:
    """
    Declare that one of the single tokens is replaced. C-TOK-10, C-TOK-11.

    The single tokens of one group are alike before they are taken, so the investigator chooses
    among groups.
    """
    singles = draw.singles()
    if not singles:
        return
    single, groups = singles[0], draw.groups()
    if len(groups) > 1:
        group = await play.choose(
            seat(play, who),
            [Option(one, Text("choice/token_group", (len(one.parts), one.keep))) for one in groups],
            rule="C-TOK-11",
            about=Text("about/tokens", (who,)),
            prompt=Text("ask/token_group", (who,)),
        )
        single = next(part for part in group.parts if part.singles() == [part])
    if sealed:
        single.sealed = sealed
    else:
        single.keep, single.parts = step.keep, [Draw() for _ in range(step.number)]
