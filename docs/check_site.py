#!/usr/bin/env python3
"""Looks at a built site: docs/check_site.py build/site/html

Every link within it leads to a page and a place that are there. Where there is a Chromium, some pages are opened in it
at 390 and 1280 px, without a network: none writes an error, none is wider than its window. Pictures of them, both
widths side by side, lie in ../pictures.

    docs/check_site.py --external build/site/html

prints the addresses that the site, the README and CITATION.cff lead to beyond them, and a page that does, and asks none:
no test needs a network. Where there is one,

    docs/check_site.py --external build/site/html | cut -f 1 | xargs -n 1 curl -fsSL -o /dev/null

says which are gone.
"""

import argparse
import concurrent.futures
import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

TREE = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["index.html", "theory/rock.html", "reference/systems/rock.html", "reference/python.html",
         "reference/headers/integrate.html", "gallery/rock_ramp.html", "validation.html"]
WIDTHS = [390, 1280]


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def external_links(site):
    """Pages by the address that they lead to."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        for link in Page(path).links:
            if urllib.parse.urlsplit(link).netloc:
                found.setdefault(link, []).append(str(path.relative_to(site)))
    for name in ("README.md", "CITATION.cff"):
        text = (TREE / name).read_text()
        links = re.findall(r"https?://[^\s)>\"]+", text)
        links += [f"https://doi.org/{doi}" for doi in re.findall(r"(?m)^ *doi: (\S+)", text)]
        for link in links:
            found.setdefault(link, []).append(name)
    return found


def broken_links(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                yield f"{path.relative_to(site)}: {link}: is not there"
            elif (
                parts.fragment
                and target in pages
                and urllib.parse.unquote(parts.fragment) not in pages[target].anchors
            ):
                yield f"{path.relative_to(site)}: {link}: has no such place"


CHROMIUM = TREE / "docs/chromium.sh"


def chromium(url, width, *arguments):
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            [
                CHROMIUM,
                f"--user-data-dir={profile}",
                "--enable-logging=stderr",
                "--virtual-time-budget=3000",
                f"--window-size={width},1600",
                *arguments,
                url,
            ],
            capture_output=True,
            text=True,
            timeout=120,
        )


def what_is_ugly(site, page):
    path, wrong = site / page, []
    # The page in frames, as no window is as narrow; beside the page itself, so that it has its styles.
    measured, frames = path.with_suffix(".measured.html"), path.with_suffix(".frames.html")
    measured.write_text(
        path.read_text().replace(
            "</body>",
            "<script>onload = () => parent.postMessage("
            "document.documentElement.scrollWidth + ' of ' + innerWidth, '*')</script></body>",
        )
    )
    frames.write_text(
        "<script>onmessage = e => document.title += ' width ' + e.data + ';'</script>"
        + "".join(f"<iframe src='{measured.name}' width={w} height=1600 style='border: 0'></iframe>" for w in WIDTHS)
    )
    picture = site.parent / "pictures" / f"{page.replace('/', '_')[:-5]}.png"
    done = chromium(frames.as_uri(), sum(WIDTHS) + 50, "--dump-dom", f"--screenshot={picture}")
    measured.unlink()
    frames.unlink()
    if not picture.exists() or picture.stat().st_size < 40000:
        wrong.append(f"{page}: its picture is empty")
    for width in WIDTHS:
        found = re.search(rf"<title>.*width (\d+) of {width};", done.stdout)
        if not found or int(found[1]) > width:
            wrong.append(f"{page}: at {width} px it is {f'{found[1]} px wide' if found else 'not drawn'}")
    return wrong + [f"{page}: {line}" for line in done.stderr.splitlines() if "CONSOLE" in line]


def ugly_pages(site):
    (site.parent / "pictures").mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for wrong in pool.map(lambda page: what_is_ugly(site, page), PAGES):
            yield from wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=pathlib.Path, help="the folder html of a built site")
    parser.add_argument("--external", action="store_true", help="print where it leads beyond it, look at nothing")
    options = parser.parse_args()
    site = options.site.resolve(strict=True)
    if options.external:
        for link, names in sorted(external_links(site).items()):
            more = len(dict.fromkeys(names)) - 1
            print(link, names[0] + (f" and {more} more" if more else ""), sep="\t")
        return
    wrong = list(broken_links(site))
    if subprocess.run([CHROMIUM, "--version"], capture_output=True).returncode != 77:
        wrong += ugly_pages(site)
    else:
        print("there is no chromium to open pages with")
    print("\n".join(wrong) if wrong else "all links lead somewhere")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
