"""
Skill tests: ST.1 to ST.8, commits, tokens, results. Sections 1.9, 2.7 and 2.8.

A test never starts inside another one: it waits until that is over (`start`), and until the action
that contained it is (C-DEFER-1 to C-DEFER-4, `take_up`).
"""

import functools
from collections.abc import Iterator
from typing import Any

from content.games.cards.schema.cards import Does, PlayerCard, ReferenceCard, SymbolEntry
from content.games.cards.schema.kinds import CardType, Stat
from content.games.cards.schema.modifiers import (
    CommitModifier,
    How,
    ResultModifier,
    SkillModifier,
    StatModifier,
    Thing,
    TokenModifier,
)
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.pack import type_of
from content.games.cards.schema.steps import Discover, Effect, Heal, LastingStep, Step
from content.games.cards.schema.targets import Who
from protocol.common.asks import Point, RefusedChoice
from protocol.common.text import Text
from protocol.games.cards.events import (
    Moved,
    TestBegan,
    TestEnded,
    TestPutOff,
    TestStep,
    TestTakenUp,
)
from protocol.games.cards.table import (
    Card,
    InvestigatorId,
    PieceId,
    Place,
    Shown,
)
from protocol.games.cards.words import (
    BLESS,
    CURSE,
    FAIL,
    SPECIAL,
    STAR,
    SYMBOLS,
    Until,
    Zone,
)
from server.games.cards.rules import (
    answers,
    effects,
    hands,
    odds,
    outcomes,
    targets,
    timing,
    tokens,
    values,
    windows,
    zones,
)
from server.games.cards.rules.plans import Plan
from server.games.cards.rules.play import (
    Occurrence,
    Play,
    Source,
    Use,
    ability_at,
    end_periods,
    hand,
    is_in,
    seat,
    step_of,
    told_and_sealed,
)
from server.kernel.asks import Option, Prompt

FIXED = {BLESS: 2, CURSE: -2}
"""Modifiers of bless and curse tokens in a test. C-BBAG-5, C-BBAG-6."""
MOST_PARTS = 5
"""Parts of the value that a question names; the rest is one part more."""


def put_off(play: Play, step: Step, source: Source) -> None:
    """Have a test wait until the one that is going on is over. C-DEFER-2, C-DECIDE-9."""
    told, sealed = told_and_sealed(play, step, source)
    play.emit(TestPutOff(told, source.piece, source.you, source.holder, sealed))


async def take_up(play: Play) -> None:
    """Perform the tests that were put off, in their order, each completely. C-DECIDE-9."""
    while play.table.put_off:
        waiting = play.table.put_off[0]
        play.emit(TestTakenUp())
        if is_in(play, waiting.of):
            code, step = step_of(play, waiting)
            source = Source(code, waiting.piece, waiting.of, holder=waiting.holder)
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
        with play.within(about(plan)), tokens.revealing_beside(play, beside=False):
            return await _steps(play, plan)
    finally:
        play.shared.pop("test", None)


def about(plan: Plan) -> Text:
    """Return the test in words that everybody may read."""
    return Text("about/test", (plan.tester, f"skill/{plan.skill.value}"))


async def _steps(play: Play, plan: Plan) -> bool | None:
    """
    Go through the steps as long as the tester is there. C-BTEST-21.

    A result that is settled before ST.3 skips ST.3 and ST.4 and nothing else: cards are committed,
    no token leaves the bag (C-AUTO-1 to C-AUTO-4). That of a token skips nothing (C-AUTO-6).
    """
    deed = "" if plan.deed is None else plan.deed.value
    play.emit(
        TestBegan(
            plan.tester,
            plan.skill,
            difficulty(play, plan),
            plan.source.public_code,
            plan.target,
            deed,
        )
    )
    await timing.pass_by(play, _occurrence(play, plan, Happening.TEST_BEGINS))
    result: bool | None = None
    await _before(play, plan)
    if plan.automatic is None:
        for step in (_reveal, _symbols):
            if is_in(play, plan.tester):
                await step(play, plan)
    if is_in(play, plan.tester):
        result = await _determine(play, plan)
    if is_in(play, plan.tester) and result is not None:
        await _apply(play, plan, succeeded=result)
    await _end(play, plan)
    return result


def _occurrence(play: Play, plan: Plan, kind: Happening, amount: int = 0) -> Occurrence:
    """
    Return what abilities answer of a test; its cause is the card that the test is on.

    That is the card whose ability calls for it (C-TEST-14), or starts an action that is one
    (C-TEST-15).
    """
    one = Occurrence(kind, who=plan.tester, by=plan.tester, card=plan.target, amount=amount)
    one.deed, one.skill, one.cause = plan.deed, plan.skill, plan.source.piece
    one.at = play.table.here(plan.tester) if is_in(play, plan.tester) else ""
    return one


