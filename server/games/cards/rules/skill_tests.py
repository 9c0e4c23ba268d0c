"""
Skill tests: ST.1 to ST.8, commits, tokens, results. Sections 1.9, 2.7 and 2.8.

A test never starts inside another one: it waits until that is over (`start`), and until the action
that contained it is (C-DEFER-1 to C-DEFER-4, `take_up`).
"""

import functools
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import attrs

from content.games.cards.schema.cards import Does, PlayerCard, ReferenceCard, SymbolEntry
from content.games.cards.schema.kinds import Deed, Stat
from content.games.cards.schema.modifiers import (
    CommitModifier,
    IconsModifier,
    SkillModifier,
    Thing,
    TokenModifier,
)
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.steps import Effect, Step
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.cards.events import (
    Moved,
    PeriodEnded,
    TestBegan,
    TestEnded,
    TestPutOff,
    TestStep,
    TestTakenUp,
    TokenIgnored,
    TokensRevealed,
)
from protocol.games.cards.table import InvestigatorId, PieceId, Place, PutOff, hand_of
from protocol.games.cards.words import (
    BLESS,
    CURSE,
    FAIL,
    STAR,
    SYMBOLS,
    WILD,
    Skill,
    Until,
    Zone,
    token_name,
)
from server.games.cards.rules import (
    answers,
    effects,
    hands,
    targets,
    timing,
    values,
    windows,
    zones,
)
from server.games.cards.rules.play import Occurrence, Play, Source, is_in, seat
from server.kernel.asks import Option, Prompt

Result = Callable[[], Awaitable[None]]
"""One result of a test, which is carried out in ST.7."""

SPECIAL = {BLESS: 2, CURSE: -2}
"""Modifiers of bless and curse tokens in a test. C-BBAG-5, C-BBAG-6."""


@attrs.define(eq=False)
class Plan:
    """A test before it begins, and what its steps find."""

    tester: InvestigatorId
    skill: Skill
    difficulty: Callable[[], int]
    """Worked out whenever it is looked at."""
    source: Source
    target: PieceId = ""
    deed: Deed | None = None
    base: int = -1
    """Base value of the skill; -1 for the printed one."""
    plus: int = 0
    success: tuple[tuple[Text, Result], ...] = ()
    """Results of success, each with its name. C-TEST-8."""
    failure: tuple[tuple[Text, Result], ...] = ()
    automatic: bool | None = None
    """True if the test succeeds by itself, False if it fails. C-AUTO-1, C-DECIDE-11."""
    times: int = 1
    """How often the results of success are resolved. C-TEST-10."""
    reveals: list[tuple[int, int]] = attrs.field(factory=list)
    """Declared replacements of the reveal: number instead of 1, and number kept. C-TOK-9."""
    more: int = 0
    """Further tokens that are to be revealed. C-BBAG-11."""
    by_token: int = 0
    """What effects of tokens add beside the printed modifiers."""
    stopped_chain: bool = False
    """True if something takes the place of "reveal another token". C-BBAG-16."""


def current(play: Play) -> Plan | None:
    """Return the plan of the test that is going on."""
    plan: Plan | None = play.shared.get("test")
    return plan


def put_off(play: Play, step: Step, source: Source) -> None:
    """Have a test wait until the one that is going on is over. C-DEFER-2, C-DECIDE-9."""
    place = play.content.place_of(source.code, step)
    play.emit(TestPutOff(PutOff(source.code, place, source.piece, source.you)))


async def take_up(play: Play) -> None:
    """Perform the tests that were put off, in their order, each completely. C-DECIDE-9."""
    while play.table.put_off:
        waiting = play.table.put_off[0]
        play.emit(TestTakenUp())
        if is_in(play, waiting.of):
            step = play.content.steps[waiting.source][waiting.step]
            source = Source(waiting.source, waiting.piece, waiting.of)
            await effects.resolve(play, (step,), source)


