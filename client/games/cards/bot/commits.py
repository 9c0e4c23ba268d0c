"""Commits: which cards are worth a test, by the odds that the choices name."""

from client.games.cards.bot.mind import Mind

STAKES = {"fight": 40.0, "evade": 36.0, "investigate": 46.0}
"""Points at stake in a test of an action."""
STAKE = 40.0
"""Points at stake in any other test, such as that of a treachery."""
CARD = 5.0
"""Points that a committed card must gain; that of another investigator a little more."""


def pick_commits(mind: Mind) -> tuple[str, ...]:
    """Return the one card that gains most, if it gains enough; otherwise pass."""
    test, question = mind.table.test, mind.question
    numbers = [one for one in question.prompt.params if isinstance(one, int)]
    if test is None or len(numbers) < 3:
        return question.passing
    now = numbers[2]
    stake = STAKES.get(test.deed, STAKE)
    if mind.is_about_act(test.source):
        stake = 120.0
    price = CARD if test.tester == mind.me.id else CARD + 2.0
    if mind.hand > 6:
        price -= 2.0
    gains = {
        choice.choice_id: stake * (mind.numbers(choice)[0] - now) / 100
        for choice in question.choices
        if not choice.ends
    }
    best = max(gains, key=lambda one: gains[one], default="")
    return (best,) if best and gains[best] >= price else question.passing
