"""Statistics as bar charts: in characters for a terminal, as SVG for an HTML page."""

import html
from collections.abc import Iterator, Sequence

from client.exports.statistics import Amount, Statistics, label, number
from client.locale.speaker import Speaker
from client.plugs.counting import Chart, Row
from client.settings.preferences import Charset
from client.text.printable import clip, printable, width_of

_LABEL, _BAR = 40, 24
"""Maximum widths in cells of a label and of a bar."""
_SHORT = 20
"""Maximum number of characters of a label beside an SVG chart."""
_HIGH, _LEFT, _LONG, _WIDE = 22, 160, 110, 440
"""SVG units: height of a row, start of the bars, longest bar, and full width."""

Rows = Sequence[tuple[Row, Amount]]


def in_lines(statistics: Statistics, speaker: Speaker, charset: Charset) -> Iterator[str]:
    """Yield the lines of a table of statistics, with a bar for each row."""
    minutes = round(statistics.milliseconds / 60_000)
    yield speaker.say("stats.of", statistics.games, statistics.events, minutes)
    sign = "#" if charset is Charset.ASCII else "█"
    for chart, rows in statistics.shown():
        yield ""
        yield speaker.say(chart.title)
        names = [clip(label(row, speaker), _LABEL) for row, _ in rows]
        amounts = [_amount(chart, found, speaker) for _, found in rows]
        wide, high = max(map(width_of, names)), max(map(width_of, amounts))
        most = _most(rows)
        for name, amount, (_, found) in zip(names, amounts, rows, strict=True):
            bar = sign * round(_BAR * found.amount / most)
            gap, before = " " * (wide - width_of(name)), " " * (high - width_of(amount))
            yield f"  {name}{gap}  {before}{amount}  {bar}".rstrip()


def _amount(chart: Chart, found: Amount, speaker: Speaker) -> str:
    said = number(chart, found.amount, speaker)
    if found.expected is None:
        return said
    return speaker.say("stats.against", said, number(chart, found.expected, speaker))


def _most(rows: Rows) -> float:
    # If all are 0, no bar has a length.
    return max(max(found.amount, found.expected or 0) for _, found in rows) or 1


def in_svg(found: Statistics, speaker: Speaker) -> str:
    """Return an HTML figure for each chart, with the numbers as text too."""
    return "".join(_figure(chart, rows, speaker) for chart, rows in found.shown())


def _figure(chart: Chart, rows: Rows, speaker: Speaker) -> str:
    title = _escaped(speaker.say(chart.title))
    said = "; ".join(
        f"{_escaped(label(row, speaker))}: {_escaped(_amount(chart, found, speaker))}"
        for row, found in rows
    )
    most = _most(rows)
    bars = ""
    for at, (row, found) in enumerate(rows):
        top = at * _HIGH
        long = round(_LONG * found.amount / most, 1)
        mark = ""
        if found.expected is not None:
            place = round(_LEFT + _LONG * found.expected / most, 1)
            mark = f'<rect class="bar2" x="{place}" y="{top + 1}" width="3" height="{_HIGH - 4}"/>'
        shown = _escaped(clip(label(row, speaker), _SHORT))
        amount = _escaped(_amount(chart, found, speaker))
        bars += (
            f'<text x="{_LEFT - 8}" y="{top + 15}" text-anchor="end">{shown}</text>'
            f'<rect class="bar1" x="{_LEFT}" y="{top + 3}" width="{long}" height="{_HIGH - 8}"/>'
            f'{mark}<text x="{_LEFT + _LONG + 8}" y="{top + 15}">{amount}</text>'
        )
    high = _HIGH * len(rows) + 4
    return (
        f'<figure><figcaption>{title}</figcaption><svg viewBox="0 0 {_WIDE} {high}" '
        f'width="{_WIDE}" height="{high}" role="img" aria-label="{title}. {said}">{bars}</svg>'
        "</figure>"
    )


def _escaped(text: str) -> str:
    return html.escape(printable(text))