async def perform(play: Play, plan: Plan) -> bool | None:
    """
    Perform a test from ST.1 to ST.8. C-BTEST-2 to C-BTEST-15.

    Returns:
        Whether it succeeded; None if it ended without a result (C-DECIDE-58).
    """
    if not is_in(play, plan.tester):
        return None
    play.shared["test"] = plan
    try:
        with play.within(Text("about/test", (plan.tester, f"skill/{plan.skill.value}"))):
            return await _steps(play, plan)
    finally:
        play.shared.pop("test", None)


async def _steps(play: Play, plan: Plan) -> bool | None:
    deed = "" if plan.deed is None else plan.deed.value
    play.emit(
        TestBegan(
            plan.tester, plan.skill, _difficulty(play, plan), plan.source.code, plan.target, deed
        )
    )
    await timing.pass_by(play, _occurrence(play, plan, Happening.TEST_BEGINS))
    result: bool | None = None
    for step in (_before, _reveal, _symbols):
        if not is_in(play, plan.tester):
            break
        await step(play, plan)
    if is_in(play, plan.tester):
        result = await _determine(play, plan)
    if is_in(play, plan.tester) and result is not None:
        await _apply(play, plan, succeeded=result)
    await _end(play, plan)
    return result


def _occurrence(play: Play, plan: Plan, kind: Happening, amount: int = 0) -> Occurrence:
    one = Occurrence(kind, who=plan.tester, by=plan.tester, card=plan.target, amount=amount)
    one.deed, one.skill = plan.deed, plan.skill
    one.at = play.table.here(plan.tester) if is_in(play, plan.tester) else ""
    return one


def _difficulty(play: Play, plan: Plan) -> int:
    """Return the difficulty with its modifiers, at least 0. C-BTEST-17, C-BTEST-24, C-AUTO-13."""
    if plan.automatic is True:
        return 0
    changes = [
        (one.how, values.number(play, one.by, source))
        for one, source in values.given(play, SkillModifier)
        if one.stat is Stat.DIFFICULTY
        and plan.tester in (source.them or targets.people_now(play, one.of, source))
    ]
    return max(0, values.worked_out(plan.difficulty(), changes))


def value_now(play: Play, plan: Plan) -> int:
    """Return what the test stands at, without tokens: base, icons and bonuses. C-BTEST-9."""
    worth = values.skill(play, plan.tester, plan.skill, plan.deed, base=plan.base)
    return worth + plan.plus + icons(play, plan.skill)


def icons(play: Play, skill: Skill) -> int:
    """Return the number of matching icons of the committed cards. C-WILD-2, C-BTEST-25."""
    return sum(
        _matching(play, card.shown, skill, piece=card.piece)
        for card in play.table.cards.values()
        if card.at.zone is Zone.COMMITTED
    )


def _matching(play: Play, code: str, skill: Skill, piece: PieceId = "") -> int:
    face = play.content.faces[code]
    printed: Sequence[str] = getattr(face, "icons", ())
    count = sum(1 for icon in printed if icon in (skill.value, WILD))
    card = play.table.cards.get(piece)
    if card is not None:
        for one, source in values.given(play, IconsModifier):
            if values.applies(play, card, one.of, source):
                count += one.by
    return count


# ST.1 and ST.2: windows and commits


async def _before(play: Play, plan: Plan) -> None:
    """Hold the windows and the committing before the token. C-BWIN-7, C-BTEST-3, C-BTEST-4."""
    await windows.player_window(play, "test-began")
    if not is_in(play, plan.tester):
        return
    _step(play, plan, 2)
    await _commit(play, plan)
    await windows.player_window(play, "test-committed")


def _step(play: Play, plan: Plan, step: int, **found: Any) -> None:
    play.emit(TestStep(step, _difficulty(play, plan), **found))


