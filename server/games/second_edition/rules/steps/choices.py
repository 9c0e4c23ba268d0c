"""
Choices, the step `choose`: a player or the group decides how an effect continues.

Rules INTERACT-3, GOLDEN-4, GOLDEN-6 and CONFLICT-1. No client receives the effect of an option
before the option is chosen.
"""

from collections.abc import Awaitable, Callable

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.effects import By
from protocol.common.text import Text
from protocol.games.second_edition.events import OptionChosen, StoryVotesShown
from server.games.second_edition.rules.draws import behind_a_secret, draw_entry
from server.games.second_edition.rules.effects import Run, resolves, story
from server.games.second_edition.rules.play import Outcome, Play, Source
from server.games.second_edition.rules.requirements import holds_for
from server.kernel.asks import Option, Prompt

Options = list[Option[int]]
"""Available options, by their positions among all of the step's options."""


@resolves(schema.Choose)
async def _choose(run: Run, step: schema.Choose) -> Outcome | None:
    """
    Ask for a choice among the options that are available now, then resolve its effect.

    A single option is taken without asking. A secret choice is always asked: a missing question
    would reveal that only one option was left. Nothing happens without an option, or if the actor
    who would choose is eliminated.
    """
    is_own = step.by in {By.ACTOR, By.SECRET}
    if is_own and run.game.table.investigators[run.source.actor].is_eliminated:
        return None
    options: Options = [
        Option(at, story(run.game, choice.text, run.source))
        for at, choice in enumerate(step.options)
        if holds_for(run.game, choice.when, run.source, run.outcome)
    ]
    if not options:
        return None
    chosen = options[0].value
    if len(options) > 1 or step.by is By.SECRET:
        chosen = await _ASKED[step.by](
            run.game, run.source, options, story(run.game, step.prompt, run.source)
        )
    effect = step.options[chosen].effect
    if step.by is not By.SECRET:
        return await run.resolve(effect)
    with behind_a_secret(run.game, [option.effect for option in step.options]):
        return await run.resolve(effect)


async def _by_actor(play: Play, source: Source, options: Options, about: Text) -> int:
    """Ask the actor's player. Rules GOLDEN-4 and INTERACT-3."""
    seat = play.seat_of(source.actor)
    chosen = await play.choose(seat, options, rule="INTERACT-3", about=about, prompt=about)
    play.emit(OptionChosen(source.actor, _text(options, chosen)))
    return chosen


async def _by_group(play: Play, _source: Source, options: Options, about: Text) -> int:
    """Ask the group, which decides together. Rule CONFLICT-1."""
    chosen = await play.agree(
        play.table.standing(), options, rule="CONFLICT-1", about=about, prompt=about
    )
    play.emit(OptionChosen(None, _text(options, chosen)))
    return chosen


async def _by_vote(play: Play, _source: Source, options: Options, about: Text) -> int:
    """Have the players vote in secret, shown once all are cast; chance decides a tie."""
    # Reversed, so that a seat with two investigators votes under the first of them.
    voters = {play.seat_of(who): who for who in reversed(play.table.standing())}
    prompts = {seat: Prompt(about, tuple(options)) for seat in sorted(voters)}
    picks = await play.each(prompts, rule="INTERACT-3", about=about)
    votes = {seat: picks[seat][0] for seat in prompts}
    play.emit(StoryVotesShown({voters[seat]: _text(options, vote) for seat, vote in votes.items()}))
    counts = [list(votes.values()).count(option.value) for option in options]
    most = [o.value for o, count in zip(options, counts, strict=True) if count == max(counts)]
    chosen = draw_entry(play, "vote", most)
    play.emit(OptionChosen(None, _text(options, chosen)))
    return chosen


async def _in_secret(play: Play, source: Source, options: Options, about: Text) -> int:
    """Let the actor's player choose in secret; the others learn only that a choice is made."""
    return await play.choose(
        play.seat_of(source.actor),
        options,
        rule="INTERACT-3",
        about=Text("about/choose_secretly", (source.actor,)),
        prompt=about,
    )


def _text(options: Options, chosen: int) -> Text:
    return next(option.text for option in options if option.value == chosen)


_ASKED: dict[By, Callable[[Play, Source, Options, Text], Awaitable[int]]] = {
    By.ACTOR: _by_actor,
    By.GROUP: _by_group,
    By.VOTE: _by_vote,
    By.SECRET: _in_secret,
}
