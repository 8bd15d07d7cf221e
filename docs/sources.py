"""What is named in the tree, and as what in docs/references.bib: for docs/build.py, which makes the page on sources."""

import html
import pathlib
import re

TREE = pathlib.Path(__file__).resolve().parent.parent
NAMES = r"[A-Z][\w'-]+(?:(?:, [A-Z][\w'-]+)* and [A-Z][\w'-]+| et al\.)?(?:'s)?"
YEAR = r"(?:1[89]|20)\d\d"
# A volume, a year and a page, or names and a year; numbers in code are neither.
LIKE_A_SOURCE = re.compile(rf"\b\d+ \({YEAR}\) e?\d+\b|\b{NAMES},? \(?{YEAR}\b(?!\.\d)")
NO_AUTHORS = re.compile(r"(Author|Tschamut)\b")
WITHOUT_ENTRY = re.compile(r"laboratory text|textbook mechanics|Newton's law")


def entries(path=TREE / "docs/references.bib"):
    """The entries by key: dictionaries of their fields, `type` among them."""
    text = re.sub(r"(?m)^%.*\n", "", path.read_text())
    found = {}
    for kind, key, body in re.findall(r"@(\w+)\{(\w+),\n(.*?)\n\}\n", text, re.DOTALL):
        fields = re.findall(r"^  (\w+) = \{(.*?)\},$", body, re.DOTALL | re.MULTILINE)
        found[key] = {"type": kind} | {name: " ".join(value.split()) for name, value in fields}
    if len(found) != text.count("@"):
        raise SystemExit(f"{path}: an entry is not of the form that is read here, or is there twice")
    return found


def authors(entry):
    """As pairs of a surname and initials, which may be empty; `others` for et al."""
    return [tuple((name.strip("{}") + ", ").split(", ")[:2]) for name in entry.get("author", "").split(" and ") if name]


def enumerated(names):
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def pattern(key, entry):
    """Words of which one is there where the tree names this entry, which are found sooner, and how it names it."""
    names = [surname for surname, _ in authors(entry)]
    year, volume, title = entry.get("year"), entry.get("volume"), entry.get("title", "")
    page = entry.get("pages", "").split("--")[0]
    ways = [re.escape(key)] if len(key) <= 4 else []
    when = rf"(?:\({year}\)|\(?{year})"
    if volume and page:
        journal = rf"(?:{re.escape(entry['journal'])} )?"
        ways += [rf"{journal}{volume} \({year}\) {page}", rf"{journal}{volume}, {page}(?:-\d+)?,? {when}"]
    elif volume:
        ways.append(rf"{re.escape(entry['journal'])} {volume} \({year}\)")
    elif "journal" in entry:
        ways.append(rf"{re.escape(entry['journal'])} {year}")
    if "booktitle" in entry:
        ways.append(rf"{re.escape(entry['booktitle'])},? {year}")
    if "eprint" in entry:
        ways.append(re.escape(f"arXiv:{entry['eprint']}"))
    if year and names:
        rest = r"(?: et al\.|(?:, [A-Z][\w'-]+)* and [A-Z][\w'-]+)" + ("?" if len(names) == 1 else "")
        ways.append(rf"{re.escape(names[0])}{rest}(?:'s)?,? {when}")
    if names and title:
        ways.append(re.escape(f"{enumerated(names)}, {title}"))
    if entry["type"] == "book" and len(names) > 1:
        ways.append(re.escape(enumerated(names)))
    elif title and not year:
        ways.append(rf'"{re.escape(title)}"')
    text = "|".join(rf"(?<![\w-])(?:{way})(?!\w)" for way in ways)
    hints = [*(names[:1] or [title]), *([key] if len(key) <= 4 else []), *([page] if volume and page else [])]
    hints += [entry[part].split()[-1] for part in ("booktitle", "journal") if part in entry and not (volume and page)]
    return hints, re.compile(re.sub(r"(?:\\ | )", r"\\s+", text))


