"""Steps about investigators and allies: hurt, healed, stunned, tested and moved."""

from content.games.first_edition.schema import effects as schema
from content.games.first_edition.schema.cards import Trigger
from protocol.common.text import Text
from protocol.games.first_edition.events import SkillPointsChanged, TestFixed
from protocol.games.first_edition.table import CharacterId
from protocol.games.first_edition.words import TestKind
from protocol.values import evolve
from server.games.first_edition.rules import death, harm, movement, mythos, places, trauma
from server.games.first_edition.rules.effects import Run, resolves
from server.games.first_edition.rules.tests import attribute_test


@resolves(schema.Suffer)
async def _suffer(run: Run, step: schema.Suffer) -> None:
    """Deal damage, horror or both. K-DAMAGE-1, K-DAMAGE-2, K-DECIDE-27."""
    await harm.suffer_together(
        run.game,
        await run.characters(step.who),
        damage=step.damage,
        horror=step.horror,
        dealer=run.source.monster if run.source.by_monster else None,
    )


@resolves(schema.Heal)
async def _heal(run: Run, step: schema.Heal) -> None:
    """Heal damage, horror or both. K-DAMAGE-7."""
    for who in await run.characters(step.who, heals=True):
        harm.heal(run.game, who, damage=step.damage, horror=step.horror)


@resolves(schema.Kill)
async def _kill(run: Run, step: schema.Kill) -> None:
    """Kill characters outright. K-TRAUMA-19."""
    for who in await run.characters(step.who):
        if run.game.table.is_here(who):
            await death.kill(run.game, who)


@resolves(schema.Stun)
async def _stun(run: Run, step: schema.Stun) -> None:
    """Give characters stun tokens. K-STUN-1."""
    for who in await run.characters(step.who):
        harm.stun(run.game, who, step.count)


@resolves(schema.Unstun)
async def _unstun(run: Run, step: schema.Unstun) -> None:
    """Take stun tokens from characters."""
    for who in await run.characters(step.who):
        harm.unstun(run.game, who, step.count)


@resolves(schema.SkillPoints)
async def _skill_points(run: Run, step: schema.SkillPoints) -> None:
    """Give investigators skill points, or take them."""
    for who in await run.people(step.who):
        run.game.emit(SkillPointsChanged(who, step.add))


@resolves(schema.Automatic)
async def _automatic(run: Run, step: schema.Automatic) -> None:
    """Have the next test of characters pass or fail without a roll. K-DECIDE-33."""
    for who in await run.characters(step.who):
        run.game.emit(TestFixed(who, step.result is schema.Result.PASSED, step.tests))


@resolves(schema.Test)
async def _test(run: Run, step: schema.Test) -> None:
    """
    Have each character concerned take a test, and resolve the own result. K-TEST-1, K-DECIDE-27.

    All roll first, in seat order; what follows asks the keeper for trauma cards once, afterwards.
    """
    source, stakes = run.source, run.source.stakes
    kind = TestKind.COMBAT if source.in_combat else TestKind.CARD
    results: dict[CharacterId, schema.Effect] = {}
    people = await run.characters(step.who)
    failed: list[CharacterId] = []
    for who in people:
        about = Text("about/card_test", (who, source.card))
        if stakes is not None:
            about = Text("about/stakes_test", (who, source.card, stakes))
        is_passed = await attribute_test(
            run.game,
            who,
            step.attribute,
            kind=kind,
            about=about,
            modifier=step.modifier,
            is_shared=len(people) > 1,
        )
        results[who] = step.passed if is_passed else step.failed
        if not is_passed:
            failed.append(who)
    if len(results) == 1:
        for who, effect in results.items():
            await run.resolve(effect, evolve(source, actor=who))
        return
    with trauma.held_back(run.game):
        for who, effect in results.items():
            if run.game.table.is_here(who):
                await run.resolve(effect, evolve(source, actor=who))
    for who in failed:
        await mythos.triggered(run.game, who, Trigger.TEST_FAILED)


@resolves(schema.Move)
async def _move(run: Run, step: schema.Move) -> None:
    """
    Have the keeper move characters without evade tests, or an investigator with them.

    K-EVADE-10, W-MOVED-1 to W-MOVED-3, W-PIT-11, W-PIT-15.
    """
    play = run.game
    for who in await run.characters(step.who):
        if not play.table.is_here(who):
            continue
        if step.spaces:
            evades, over_pits = not step.unhindered, step.over_pits
            await movement.lead(
                play, who, step.spaces, run.source, evades=evades, over_pits=over_pits
            )
        elif step.to is not None:
            spaces = [
                space
                for space in places.spaces_at(play, step.to, run.source)
                if movement.can_be_put(play, who, space, run.source)
            ]
            if spaces:
                space = await places.choose_space(play, spaces, run.source, who)
                here, evades = play.table.character(who).space, not step.unhindered
                if not await movement.slips_away(play, who, run.source, evades=evades):
                    continue
                if movement.is_at(play, who, here):
                    await movement.put(
                        play, who, space, is_placed=step.placed, over_pits=step.over_pits
                    )


@resolves(schema.Cure)
async def _cure(run: Run, step: schema.Cure) -> None:
    """Discard trauma cards. K-TRAUMA-14."""
    for who in await run.people(step.who):
        trauma.cure(run.game, who, step.kind)
