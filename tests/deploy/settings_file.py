"""A file of `--write-config` in which somebody sets what a page says."""


def with_settings(text: str, block: str) -> str:
    """Return the file with each line of a page's block in the place of the commented default."""
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
