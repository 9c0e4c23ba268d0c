"""
A whole game as one HTML page with screens, journal, moments and statistics.

The page loads nothing: its content security policy allows only the page's own script and style
sheet, by their hashes. Text from the game is compressed data, which the script inserts as text
only. All other text in the page is escaped.
"""

import base64
import hashlib
import html
import json
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from importlib import resources

import attrs

from client.exports.colours import css_of
from client.exports.drawings import SIZES, Drawings, as_plain, view_of
from client.journal.replay_model import ReplayModel
from client.locale.results import result_lines
from client.locale.speaker import Speaker
from client.model.viewpoints import Viewpoint
from client.text.printable import printable

_BUTTONS = (
    ("first", "⇤"),
    ("round_back", "«"),
    ("back", "◀"),
    ("play", ""),
    ("on", "▶"),
    ("round_on", "»"),
    ("last", "⇥"),
)
"""The buttons and their signs. A button with an empty sign shows words."""

Progress = Callable[[int], None]
"""Receives the progress in percent."""


def no_progress(_: int) -> None:
    pass


def page_of(
    replay: ReplayModel,
    points: Sequence[Viewpoint],
    speaker: Speaker,
    title: str,
    figures: str = "",
    progress: Progress = no_progress,
) -> str:
    """Return a game as one HTML page.

    Args:
        replay: the replay, which ends up at its last event.
        points: the viewpoints of the page, in order.
        speaker: words in the language of the page.
        title: the title of the page.
        figures: the statistics as HTML; may be empty.
        progress: called with the progress in percent whenever the percentage has grown.
    """
    drawings = Drawings()
    views = []
    for at, point in enumerate(points):
        replay.switch_viewpoint(point)
        drawn = partial(_tell_hundredth, progress, at, len(points))
        views.append(view_of(replay, speaker, drawings, drawn))
    value = as_plain(drawings, views)
    # A lone surrogate is no text; `printable` has taken those out.
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    # Raw deflate, for which browsers have a decompressor.
    game = base64.b64encode(zlib.compress(data, 9, -zlib.MAX_WBITS)).decode()
    style = _part("look.css") + css_of(drawings.styles, replay.tables[-1].room.ruleset)
    head = _head(printable(title), result_lines(speaker, replay.tables[-1]))
    return _document(speaker, head, style, game, figures)


def _tell_hundredth(progress: Progress, view: int, views: int, steps: int, of: int) -> None:
    """Report the progress in percent if the percentage has changed since the previous step."""
    before, now = (100 * (view * of + done) // (views * of) for done in (steps - 1, steps))
    if now > before:
        progress(now)


@attrs.frozen
class _Head:
    """The head of a page, as HTML."""

    title: str
    result: str
    """The winners and the scores; may be empty."""


def _head(title: str, result: Sequence[str]) -> _Head:
    said = " ".join(printable(line) for line in result)
    return _Head(html.escape(title), f'<p id="result">{html.escape(said)}</p>\n' if said else "")


def _document(speaker: Speaker, head: _Head, style: str, game: str, figures: str) -> str:
    script = _part("steps.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    words = {
        "event": speaker.say("page.event"),
        "moments": speaker.say("page.moments"),
        "no_hit": speaker.say("page.no_hit"),
        "play": speaker.say("page.play"),
        "stop": speaker.say("page.stop"),
        "rows": {name: rows for name, (rows, _) in SIZES.items()},
    }
    # Escaped so that it can neither end an element nor begin a comment.
    said = json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")
    said = said.replace(">", "\\u003e").replace("&", "\\u0026")
    return (
        f'<!DOCTYPE html>\n<html lang="{html.escape(speaker.locale.language)}">\n<head>\n'
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{head.title}</title>\n<style>{style}</style>\n</head>\n<body>\n<h1>{head.title}</h1>\n"
        f"{head.result}"
        f"{_body(speaker, figures)}"
        f'<script type="application/json" id="words">{said}</script>\n'
        f'<script type="application/octet-stream" id="game">{game}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _body(speaker: Speaker, figures: str) -> str:
    def say(key: str) -> str:
        return html.escape(speaker.say(key))

    labels = {
        "first": say("page.first"),
        "round_back": say("page.round_back"),
        "back": say("page.back"),
        "play": say("page.play"),
        "on": say("page.on"),
        "round_on": say("page.round_on"),
        "last": say("page.last"),
    }
    buttons = "".join(
        f'<button id="{name}" aria-label="{labels[name]}" title="{labels[name]}">{sign}</button>'
        if sign
        else f'<button id="{name}">{labels[name]}</button>'
        for name, sign in _BUTTONS
    )
    numbers = (
        f'<section id="numbers"><h2>{say("page.numbers")}</h2>{figures}</section>'
        if figures
        else ""
    )
    return (
        f"<noscript><p>{say('page.needs_script')}</p></noscript>\n"
        f'<p id="trouble" hidden>{say("page.needs_script")}</p>\n'
        f'<main id="game_box" hidden>\n<section aria-label="{say("page.game")}">\n'
        f'<div class="bar">{buttons}<label>{say("page.view")} <select id="view"></select></label>'
        f'<span id="place"></span>'
        f'<input type="range" id="timeline" min="0" value="0" aria-label="{say("page.timeline")}">'
        "</div>\n"
        '<div id="drawing" role="img" tabindex="0"></div>\n'
        '<div id="note" aria-live="polite"></div>\n'
        f'<details id="offered_box"><summary>{say("box.offered")}</summary>'
        '<ul id="offered"></ul></details>\n</section>\n'
        f'<section aria-label="{say("pane.journal")}">\n<div class="bar">'
        f'<select id="moments" aria-label="{say("page.moments")}"></select>'
        f'<input type="search" id="search" aria-label="{say("page.search")}" '
        f'placeholder="{say("page.search")}">'
        f'<button id="hit_back" aria-label="{say("page.hit_back")}">↑</button>'
        f'<button id="hit_on" aria-label="{say("page.hit_on")}">↓</button>'
        '<span id="found" role="status"></span></div>\n'
        f'<ol id="journal" tabindex="0" aria-label="{say("pane.journal")}"></ol>\n</section>\n'
        f"{numbers}\n</main>\n"
        f"<p><small>{say('page.keys')}</small></p>\n"
    )


def _part(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    """Return the hash of a script or style sheet for the content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