async def _commit(play: Play, plan: Plan) -> None:
    """
    Hold the window in which cards are committed, one by one. C-DECIDE-60.

    It closes when all who are asked have passed since the last commit. A commit is open to all at
    once (C-BTEST-20) and stays (C-BTEST-26).
    """
    while is_in(play, plan.tester):
        prompts: dict[int, list[Option[tuple[InvestigatorId, str] | None]]] = {}
        for who in play.table.order:
            for handle in committable(play, plan, who):
                name = play.table.card_of(handle)
                option: Option[tuple[InvestigatorId, str] | None] = Option(
                    (who, handle), Text("choice/commit", (name,)), (Point("card", handle),)
                )
                prompts.setdefault(seat(play, who), []).append(option)
        if not prompts:
            return
        about = Text("about/test", (plan.tester, f"skill/{plan.skill.value}"))
        asked: dict[int, Prompt[tuple[InvestigatorId, str] | None]] = {
            at: Prompt(
                Text("ask/commit", (plan.tester, value_now(play, plan), _difficulty(play, plan))),
                (*options, Option(None, Text("choice/pass"), ends=True)),
            )
            for at, options in sorted(prompts.items())
        }
        acted = await play.first_to_act(asked, rule="C-BTEST-3", about=about, kind="window/commit")
        if acted is None or acted[1] is None:
            return
        who, handle = acted[1]
        hands.open_card(play, who, handle, Place(Zone.COMMITTED, who))
        piece = f"c{play.table.next_piece - 1}"
        one = Occurrence(Happening.COMMITTED, who=who, card=piece)
        await timing.pass_by(play, one)


def committable(play: Play, plan: Plan, who: InvestigatorId) -> list[str]:
    """
    Return the cards that an investigator may commit now.

    The tester any number, each other at the same location one (C-BTEST-3, C-BTEST-4); only with a
    matching icon; no more copies by title than "max N committed" says (C-BTEST-19). Peril keeps the
    others from it (C-BKEY-3).
    """
    table = play.table
    if answers.is_kept_out(play, who):
        return []
    if who != plan.tester:
        if table.here(who) != table.here(plan.tester):
            return []
        most = 1 + sum(
            one.number for one, source in values.given(play, CommitModifier) if source.you == who
        )
        if len(table.lying(Zone.COMMITTED, who)) >= most:
            return []
    if values.cannot(play, Thing.COMMIT, who) is not None:
        return []
    committed = [card.shown for card in table.cards.values() if card.at.zone is Zone.COMMITTED]
    found = []
    for handle in table.piles.get(hand_of(who), ()):
        code = table.card_of(handle)
        face = play.content.faces[code]
        if not isinstance(face, PlayerCard) or not _matching(play, code, plan.skill):
            continue
        if face.most_committed is None or committed.count(code) < face.most_committed:
            found.append(handle)
    return found


# ST.3 and ST.4: tokens


async def _reveal(play: Play, plan: Plan) -> None:
    """
    ST.3: reveal a chaos token, and what it has revealed besides. C-TEST-1, C-BTEST-7.

    Skipped if it is settled already that the test succeeds or fails (C-AUTO-1, C-AUTO-2).
    """
    if plan.automatic is not None:
        return
    _step(play, plan, 3)
    await _reveal_once(play, plan)
    await _reveal_chain(play, plan)


async def _reveal_chain(play: Play, plan: Plan) -> None:
    """Reveal further tokens until one comes that asks for no other. C-BBAG-11."""
    while plan.more and is_in(play, plan.tester):
        plan.more -= 1
        await _reveal_once(play, plan)


async def _reveal_once(play: Play, plan: Plan) -> None:
    one = Occurrence(Happening.REVEALING, who=plan.tester)
    plan.reveals.clear()

    async def draw(_: list[Occurrence]) -> None:
        groups = plan.reveals or [(1, 1)]
        number = 1 + sum(count - 1 for count, _ in groups)
        shown = await reveal_from_bag(play, number)
        first = _shown_before(play, number)
        await choose_resolved(play, plan.tester, first, shown, groups)

    await timing.happen(play, [one], draw)
    await _answer_tokens(play, plan)


def _shown_before(play: Play, number: int) -> int:
    test = play.table.test
    return 0 if test is None else max(0, len(test.shown) - number)


async def reveal_from_bag(play: Play, number: int) -> tuple[str, ...]:
    """
    Take tokens from the bag at random, all at the same time. C-BBAG-3, C-TOK-12.

    From an empty bag none comes (C-BBAG-12).
    """
    left = list(play.table.bag)
    drawn = []
    for _ in range(min(number, len(left))):
        token = play.pick("token", left)
        left.remove(token)
        drawn.append(token)
    if drawn:
        play.emit(TokensRevealed(tuple(drawn)))
    return tuple(drawn)


