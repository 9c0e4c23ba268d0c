"""Edits a settings file made by `--write-config` as a documentation page says."""


def with_settings(text: str, block: str) -> str:
    """Return the file with each line of the page's block in place of its commented default."""
    lines, section = text.splitlines(), ""
    for line in block.splitlines():
        if line.startswith("["):
            section = line
        elif line:
            at = lines.index(section)
            name = line.partition(" = ")[0]
            while not lines[at].startswith(f"#{name} = "):
                at += 1
                assert not lines[at].startswith("["), f"{section} has no {name}"
            lines[at] = line
    return "\n".join(lines) + "\n"
