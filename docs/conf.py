"""Sphinx reads this in the folder that docs/build.py puts together."""

import html
import re

from docutils import nodes
from latex2mathml.converter import convert

project = "Scree"
author = "The Scree developers"
extensions = ["myst_parser"]
myst_enable_extensions = ["deflist", "dollarmath"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 3
highlight_language = "text"
smartquotes = False  # options begin with two hyphens
html_theme = "furo"
html_title = "Scree"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"sidebar_hide_name": False}
html_math_renderer = "mathml"
exclude_patterns = ["generated/*"]
nitpicky = True
python_maximum_signature_line_length = 80
# Types of other packages have no pages here.
nitpick_ignore_regex = [("py:class", ".*")]


# Equations become MathML, which browsers draw by themselves: no script, no network. One with a \tag has the number that
# it has in the header of its system, and the anchor equation-NUMBER; others have none.
def mathml(latex, display):
    text = convert(re.sub(r"\\tag\{([^}]*)\}", "", latex), display="block" if display else "inline")
    # An accent as wide as a letter, not an exponent: fonts differ in how high that would be.
    text = re.sub(
        r"<msup>(<m[io][^>]*>[^<]*</m[io]>)<m[io]>(&#x0203[23];)</m[io]></msup>",
        r'<mrow>\1<mo lspace="0" rspace="0">\2</mo></mrow>',
        text,
    )
    text = re.sub(
        r"<msup>(<msubsup>.{0,90}?)<mi>&#x02032;</mi></msubsup><mi>&#x02032;</mi></msup>",
        r"\1<mi>&#x02033;</mi></msubsup>",
        text,
    )
    text = re.sub(
        r"<msubsup>(<m[io][^>]*>[^<]*</m[io]>)(<m[ion][^>]*>[^<]*</m[ion]>)<m[io]>(&#x0203[23];)</m[io]></msubsup>",
        r'<msub><mrow>\1<mo lspace="0" rspace="0">\3</mo></mrow>\2</msub>',
        text,
    )
    return text.replace('<mo stretchy="false">&#x0007C;', '<mo stretchy="false" lspace="0" rspace="0">&#x0007C;')


def visit_math(self, node):
    self.body.append(mathml(node.astext(), False))
    raise nodes.SkipNode


def visit_math_block(self, node):
    tag = re.search(r"\\tag\{([^}]*)\}", node.astext())
    number = f"({tag[1]})" if tag else ""
    anchor = ' id="equation-' + re.sub(r"[^0-9a-z]+", "-", tag[1].lower()) + '"' if tag else ""
    self.body.append(
        f'<div class="equation"{anchor}><div class="formula">{mathml(node.astext(), True)}</div>'
        f'<span class="number">{html.escape(number)}</span></div>\n'
    )
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer(
        "mathml", inline_renderers=(visit_math, None), block_renderers=(visit_math_block, None)
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
