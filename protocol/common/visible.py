"""Escapes the unprintable characters of text from strangers."""

INVISIBLE = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)
"""Printable characters without a visible shape: fillers, variation selectors, the empty braille
cell."""

_FIXED_SPACES = "\u00a0\u202f"
"""No-break spaces, which our French words use."""


def visible(text: str) -> str:
    """Return one line of text with its unprintable and its invisible characters as escapes."""
    if text.isascii() and text.isprintable():
        return text
    shown = [
        char in _FIXED_SPACES or (char.isprintable() and char not in INVISIBLE) for char in text
    ]
    return "".join(
        char if is_shown else char.encode("unicode_escape").decode()
        for char, is_shown in zip(text, shown, strict=True)
    )