def difficulty(play: Play, plan: Plan) -> int:
    """Return the difficulty with its modifiers, at least 0. C-BTEST-17, C-BTEST-24, C-AUTO-13."""
    if plan.automatic is True:
        return 0
    changes = [
        (one.how, values.number(play, one.by, source))
        for one, source in values.given(play, SkillModifier, Stat.DIFFICULTY)
        if plan.tester in (source.them or targets.people_now(play, one.of, source))
    ]
    return max(0, values.worked_out(plan.difficulty(), changes))


def value_now(play: Play, plan: Plan) -> int:
    """Return what the test stands at, without tokens. C-BTEST-9, C-BTEST-18."""
    worth = values.skill(play, plan.tester, plan.skill, plan.deed, base=plan.base)
    return worth + plan.plus + values.icons(play, plan.skill)


def parts_of(play: Play, plan: Plan) -> Text:
    """
    Return what the test stands at, number by number with the card that gives it. C-BTEST-9.

    All who are asked read it, so it does not name hidden cards. C-BKEY-7.
    """
    who, skill = plan.tester, plan.skill
    base = plan.base if plan.base >= 0 else values.printed_skill(play, who, skill)
    changes = list(values.skill_changes(play, who, skill, plan.deed))
    base = next((by for how, by, _ in changes[::-1] if how is How.SET), base)
    parts = [(source.public_name, by) for how, by, source in changes if how is How.ADD]
    others = [source for how, _, source in changes if how in (How.DOUBLE, How.HALVE)]
    if others:
        worth = values.skill(play, who, skill, plan.deed, base=plan.base)
        parts.append((others[0].public_name, worth - base - sum(by for _, by in parts)))
    parts.append((plan.source.public_name, plan.plus))
    parts += [
        (one.shown, values.matching(play, one.shown, skill, one.piece))
        for one in play.table.committed()
    ]
    parts = [(name, by) for name, by in parts if by]
    if len(parts) > MOST_PARTS:
        rest = sum(by for _, by in parts[MOST_PARTS:])
        parts = [*parts[:MOST_PARTS], ("about/rest", rest)]
    signed = [
        Text("about/plus" if by > 0 else "about/minus", (name, abs(by))) for name, by in parts
    ]
    return Text(f"about/value_{len(signed)}", (f"skill/{skill.value}", base, *signed))


# ST.1 and ST.2: windows and commits


async def _before(play: Play, plan: Plan) -> None:
    """
    Hold the windows and the committing before the token. C-BWIN-7, C-BTEST-3, C-BTEST-4.

    They are the only player windows of a test. C-BWIN-8.
    """
    if not is_in(play, plan.tester):
        return
    told = about(plan), functools.partial(_standing, play, plan, "ask/window_before")
    group = functools.partial(_group_of, play, plan)
    await windows.player_window(play, "test-began", *told, group)
    if not is_in(play, plan.tester):
        return
    _step(play, plan, 2)
    await _commit(play, plan)
    told = about(plan), functools.partial(_standing, play, plan, "ask/window_token")
    await windows.player_window(play, "test-committed", *told, group)


def _group_of(play: Play, plan: Plan, use: Use) -> str:
    """
    Return the group of a use in a test.

    It is none if the use raises the chance by much, vain if all that it does raises no chance, and
    else by its cost. To raise none is to add to a skill, as long as the chance stays, and what
    could be done at any other time as well.
    """
    effect = () if use.ability < 0 else ability_at(play, use.code, use.ability).effect
    by = 0
    for step in effect:
        if _is_beside(step):
            continue
        if not isinstance(step, LastingStep) or step.until is not Until.TEST or step.card:
            return outcomes.group_by_cost(play, use)
        for one in step.gives:
            if not isinstance(one, SkillModifier) or (one.how, one.of) != (How.ADD, Who.YOU):
                return outcomes.group_by_cost(play, use)
            if use.you == plan.tester and one.stat.value == plan.skill.value:
                by += values.number(play, one.by, use.source())
    gain = odds.odds(play, plan, by) - odds.odds(play, plan) if effect else 0
    if effect and not gain:
        return outcomes.VAIN
    return "" if gain >= outcomes.MUCH else outcomes.group_by_cost(play, use)


