#!/usr/bin/env python3
"""Looks at a built site: docs/check_site.py build/site/html

Every link within it leads to a page and a place that are there. Where there is a Chromium, three pages are opened in it
at 390 and 1280 px, without a network: none writes an error, none is wider than its window. Pictures of them lie in
../pictures.
"""

import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

SITE = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) == 2 else sys.exit(__doc__)
PAGES = ["index.html", "theory/rock.html", "reference/systems/rock.html", "gallery/rock_ramp.html"]
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


def broken_links():
    pages = {path: Page(path) for path in SITE.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                yield f"{path.relative_to(SITE)}: {link}: is not there"
            elif (
                parts.fragment
                and target in pages
                and urllib.parse.unquote(parts.fragment) not in pages[target].anchors
            ):
                yield f"{path.relative_to(SITE)}: {link}: has no such place"


def chromium(url, width, *arguments):
    return subprocess.run(
        [
            "chromium",
            "--headless",
            "--no-sandbox",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--virtual-time-budget=3000",
            f"--window-size={width},1600",
            *arguments,
            url,
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )


def ugly_pages():
    pictures = SITE.parent / "pictures"
    pictures.mkdir(exist_ok=True)
    for page in PAGES:
        # The page in a frame, as no window is as narrow; beside the page itself, so that it has its styles.
        measured, frame = (SITE / page).with_suffix(".measured.html"), (SITE / page).with_suffix(".frame.html")
        measured.write_text(
            (SITE / page)
            .read_text()
            .replace(
                "</body>",
                "<script>onload = () => parent.postMessage("
                "document.documentElement.scrollWidth + ' of ' + innerWidth, '*')</script></body>",
            )
        )
        for width in WIDTHS:
            frame.write_text(
                "<script>onmessage = e => document.title = 'width ' + e.data</script>"
                f"<iframe src='{measured.name}' width={width} height=1600 style='border: 0'></iframe>"
            )
            done = chromium(frame.as_uri(), width + 200, "--dump-dom")
            found = re.search(r"<title>width (\d+) of (\d+)</title>", done.stdout)
            if not found or found[2] != str(width) or int(found[1]) > width:
                yield f"{page}: at {width} px it is {found[0] if found else 'not drawn'}"
            yield from (f"{page}: {line}" for line in done.stderr.splitlines() if "CONSOLE" in line)
            picture = pictures / f"{page.replace('/', '_')[:-5]}_{width}.png"
            chromium((SITE / page).as_uri(), width, f"--screenshot={picture}")
            if not picture.exists() or picture.stat().st_size < 20000:
                yield f"{page}: its picture at {width} px is empty"
        measured.unlink()
        frame.unlink()


def main():
    wrong = list(broken_links())
    if shutil.which("chromium"):
        wrong += ugly_pages()
    else:
        print("there is no chromium to open pages with")
    print("\n".join(wrong) if wrong else "all links lead somewhere")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
