"""Hostile strings, as strangers write them to harm a terminal, a page, a file or a parser.

They follow from a seed. Each kind is named after what it attacks; the kinds for pages, tables and
mail are for words shown outside a terminal.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

KINDS: Final[Mapping[str, Sequence[str]]] = {
    "C0": [chr(code) for code in (*range(0x20), 0x7F)],
    "C1": [chr(code) for code in range(0x80, 0xA0)],
    "CSI": ["\x1b[2J", "\x1b[31m", "\x1b[1;1H", "\x1b[?1049h", "\x9b31m", "\x1b[6n", "\x1b[4:3m"],
    "OSC": ["\x1b]0;owned\x07", "\x1b]52;c;cm0=\x1b\\", "\x9d2;owned\x9c", "\x1b]8;;http://x\x07a"],
    "other escapes": ["\x1bc", "\x1b(0", "\x1bP+q544e\x1b\\", "\x1b_x\x1b\\", "\x1b#8", "\x0e"],
    "lines": ["\r", "\n", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\t", "\b\b\b"],
    "bidi": [*"\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"],
    "zero width": [*"\u200b\u200c\u200d\u2060\u2061\u2064\ufeff\u00ad\u034f\u180e"],
    "tags": [
        "".join(chr(0xE0000 + ord(letter)) for letter in "owned"),
        "\U000e0001",
        "\U000e0101",
        "\ufe0f",
    ],
    "fillers": [*"\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5"],
    "piles": ["a" + "\u0301" * 30, "\u0489" * 9, "\u0e33" * 9, "o" + "\u20dd\u0335\u0316" * 5],
    "wide": ["\u4f60\u597d", "\U0001f468\u200d\U0001f469", "\U0001f1eb\U0001f1f7", "\u1100\u1161"],
    "confusables": ["\u0410nn", "Pau1", "\uff21\uff4e\uff4e", "\U0001d400", "\u0131", "\u2024"],
    "broken": ["\ud800", "\udfff", "\ufffe", "\uffff", "\U0010ffff", "\ue000", "\ufffd"],
    "braces": ["{", "}", "{0}", "{session.__class__}", "{{", "{key.help}", "%s", "%(name)s", "$x"],
    "style markup": [
        "<b>",
        "</style>",
        "<style bg='red'>",
        "class:title",
        "[red]",
        "**",
        "`",
        "# ",
    ],
    "HTML": ["<script>alert(1)</script>", "<img src=x onerror=y>", "&lt;", "&#x1b;", "<!--", "-->"],
    "attributes": ['" onload="x', "' style='x", "javascript:x", "data:text/html,x", "`x`"],
    "SVG": ["<svg/onload=x>", "<![CDATA[", "]]>", "<?xml ?>", "<!ENTITY x>", "url(#x)"],
    "JSON in a script": ["</script><script>", "\\u003c", '"};x={"', "<!--<script>", "//"],
    "cells": ["=1+1", "+cmd|' /C x'!A0", "-2", "@SUM(A1)", '",="', ";", "\t=x"],
    "mail": ["\r\nBcc: x@y", "\nSubject: owned", "=?utf-8?q?x?=", ".\r\n", "x@y, z@y"],
}
"""Pieces of hostile words, by what they attack."""

_HARMLESS: Final = ("Ann", "the hall", "où ?", "12", " ", "", "Ирина", "…")
_MOST_PIECES: Final = 5


def hostile_words(count: int, seed: int = 0) -> Iterator[str]:
    """Yield `count` strings: each kind in turn, surrounded by pieces of any kind."""
    dice = random.Random(seed)
    kinds = list(KINDS)
    for number in range(count):
        pieces = [dice.choice(KINDS[kinds[number % len(kinds)]])]
        for _ in range(dice.randrange(_MOST_PIECES)):
            any_kind = KINDS[dice.choice(kinds)]
            pieces.append(dice.choice((dice.choice(any_kind), dice.choice(_HARMLESS))))
        dice.shuffle(pieces)
        yield "".join(pieces)