def _is_beside(step: Step) -> bool:
    """Return whether a step of an effect has nothing to do with a test that goes on."""
    if isinstance(step, LastingStep):
        harm = (Stat.DAMAGE, Stat.HORROR)
        return all(isinstance(one, StatModifier) and one.stat in harm for one in step.gives)
    return isinstance(step, Discover | Heal)


def _standing(play: Play, plan: Plan, subject: str) -> Text:
    """Return a question before the token: with value, difficulty and odds of the test."""
    numbers = value_now(play, plan), difficulty(play, plan), odds.odds(play, plan)
    return Text(subject, (plan.tester, *numbers, parts_of(play, plan)))


def _step(play: Play, plan: Plan, step: int, **found: Any) -> None:
    play.emit(TestStep(step, difficulty(play, plan), **found))


async def _commit(play: Play, plan: Plan) -> None:
    """
    Hold the window in which cards are committed, one by one. C-DECIDE-60.

    It closes when all who are asked have passed since the last commit. A commit is open to all at
    once (C-BTEST-20) and stays (C-BTEST-26). A committed card never enters play (C-COMMIT-3).
    """
    while is_in(play, plan.tester):
        found = {who: committable(play, plan, who) for who in play.table.order}
        perhaps = {seat(play, who) for who in _perhaps(play, plan)}
        if not perhaps and not any(found.values()):
            return
        now = odds.odds(play, plan)
        prompt = _standing(play, plan, "ask/commit")
        options: dict[int, list[Option[tuple[InvestigatorId, str] | None]]] = {}
        refused: dict[int, list[RefusedChoice]] = {}
        for who, handles in found.items():
            chances = [(one, odds.with_card(play, plan, who, one)) for one in handles]
            gains = [
                (handle, chance, chance > now or does_something(play, plan, handle))
                for handle, chance in chances
            ]
            # What gains something comes first.
            options.setdefault(seat(play, who), []).extend(
                Option(
                    (who, handle),
                    _to_commit(play, who, handle, chance, now),
                    (Point("card", handle),),
                    group=_group_of_commit(chance - now, is_gain=is_gain),
                )
                for handle, chance, is_gain in sorted(gains, key=lambda one: not one[2])
            )
            refused.setdefault(seat(play, who), []).extend(refusals(play, plan, who))
        asked: dict[int, Prompt[tuple[InvestigatorId, str] | None]] = {
            at: Prompt(prompt, (*of_seat, windows.passing()), tuple(refused[at]))
            for at, of_seat in sorted(options.items())
            if of_seat or at in perhaps
        }
        commit = await windows.first_use(
            play, asked, rule="C-BTEST-3", about=about(plan), kind="window/commit"
        )
        if commit is None:
            return
        who, handle = commit
        piece, lying = handle, play.table.cards.get(handle)
        if lying is None:
            piece = hands.open_card(play, who, handle, Place(Zone.COMMITTED, who))
        else:
            plan.beneath[piece] = lying.at.of
            play.emit(Moved((piece,), Place(Zone.COMMITTED, who)))
        await timing.pass_by(play, Occurrence(Happening.COMMITTED, who=who, card=piece))


def _group_of_commit(gain: int, *, is_gain: bool) -> str:
    """Return the group of a commit by what it adds to the chance, in percent."""
    if not is_gain:
        return outcomes.VAIN
    return "" if gain >= outcomes.MUCH else outcomes.SLIGHT


def _to_commit(play: Play, who: InvestigatorId, handle: str, chance: int, now: int) -> Text:
    """
    Return the words for a commit: the chance with it, and whether that is the one without it.

    A seat that runs several investigators reads whose card it is.
    """
    said = (code_of(play, handle), chance)
    subject = "choice/commit_vain" if chance == now else "choice/commit"
    is_alone = sum(seat(play, one) == seat(play, who) for one in play.table.order) == 1
    return Text(subject, said) if is_alone else Text(f"{subject}_of", (*said, who))


def does_something(play: Play, plan: Plan, handle: str) -> bool:
    """
    Return whether a card, once committed, does more than its icons. C-BTEST-6, C-COMMIT-4.

    What it adds to another result than that of this test is nothing here.
    """
    face = play.content.faces[code_of(play, handle)]
    return type_of(face) is CardType.SKILL and any(
        not isinstance(given, ResultModifier) or given.deed is plan.deed
        for one in face.abilities
        for given in one.gives or (None,)
    )


def _perhaps(play: Play, plan: Plan) -> list[InvestigatorId]:
    """Return who may commit something for all that the others know; none of *who can*."""
    if not windows.is_strict(play):
        return []
    here = play.table.here(plan.tester)
    return [who for who in windows.holders(play) if play.table.here(who) == here]


