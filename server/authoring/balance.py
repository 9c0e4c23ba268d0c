"""
A page on the balance of a pack: how often each side wins each scenario among bots.

`manse content balance core` writes `docs/balance.md` of the core pack. The page names the command
that made it, and the same command on the same pack writes the same page.
"""

from collections.abc import Iterator, Sequence

from content.plugs.kind import LoadedPack, WinBounds
from server.authoring.bot_brains import USUAL_BRAIN
from server.authoring.report import Report


def is_balanced(found: Report, bounds: Sequence[WinBounds]) -> bool:
    """
    Return True if the share of games that each side won is within the bounds of the game.

    It must be so for each number of players.
    """
    return all(
        bound is None or bound.least <= rate <= bound.most
        for party in found.parties
        for side, rate in party.win_rates.items()
        for bound in [_bounds_for(bounds, side, party.players)]
    )


def _bounds_for(bounds: Sequence[WinBounds], side: str, players: int) -> WinBounds | None:
    fitting = (
        bound
        for bound in bounds
        if bound.side in {"", side} and (not bound.players or players in bound.players)
    )
    return next(fitting, None)


def page(
    pack: LoadedPack, reports: Sequence[Report], bounds: Sequence[WinBounds], command: str
) -> Iterator[str]:
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
    for side in dict.fromkeys(bound.side for bound in bounds):
        yield ""
        yield _in_words(side, [bound for bound in bounds if bound.side == side])
    for found in reports:
        yield from _of_scenario(pack, found)


def _in_words(side: str, bounds: Sequence[WinBounds]) -> str:
    """Return a sentence on the bounds of one side."""
    who = f"`{side}` should win" if side else "a scenario should be won"
    said = []
    for bound in bounds:
        players = [*bound.players]
        most = f" to {players[-1]}" if players[1:] else ""
        if players:
            said.append(f"with {players[0]}{most} players {who} between {bound.least} % and ")
        elif said:
            said.append(f"with any other number, not below {bound.least} % or above {bound.most} %")
            continue
        else:
            said.append(f"{who} between {bound.least} % and ")
        said[-1] += f"{bound.most} % of the time"
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}."


def _of_scenario(pack: LoadedPack, found: Report) -> Iterator[str]:
    yield ""
    yield f"## {pack.catalogs['en'][found.scenario]['name']}"
    yield ""
    yield f"`{found.scenario}`"
    yield ""
    sides = found.parties[0].wins if found.parties else {}
    by_side = len(sides) > 1
    won = [*(f"Won by `{side}`" for side in sides), "Won by nobody"] if by_side else ["Won"]
    yield f"| Players | Games | {' | '.join(won)} | Rounds | Answers | Minutes (estimated) |"
    yield f"| ---: | ---: |{' ---: |' * len(won)} --- | --- | --- |"
    for party in found.parties:
        rates = [*party.win_rates.values(), *([party.percent(party.nobody)] if by_side else [])]
        shares = " | ".join(f"{rate:.0f} %" for rate in rates)
        yield (
            f"| {party.players} | {party.games} | {shares} | {party.rounds} "
            f"| {party.answers} | {party.minutes} |"
        )
    yield ""
    if any(party.scores for party in found.parties):
        yield "| Players | Score | Side | Mean (least–most) |"
        yield "| ---: | --- | --- | --- |"
        for party in found.parties:
            for score in party.scores:
                yield f"| {party.players} | `{score.name}` | `{score.side}` | {score.value} |"
        yield ""
    if found.plots:
        yield f"| Plot | Games |{''.join(f' Won by `{side}` |' for side in sides)}"
        yield f"| --- | ---: |{' ---: |' * len(sides)}"
        for plot in found.plots:
            won_by = "".join(f" {100 * plot.wins[side] / plot.games:.0f} % |" for side in sides)
            yield f"| `{plot.name}` | {plot.games} |{won_by}"
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
    if found.parts:
        told = ", ".join(f"{kind} {some} of {every}" for kind, some, every in found.parts)
        yield f"Came up in some game: {told}."
        yield ""
    if not found.never:
        yield "Everything in it came up in some game."
        return
    by_kind: dict[str, list[str]] = {}
    for mark in found.never:
        by_kind.setdefault(str(mark.kind), []).append(f"`{mark.id}`")
    told = "; ".join(f"{kind}: {', '.join(ids)}" for kind, ids in by_kind.items())
    yield f"No game came through: {told}."