async def choose_resolved(
    play: Play,
    who: InvestigatorId,
    first: int,
    shown: Sequence[str],
    groups: Sequence[tuple[int, int]],
) -> None:
    """Have an investigator choose which revealed tokens are resolved. C-TOK-9 to C-TOK-13."""
    keep = groups[0][1] if groups else 1
    if len(groups) == 1 and len(shown) > keep:
        kept = await play.choose_some(
            seat(play, who),
            [
                Option(at, Text("choice/token", (token_name(token),)))
                for at, token in enumerate(shown)
            ],
            rule="C-TOK-9",
            about=Text("about/tokens", (who,)),
            prompt=Text("ask/tokens", (who, keep)),
            at_least=keep,
            at_most=keep,
        )
        for at in range(len(shown)):
            if at not in kept:
                play.emit(TokenIgnored(first + at))


async def _answer_tokens(play: Play, plan: Plan) -> None:
    """Let cards answer the tokens that are resolved: in ST.3, once for each kind. C-DECIDE-12."""
    test = play.table.test
    if test is None:
        return
    fresh = [one.token for one in test.shown if not one.is_ignored]
    for token in fresh[-1:]:
        one = Occurrence(Happening.TOKEN_REVEALED, who=plan.tester, code=token_name(token))
        one.tags = frozenset([token])
        before = len(test.shown)
        await timing.pass_by(play, one)
        now = play.table.test
        if now is None or len(now.shown) < before or one.is_off:
            # Cancelled: what it ordered does not happen. C-BBAG-18.
            return
        if token in SPECIAL and not plan.stopped_chain:
            plan.more += 1


async def _symbols(play: Play, plan: Plan) -> None:
    """ST.4: apply the symbols of all tokens that are resolved. C-TEST-2, C-TOK-2, C-BTEST-8."""
    if plan.automatic is not None and not (play.table.test and play.table.test.shown):
        return
    _step(play, plan, 4)
    resolved: list[str] = []
    while is_in(play, plan.tester) and play.table.test is not None:
        tokens = [one.token for one in play.table.test.shown if not one.is_ignored]
        for token in resolved:
            if token in tokens:
                tokens.remove(token)
        due = next((token for token in tokens if token not in SPECIAL), None)
        if due is None:
            break
        resolved.append(due)
        await _symbol(play, plan, due)


async def _symbol(play: Play, plan: Plan, token: str) -> None:
    if token == FAIL:
        plan.automatic = False
        return
    if token == STAR:
        card = play.content.pack.investigators[plan.tester]
        source = Source(card.id, play.table.investigators[plan.tester].card, plan.tester)
        await effects.resolve(play, card.star, source)
        return
    entry = entry_of(play, token)
    reference = play.table.only(Zone.SCENARIO)
    if entry is None or reference is None:
        return
    source = Source(reference.shown, reference.piece, plan.tester)
    await effects.resolve(play, entry.effect, source)
    if entry.failure:
        plan.failure = (
            *plan.failure,
            (source.about(), functools.partial(_run, play, entry.failure, source)),
        )
    if entry.another:
        plan.more += 1
        await _reveal_chain(play, plan)


async def _run(play: Play, effect: Effect, source: Source) -> None:
    with play.within(source.about()):
        await effects.resolve(play, effect, source)


def entry_of(play: Play, token: str) -> SymbolEntry | None:
    """Return the entry of a scenario symbol on the scenario reference card."""
    card = play.table.only(Zone.SCENARIO)
    face = None if card is None else play.content.faces.get(card.shown)
    if token not in SYMBOLS or not isinstance(face, ReferenceCard):
        return None
    entry: SymbolEntry = getattr(face, token)
    return entry