def committable(play: Play, plan: Plan, who: InvestigatorId) -> list[str]:
    """
    Return the cards that an investigator may commit now.

    The tester any number, each other at the same location one (C-BTEST-3, C-BTEST-4), or as many as
    a card says (C-BABIL-1); only with a matching icon; no more copies by title than "max N
    committed" says (C-BTEST-19). Peril keeps the others from it (C-BKEY-3). C-BTEST-23.
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
    beneath = (
        [(card.piece, card.code) for card in _beneath(play, who)] if who == plan.tester else []
    )
    return [
        one
        for one, code in (*hand(play, who), *beneath)
        if values.matching(play, code, plan.skill) and not _is_at_most(play, code)
    ]


def _beneath(play: Play, who: InvestigatorId) -> Iterator[Card]:
    """Yield the cards beneath others that an investigator may commit. C-COMMIT-8."""
    for one, source in values.given(play, CommitModifier):
        if one.beneath and source.you == who:
            there = play.table.lying(Zone.BENEATH, source.piece)
            yield from (card for card in there if not card.handle)


def code_of(play: Play, committed: str) -> str:
    """Return the card that has a handle in a hand, or is an open piece."""
    card = play.table.cards.get(committed)
    return play.table.card_of(committed) if card is None else card.code


def refusals(play: Play, plan: Plan, who: InvestigatorId) -> list[RefusedChoice]:
    """Return the cards in hand of which no further copy may be committed. C-BTEST-19."""
    return [
        RefusedChoice(
            Text("choice/commit", (code, odds.odds(play, plan))),
            Text("refused/most_committed"),
            "C-BTEST-19",
        )
        for _, code in hand(play, who)
        if values.matching(play, code, plan.skill) and _is_at_most(play, code)
    ]


def _is_at_most(play: Play, code: str) -> bool:
    """Return whether no further copy may be committed, whoever committed those. C-BTEST-19."""
    face = play.content.faces[code]
    most = face.most_committed if isinstance(face, PlayerCard) else None
    return most is not None and most <= sum(card.shown == code for card in play.table.committed())


# ST.3 and ST.4: tokens


async def _reveal(play: Play, plan: Plan) -> None:
    """ST.3: reveal a chaos token, and what it has revealed besides. C-TEST-1, C-BTEST-7."""
    _step(play, plan, 3)
    await reveal(play, plan)


async def reveal(play: Play, plan: Plan, *, by: str = "") -> None:
    """
    Reveal a token for the test, and further ones until one comes that orders no other.

    C-BBAG-5, C-BBAG-6, C-BBAG-11. What takes the place of such a reveal ends the chain
    (C-BBAG-16); a cancelled or ignored token orders none (C-BBAG-18).

    Args:
        play: the game.
        plan: the test.
        by: the kind of token that orders it.
    """
    due = [by]
    while due and is_in(play, plan.tester):
        came = await tokens.reveal(play, plan.tester, by=due.pop(0))
        due += [token for token in came if token in FIXED]


async def _symbols(play: Play, plan: Plan) -> None:
    """
    ST.4: apply the symbols of all tokens that are resolved. C-TEST-2, C-TOK-2, C-BTEST-8.

    Each of them is "the revealed token" (C-TOK-1).
    """
    done: set[int] = set()
    while is_in(play, plan.tester):
        due = [
            at
            for at, one in enumerate(_shown(play))
            if one.is_resolved and one.token in SPECIAL and at not in done
        ]
        if not due:
            return
        if not done:
            _step(play, plan, 4)
        done.add(due[0])
        await _symbol(play, plan, _shown(play)[due[0]].token)


def _shown(play: Play) -> tuple[Shown, ...]:
    assert play.table.test is not None
    return play.table.test.shown


async def _symbol(play: Play, plan: Plan, token: str) -> None:
    if token == FAIL:
        plan.automatic = False
        return
    found = symbol_of(play, plan.tester, token)
    if found is None:
        return
    entry, source = found
    await effects.resolve(play, entry.effect, source)
    if entry.failure:
        plan.failure = (
            *plan.failure,
            (source.public_name, functools.partial(_run, play, entry.failure, source)),
        )
    if entry.another and is_in(play, plan.tester):
        await reveal(play, plan, by=token)


async def _run(play: Play, effect: Effect, source: Source) -> None:
    with play.within(source.about()):
        await effects.resolve(play, effect, source)


def symbol_of(play: Play, who: InvestigatorId, token: str) -> tuple[SymbolEntry, Source] | None:
    """
    Return what a symbol does in an investigator's test; None for other tokens. C-BTEST-8.

    The scenario reference card says it, of the star the investigator card.
    """
    if token == STAR:
        return play.content.stars[who], Source(who, play.table.investigators[who].card, who)
    if token not in SYMBOLS:
        return None
    card = play.table.only(Zone.SCENARIO)
    face = None if card is None else play.content.faces.get(card.shown)
    if card is None or not isinstance(face, ReferenceCard):
        return None
    return getattr(face, token), Source(card.shown, card.piece, who)


def modifier_of(play: Play, who: InvestigatorId, token: str) -> int:
    """Return the modifier of a token in an investigator's test. C-TEST-3, C-BBAG-17, C-TOK-15."""
    if token not in SPECIAL:
        by = int(token)
    elif (found := symbol_of(play, who, token)) is None:
        by = FIXED.get(token, 0)
    else:
        entry, source = found
        by = values.number(play, entry.by, source)
    for one, source in values.given(play, TokenModifier):
        if token in one.tokens and source.you == who:
            by += values.number(play, one.by, source)
    return by