def known(text, patterns):
    """Where sources are named, in order and without overlaps: (begin, end, key)."""
    found = sorted((match.start(), -match.end(), key) for key, (hints, form) in patterns.items()
                   if any(hint in text for hint in hints) for match in form.finditer(text))
    last, kept = 0, []
    for begin, end, key in found:
        if begin >= last:
            kept.append((begin, -end, key))
            last = -end
    return kept


def words_of(path):
    """The text of a file, without what makes it a comment or a list, on one line."""
    return re.sub(r"\s+", " ", re.sub(r"(?m)^\s*(?:///?|#+|-) ?", "", path.read_text()))


def places(patterns):
    """Files by the key of what they name, and what is named without an entry, as text."""
    files = [path for folder in ("src", "kernels", "host") for path in (TREE / folder).rglob("*")
             if path.suffix in (".hpp", ".cpp", ".cuh", ".md")]
    files += [*(TREE / "configs").glob("*.toml"), *(TREE / "docs").rglob("*.md"), TREE / "README.md"]
    found, missing = {key: [] for key in patterns}, []
    for path in sorted(files):
        text, name = words_of(path), str(path.relative_to(TREE))
        spans = known(text, patterns)
        for key in dict.fromkeys(key for _, _, key in spans):
            found[key].append(name)
        for match in LIKE_A_SOURCE.finditer(text):
            if not NO_AUTHORS.match(match[0]) and not any(b < match.end() and match.start() < e for b, e, _ in spans):
                missing.append(f"{name}: {match[0]}")
        for match in re.finditer(r"\bSources?: ", text):
            near = text[match.end():match.end() + 200]
            if not known(near, patterns) and not WITHOUT_ENTRY.search(near):
                missing.append(f"{name}: {match[0]}{near[:60]}...")
    missing += [f"docs/references.bib: {key} is named nowhere" for key, names in found.items() if not names]
    return found, missing


def reference(entry):
    """An entry in Markdown."""
    people = [" ".join(part for part in (initials, surname) if part) for surname, initials in authors(entry)]
    if people and people[-1] == "others":
        names = ", ".join(people[:-1]) + " et al."
    else:
        names = enumerated(people) if people else ""
    journal = f"*{entry['journal']}*" if "journal" in entry else ""
    where = [part for part in (
        f"{journal} {entry.get('volume', '')}".strip() if journal else "",
        f"*{entry['booktitle']}*" if "booktitle" in entry else "",
        entry.get("howpublished", ""), entry.get("note", ""),
        f"{entry['edition']} ed." if "edition" in entry else "",
        entry.get("pages", "").replace("--", "\N{EN DASH}")) if part]
    title = entry.get("title", "")
    if title and entry["type"] == "book":
        title = f"*{title}*"
    text = ". ".join(part for part in (names + (f" ({entry['year']})" if "year" in entry else ""), title,
                                       ", ".join(where)) if part)
    if "doi" in entry:
        text += f". [doi {entry['doi']}](https://doi.org/{entry['doi']})"
    if "eprint" in entry:
        text += f". [arXiv:{entry['eprint']}](https://arxiv.org/abs/{entry['eprint']})"
    return html.escape(text, quote=False) + ("" if text.endswith(".") else ".")


def with_links(page, patterns):
    """A page of the site whose names of sources, but for those in code, equations, headings and links, lead to them."""
    apart = re.compile(r"^```.*?^```|^#.*?$|`[^`]*`|\$[^$]*\$|!?\[[^\]]*\]\([^)]*\)", re.MULTILINE | re.DOTALL)
    closed = [match.span() for match in apart.finditer(page)]
    text, last = "", 0
    for begin, end, key in known(page, patterns):
        if not any(b < end and begin < e for b, e in closed):
            text += f"{page[last:begin]}[{page[begin:end]}](#source-{key.lower()})"
            last = end
    return text + page[last:]
