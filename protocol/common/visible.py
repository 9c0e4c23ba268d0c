"""Text of strangers made visible: what can be printed as it is, and all else as escapes."""

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
"""What counts as printable and shows nothing: fillers, selectors of a form, empty braille."""

_FIXED_SPACES = "\u00a0\u202f"
"""Spaces that hold a line together: our own French has them."""


def visible(text: str) -> str:
    """Return one line of text with all that cannot be printed written out as escapes."""
    if text.isascii() and text.isprintable():
        return text
    shown = [
        char in _FIXED_SPACES or (char.isprintable() and char not in INVISIBLE) for char in text
    ]
    return "".join(
        char if is_shown else char.encode("unicode_escape").decode()
        for char, is_shown in zip(text, shown, strict=True)
    )