def modifier_of(play: Play, who: InvestigatorId, token: str) -> int:
    """Return the modifier of a token in a test of an investigator. C-TEST-3, C-BBAG-17."""
    by = SPECIAL.get(token, 0)
    if token == STAR:
        card = play.content.pack.investigators[who]
        source = Source(card.id, play.table.investigators[who].card, who)
        by = values.number(play, card.star_bonus, source)
    elif token in SYMBOLS:
        entry = entry_of(play, token)
        reference = play.table.only(Zone.SCENARIO)
        if entry is not None and reference is not None:
            source = Source(reference.shown, reference.piece, who)
            by = values.number(play, entry.by, source)
    elif token not in SPECIAL and token != FAIL:
        by = int(token)
    for one, source in values.given(play, TokenModifier):
        if token in one.tokens and source.you == who:
            by += values.number(play, one.by, source)
    return by


# ST.5 to ST.8: value, result, end


async def _determine(play: Play, plan: Plan) -> bool:
    """
    ST.5 and ST.6: the modified skill value, and whether the test succeeds. C-TEST-3, C-TEST-4.

    Abilities that answer success or failure, or its margin, are used in ST.6 (C-TEST-5, C-TEST-6).
    """
    test = play.table.test
    assert test is not None
    tokens = [one.token for one in test.shown if not one.is_ignored]
    by_tokens = sum(modifier_of(play, plan.tester, token) for token in tokens) + plan.by_token
    value = max(0, value_now(play, plan) + by_tokens)
    if plan.automatic is False:
        # C-AUTO-7, C-AUTO-9.
        value = 0
    difficulty = _difficulty(play, plan)
    _step(play, plan, 5, value=value)
    succeeded = value >= difficulty if plan.automatic is None else plan.automatic
    _step(play, plan, 6, value=value, has_succeeded=succeeded)
    kind = Happening.TEST_SUCCEEDS if succeeded else Happening.TEST_FAILS
    await timing.pass_by(play, _occurrence(play, plan, kind, abs(value - difficulty)))
    return succeeded


async def _apply(play: Play, plan: Plan, *, succeeded: bool) -> None:
    """
    ST.7: determine all effects of the outcome, then resolve them one by one. C-TEST-7, C-TEST-9.

    In the order the tester chooses (C-BTEST-22). Of a committed card "you" is who committed it
    (C-COMMIT-1).
    """
    test = play.table.test
    assert test is not None
    _step(play, plan, 7, value=test.value, has_succeeded=succeeded)
    results = list(plan.success if succeeded else plan.failure)
    wanted = Does.SUCCESS if succeeded else Does.FAILURE
    for card in play.table.cards.values():
        if card.at.zone is not Zone.COMMITTED:
            continue
        for ability in play.content.faces[card.shown].abilities:
            if ability.does is wanted:
                source = Source(card.shown, card.piece, card.at.of)
                if effects.can_change(play, ability.effect, source):
                    results.append(
                        (source.about(), functools.partial(_run, play, ability.effect, source))
                    )
    if succeeded:
        results *= plan.times
    while results and is_in(play, plan.tester):
        at = 0
        if len(results) > 1:
            at = await play.choose(
                seat(play, plan.tester),
                [
                    Option(at, Text("choice/result", (name,)))
                    for at, (name, _) in enumerate(results)
                ],
                rule="C-BTEST-22",
                about=Text("about/results", (plan.tester,)),
                prompt=Text("ask/results", (plan.tester,)),
            )
        _, result = results.pop(at)
        await result()


async def _end(play: Play, plan: Plan) -> None:
    """
    ST.8: cards to discard piles, tokens to where they belong, effects end. C-BTEST-14, C-BTEST-15.

    Carried out also for a test without a result (C-BTEST-27).
    """
    test = play.table.test
    assert test is not None
    _step(play, plan, 8, value=test.value, has_succeeded=test.has_succeeded)
    by_place: dict[Place, list[PieceId]] = {}
    for card in play.table.cards.values():
        if card.at.zone is Zone.COMMITTED:
            by_place.setdefault(zones.discard_place(play, card), []).append(card.piece)
    for place, pieces in by_place.items():
        play.emit(Moved(tuple(pieces), place))
    play.emit(TestEnded())
    play.emit(PeriodEnded((Until.TEST.value,)))
    play.lapse(Until.TEST.value)
    await timing.pass_by(play, _occurrence(play, plan, Happening.TEST_ENDS))
