"""The questions of rules: each kind of question is a method of the Game handle."""

import abc
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Generic, TypeVar, cast

from protocol.common.asks import Audience, RefusedChoice, Settle
from protocol.common.text import Text
from protocol.values import frozen
from server.kernel.asks import Ask, Option, Picks, Prompt

T = TypeVar("T")
U = TypeVar("U")


@frozen
class Interruption(Generic[U]):
    """An interruption: a seat, and its choice."""

    seat: int
    value: U


class Asking(abc.ABC):
    """The part of the Game handle that asks people."""

    @abc.abstractmethod
    def seat_of(self, character: str) -> int:
        """Return the seat that has this character now. KeyError: no seat has it."""

    async def ask(self, question: Ask[T]) -> Picks[T]:
        """Ask any question. The methods below are shorter for the usual kinds."""
        return await question

    async def choose(
        self,
        seat: int,
        options: Sequence[Option[T]],
        *,
        rule: str,
        about: Text,
        prompt: Text,
        refused: Sequence[RefusedChoice] = (),
    ) -> T:
        """Have one seat choose exactly one option."""
        ask = Ask(rule, about, {seat: Prompt(prompt, tuple(options), tuple(refused))})
        return (await ask)[seat][0]

    async def choose_some(
        self,
        seat: int,
        options: Sequence[Option[T]],
        *,
        rule: str,
        about: Text,
        prompt: Text,
        at_least: int,
        at_most: int,
        is_ordered: bool = False,
        can_repeat: bool = False,
        default: tuple[int, ...] | None = None,
    ) -> tuple[T, ...]:
        """
        Have one seat choose from `at_least` to `at_most` options.

        A time-out takes the options at the positions in `default`, or the first `at_least` options
        if `default` is None.
        """
        question = Prompt(
            prompt,
            tuple(options),
            at_least=at_least,
            at_most=at_most,
            is_ordered=is_ordered,
            can_repeat=can_repeat,
            default=default,
        )
        return (await Ask(rule, about, {seat: question}))[seat]

    async def agree(
        self,
        voters: Sequence[str],
        options: Sequence[Option[T]],
        *,
        rule: str,
        about: Text,
        prompt: Text,
        settle: Settle = Settle.AGREE,
        audience: Audience = Audience.ALL,
    ) -> T:
        """
        Have the seats of these characters decide together. Rules CONFLICT-1 to CONFLICT-3.

        A single option is taken without asking.

        Args:
            voters: the characters whose seats vote. If too few votes agree, a lot among these
                characters decides.
            options: the choices, the same for all seats.
            rule: the rule that asks.
            about: subject of the question, in words that all seats may read.
            prompt: the question to each seat.
            settle: whether all votes have to agree, or a MAJORITY is enough.
            audience: who may read a vote before all votes are in.
        """
        if len(options) == 1:
            return options[0].value
        put = Prompt(prompt, tuple(options))
        (decided,) = await self._vote(voters, put, settle, audience, rule, about)
        return decided

    async def agree_on_list(
        self,
        voters: Sequence[str],
        options: Sequence[Option[T]],
        *,
        rule: str,
        about: Text,
        prompt: Text,
        at_least: int,
        at_most: int,
        settle: Settle = Settle.AGREE,
        audience: Audience = Audience.ALL,
    ) -> tuple[T, ...]:
        """
        Have the seats of these characters agree on an ordered list of options.

        Two lists agree if they hold the same options in the same order. A single option is asked
        for, too; all else is as in `agree`.
        """
        put = Prompt(prompt, tuple(options), at_least=at_least, at_most=at_most, is_ordered=True)
        return await self._vote(voters, put, settle, audience, rule, about)

    async def _vote(
        self,
        voters: Sequence[str],
        put: Prompt[T],
        settle: Settle,
        audience: Audience,
        rule: str,
        about: Text,
    ) -> tuple[T, ...]:
        asked = tuple((voter, self.seat_of(voter)) for voter in voters)
        seats = sorted(dict.fromkeys(seat for _, seat in asked))
        prompts = dict.fromkeys(seats, put)
        # One seat cannot disagree: its question is a plain one, without votes.
        if len(seats) > 1:
            picks = await Ask(rule, about, prompts, settle, asked, audience=audience)
        else:
            picks = await Ask(rule, about, prompts, Settle.EACH, asked)
        # All seats have the same decision by now.
        return picks[min(picks)]

    async def any_one(
        self, prompts: Mapping[int, Prompt[T]], *, rule: str, about: Text
    ) -> tuple[int, tuple[T, ...]]:
        """Ask several seats; the first answer counts. Return that seat and its choices."""
        picks = await Ask(rule, about, prompts, Settle.ANY_ONE)
        seat = min(picks)
        return seat, picks[seat]

    async def each(self, prompts: Mapping[int, Prompt[T]], *, rule: str, about: Text) -> Picks[T]:
        """Ask several seats, each in secret; return all answers together."""
        return await Ask(rule, about, prompts, Settle.EACH)

    async def each_in_row(
        self, rows: Mapping[int, Sequence[Prompt[T]]], *, rule: str, about: Text
    ) -> Mapping[int, tuple[tuple[T, ...], ...]]:
        """
        Ask several seats a row of questions each; each seat answers in secret at its own pace.

        The other seats see only who has answered the whole row. Rows may differ in length.

        Returns:
            The chosen values by seat, question by question.
        """
        prompts = {}
        for seat, row in rows.items():
            # Each value carries the place of its question: the picks of a row come in one list.
            first, *then = [prompt.in_row(at) for at, prompt in enumerate(row)]
            prompts[seat] = first.followed_by(then)
        picks = await Ask(rule, about, prompts, Settle.EACH)
        return {
            seat: tuple(
                tuple(value for place, value in picks[seat] if place == at)
                for at in range(len(row))
            )
            for seat, row in rows.items()
        }

    async def first_to_act(
        self, prompts: Mapping[int, Prompt[T]], *, rule: str, about: Text, kind: str = ""
    ) -> tuple[int, T] | None:
        """
        Ask several seats whether they act; the first seat that acts settles the question.

        Args:
            prompts: the questions by seat; in each, exactly one option passes: the one with `ends`
                set.
            rule: the rule that asks.
            about: subject of the question, in words that all seats may read.
            kind: subject on which a seat can pass once and for all; empty if it cannot.

        Returns:
            The seat that acted, and its choice; None if all seats passed.
        """
        return await self._act_or_pass(prompts, Settle.FIRST_OR_ALL_PASS, rule, about, kind)

    async def unless_objected(
        self,
        prompts: Mapping[int, Prompt[T]],
        *,
        rule: str,
        about: Text,
        seconds: int,
        kind: str = "",
    ) -> tuple[int, T] | None:
        """
        Ask several seats whether they object; no objection within `seconds` counts as passing.

        The time runs while all seats that have not passed yet are present. All else is as in
        `first_to_act`.
        """
        settle = Settle.UNLESS_OBJECTED
        return await self._act_or_pass(prompts, settle, rule, about, kind, seconds)

    async def window(
        self,
        prompts: Mapping[int, Prompt[T]],
        *,
        rule: str,
        about: Text,
        kind: str,
        at_most: int = 1,
    ) -> dict[int, tuple[T, ...]]:
        """
        Open a timed window: each asked seat may interrupt, and nobody learns who considered it.

        Seats, moment and kind must follow from public facts, or the question itself would reveal a
        secret. As a rule every holder of hidden cards is asked, whichever cards these are.

        Args:
            prompts: the questions by seat; in each, exactly one option passes: the one with `ends`
                set.
            rule: the rule that asks.
            about: subject of the question, in words that all seats may read.
            kind: subject of the window, which catalogs name in words; seats may set stops for it.
            at_most: number of options that each seat may choose, unless it passes. It must follow
                from public facts, since the size of the record shows it.

        Returns:
            The choices of each seat that did not pass.
        """
        choices = {seat: prompt.to_pass_or_act(at_most) for seat, prompt in prompts.items()}
        picks = await Ask(rule, about, choices, Settle.WINDOW, kind=kind)
        acts = {seat: [one for one in chosen if not one.ends] for seat, chosen in picks.items()}
        return {seat: tuple(one.value for one in chosen) for seat, chosen in acts.items() if chosen}

    async def beside(
        self,
        decider: int,
        prompt: Prompt[T],
        others: Mapping[int, Prompt[U]],
        *,
        rule: str,
        about: Text,
    ) -> T | Interruption[U]:
        """
        Have one seat decide, while others may interrupt it.

        Who interrupts settles the question at once; the rule then asks again. The decision waits
        until the question has the least age of the table's settings, so that nobody has to say that
        they let it be.

        Whom a rule asks must follow from public facts. Who has nothing to interrupt with is asked
        all the same, with a prompt that has no options.

        Args:
            decider: the seat that decides.
            prompt: its question, which takes exactly one option. A time-out takes the default.
            others: the questions to the seats that may interrupt, each with one option at most.
            rule: the rule that asks.
            about: subject of the question, in words that all seats may read.

        Returns:
            The value that the decider chose, or the interruption.
        """
        prompts: dict[int, Prompt[T | Interruption[U]]] = {
            seat: put.to_interrupt(partial(Interruption[U], seat)) for seat, put in others.items()
        }
        if decider in prompts:
            raise ValueError(f"{rule} would let a seat interrupt itself")
        prompts[decider] = cast("Prompt[T | Interruption[U]]", prompt)
        asked = dict(sorted(prompts.items()))
        picks = await Ask(rule, about, asked, Settle.BESIDE, decides=decider)
        ((value,),) = picks.values()
        return value

    async def _act_or_pass(
        self,
        prompts: Mapping[int, Prompt[T]],
        settle: Settle,
        rule: str,
        about: Text,
        kind: str,
        seconds: int = 0,
    ) -> tuple[int, T] | None:
        choices = {seat: prompt.to_pass_or_act() for seat, prompt in prompts.items()}
        picks = await Ask(rule, about, choices, settle, kind=kind, seconds=seconds)
        acts = [(seat, option.value) for seat, (option,) in picks.items() if not option.ends]
        return acts[0] if acts else None
