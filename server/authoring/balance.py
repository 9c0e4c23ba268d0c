"""
A page on the balance of a pack: how often bots win each scenario.

`manse content balance core` writes `docs/balance.md` of the core pack. The page names the command
that made it, and the same command on the same pack writes the same page.
"""

from collections.abc import Iterator, Sequence

from content.plugs.kind import LoadedPack
from server.authoring.bot_brains import USUAL_BRAIN
from server.authoring.report import Report

FEW, MANY = (10, 95)
"""Bounds of the percentage of games won, for any number of players."""
LEAST, MOST = (35, 85)
"""Bounds of the percentage of games won, for the numbers of players in `USUAL`."""
USUAL = range(2, 5)


def is_balanced(found: Report) -> bool:
    """
    Return True if the share of games won is within this module's bounds.

    It must be so for each number of players.
    """
    return all(
        LEAST <= party.win_rate <= MOST if party.players in USUAL else FEW <= party.win_rate <= MANY
        for party in found.parties
    )


def page(pack: LoadedPack, reports: Sequence[Report], command: str) -> Iterator[str]:
    """Yield the lines of the page, in Markdown."""
    yield "# Balance"
    yield ""
    bots = reports[0].bots if reports else USUAL_BRAIN
    who = "bots that play with sense" if bots == USUAL_BRAIN else f"bots (`{bots}`)"
    yield f"How {who} fare in the scenarios of the pack `{pack.id}`. Made by"
    yield ""
    yield "```console"
    yield f"$ {command}"
    yield "```"
    yield ""
    yield (
        f"With {USUAL[0]} to {USUAL[-1]} players a scenario should be won between {LEAST} % and "
        f"{MOST} % of the time; with any other number, not below {FEW} % or above {MANY} %."
    )
    for found in reports:
        yield from _of_scenario(pack, found)


def _of_scenario(pack: LoadedPack, found: Report) -> Iterator[str]:
    yield ""
    yield f"## {pack.catalogs['en'][found.scenario]['name']}"
    yield ""
    yield f"`{found.scenario}`"
    yield ""
    yield "| Players | Games | Won | Rounds | Answers | Minutes (estimated) |"
    yield "| ---: | ---: | ---: | --- | --- | --- |"
    for party in found.parties:
        yield (
            f"| {party.players} | {party.games} | {party.win_rate:.0f} % | {party.rounds} "
            f"| {party.answers} | {party.minutes} |"
        )
    yield ""
    yield "| Ending | Games |"
    yield "| --- | ---: |"
    endings: dict[str, int] = {}
    for party in found.parties:
        for epilogue, count in party.endings.items():
            endings[epilogue] = endings.get(epilogue, 0) + count
    for epilogue, count in sorted(endings.items(), key=lambda item: (-item[1], item[0])):
        yield f"| `{epilogue}` | {count} |"
    yield ""
    if not found.never:
        yield "Everything in it came up in some game."
        return
    by_kind: dict[str, list[str]] = {}
    for mark in found.never:
        by_kind.setdefault(str(mark.kind), []).append(f"`{mark.id}`")
    told = "; ".join(f"{kind}: {', '.join(ids)}" for kind, ids in by_kind.items())
    yield f"No game came through: {told}."