# ST.5 to ST.8: value, result, end


async def _determine(play: Play, plan: Plan) -> bool:
    """
    ST.5 and ST.6: the modified skill value, and whether the test succeeds. C-TEST-3, C-TEST-4.

    Abilities that answer success or failure, or its margin, are used in ST.6 (C-TEST-5, C-TEST-6).
    The modifiers of all tokens that are resolved count (C-TOK-3). An automatic result overrides the
    comparison, whatever the difficulty (C-DECIDE-11). The value is worked out all the same
    (C-AUTO-5); it is 0 where the test fails automatically (C-AUTO-7 to C-AUTO-9). C-BTEST-16.
    """
    resolved = [one.token for one in _shown(play) if one.is_resolved]
    by_tokens = sum(modifier_of(play, plan.tester, token) for token in resolved)
    value = max(0, value_now(play, plan) + by_tokens)
    if plan.automatic is False:
        value = 0
    needed = difficulty(play, plan)
    succeeded = value >= needed if plan.automatic is None else plan.automatic
    _step(play, plan, 6, value=value, has_succeeded=succeeded)
    kind = Happening.TEST_SUCCEEDS if succeeded else Happening.TEST_FAILS
    await timing.pass_by(play, _occurrence(play, plan, kind, abs(value - needed)))
    return succeeded


async def _apply(play: Play, plan: Plan, *, succeeded: bool) -> None:
    """
    ST.7: determine all effects of the outcome, then resolve them one by one. C-TEST-7, C-TEST-9.

    In the order the tester chooses (C-BTEST-22). Of a committed card "you" is who committed it
    (C-COMMIT-1). The result of the test itself is one of them (C-TEST-8). Results that come twice
    repeat no reaction to the success (C-TEST-11).
    """
    test = play.table.test
    assert test is not None
    _step(play, plan, 7, value=test.value, has_succeeded=succeeded)
    results = list(plan.success if succeeded else plan.failure)
    wanted = Does.SUCCESS if succeeded else Does.FAILURE
    for card in play.table.committed():
        for ability in values.committed_text(play, card):
            if ability.does is wanted:
                source = Source(card.shown, card.piece, card.at.of)
                if effects.can_change(play, ability.effect, source):
                    results.append(
                        (source.public_name, functools.partial(_run, play, ability.effect, source))
                    )
    if succeeded:
        results *= plan.times
    while results and is_in(play, plan.tester):
        at = 0
        first = {result: n for n, (_, result) in reversed(list(enumerate(results)))}
        if len(first) > 1:
            at = await play.choose(
                seat(play, plan.tester),
                [
                    Option(n, Text("choice/result", (results[n][0],)))
                    for n in sorted(first.values())
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

    Carried out also for a test without a result (C-BTEST-27). So ends what a committed card was
    given (C-COMMIT-6). One that was sent elsewhere stays there (C-COMMIT-7).
    """
    by_place: dict[Place, list[PieceId]] = {}
    for card in play.table.committed():
        # Where it would be discarded, it goes back beneath its card. C-COMMIT-7, C-COMMIT-8.
        host = plan.beneath.get(card.piece, "")
        is_there = host in play.table.cards
        to = Place(Zone.BENEATH, host) if is_there else zones.discard_place(play, card)
        by_place.setdefault(to, []).append(card.piece)
    for place, pieces in by_place.items():
        play.emit(Moved(tuple(pieces), place))
    play.emit(TestEnded())
    end_periods(play, Until.TEST)
    await timing.pass_by(play, _occurrence(play, plan, Happening.TEST_ENDS))
