"""
A game's journal as Markdown.

Rounds are headings, story is quoted, dice are code. Words mark private lines and chat. All text of
the journal is escaped, so that no name and no chat line can make a heading, a link or a tag.
"""

import re
from collections.abc import Sequence

from client.locale import Locale
from client.tellers.base import JournalLine, Tone
from client.text.printable import printable

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&!$])")
"""Characters that are special in Markdown anywhere in a line."""
_AT_START = re.compile(r"^(?:([-+=])|(\d+)([.)]))")
"""Patterns that are special in Markdown at the beginning of a line."""


def journal_markdown(lines: Sequence[JournalLine], title: str, locale: Locale) -> str:
    blocks = [f"# {_escaped(title)}"]
    last: Tone | None = None
    for line in lines:
        block = _block(line, locale)
        is_item = block.startswith("- ")
        if is_item and last is not None and blocks[-1].startswith("- "):
            blocks[-1] += f"\n{block}"
        elif line.tone is Tone.STORY and last is Tone.STORY:
            # Join the paragraphs of one story into one quote.
            blocks[-1] += f"\n>\n{block}"
        else:
            blocks.append(block)
        last = line.tone
    return "\n\n".join(blocks) + "\n"


def _block(line: JournalLine, locale: Locale) -> str:
    text = _escaped(line.text)
    match line.tone:
        case Tone.ROUND:
            return f"## {text}"
        case Tone.STEP:
            return f"### {text}"
        case Tone.STORY:
            return f"> {text}"
        case Tone.DICE:
            return f"- `{printable(line.text).replace('`', ' ')}`"
        case Tone.PRIVATE:
            return f"- **{locale.say('markdown.private')}** {text}"
        case Tone.CHAT:
            return f"- **{locale.say('markdown.chat')}** {text}"
        case Tone.HINDSIGHT:
            return f"- **{locale.say('markdown.hindsight')}** {text}"
        case Tone.ROOM:
            return f"- *{text}*"
        case Tone.ACTION | Tone.GAIN | Tone.CARD:
            return f"- {text}"


def _escaped(text: str) -> str:
    """Return one line of text, escaped so that Markdown shows the text unchanged."""
    special = _SPECIAL.sub(r"\\\1", printable(text).strip())
    return _AT_START.sub(lambda at: f"\\{at[1]}" if at[1] else f"{at[2]}\\{at[3]}", special)
