"""The Python package as its sources describe it: for docs/build.py, which makes the page of its reference."""

import ast
import pathlib
import re
import sys

TREE = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = TREE / "python/scree"
# What the program calls options that arguments are not called, and the commands that functions are.
OPTIONS = {"out": "output", "at_most": "at-most", "no_maps": "no-maps", "step_error": "step-error"}
COMMANDS = {"run": "run", "run_extended": "run", "compare": "compare", "converge": "converge", "merge": "merge",
            "check": "check", "build": "build"}


def parsed():
    """The modules of the package by name."""
    return {path.stem: ast.parse(path.read_text()) for path in sorted(PACKAGE.glob("*.py"))}


def definitions(tree):
    """What a module or class defines, by name."""
    return {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def public(tree):
    return {name: node for name, node in definitions(tree).items() if not name.startswith("_")}


def offered(package):
    """The names that the package offers."""
    for node in package.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    sys.exit("python/scree/__init__.py: has no __all__")


def is_property(node):
    return any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)


def arguments(node):
    """The arguments of a function: name, type and default."""
    of = node.args
    positional = [*of.posonlyargs, *of.args]
    defaults = [None] * (len(positional) - len(of.defaults)) + of.defaults
    for one, default in [*zip(positional, defaults), *zip(of.kwonlyargs, of.kw_defaults)]:
        if one.arg != "self":
            yield (one.arg, ast.unparse(one.annotation) if one.annotation else "",
                   ast.unparse(default) if default is not None else "")


def signature(node, has_table=False):
    """Its arguments and result as Python writes them, without `self` and what is for the package alone, and without the
    types that a table has."""
    of = ast.parse(ast.unparse(node)).body[0].args
    of.args = [one for one in of.args if one.arg != "self"]
    kept = [(one, default) for one, default in zip(of.kwonlyargs, of.kw_defaults) if not one.arg.startswith("_")]
    of.kwonlyargs, of.kw_defaults = [one for one, _ in kept], [default for _, default in kept]
    if has_table:
        for one in of.args + of.kwonlyargs:
            one.annotation = None
    result = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    return f"({ast.unparse(of)}){result}"


def documented(node, where):
    text = ast.get_docstring(node)
    if text is None:
        sys.exit(f"python/scree: {where} has no docstring")
    return text


class Reference:
    """Writes the page. `markdown` has the functions `plain`, `code` and `table`; `meanings` by command and option what
    the program says of it."""

    def __init__(self, markdown, meanings):
        self.markdown, self.meanings, self.modules = markdown, meanings, parsed()
        self.classes = {name: node for tree in self.modules.values() for name, node in definitions(tree).items()}

    def prose(self, text):
        """A docstring in Markdown, with what is indented as code."""
        blocks = []
        for block in re.split(r"\n\s*\n", text):
            is_code = all(line.startswith("    ") for line in block.splitlines())
            blocks.append(self.markdown.code("\n".join(line[4:] for line in block.splitlines()), "python") if is_code
                          else self.markdown.plain(block) + "\n\n")
        return "".join(blocks)

    def entry(self, kind, name, node, more="", options=""):
        return f"`````{{py:{kind}}} {name}\n{options}\n{self.prose(documented(node, name))}{more}`````\n\n"

    def table_of(self, node, command):
        """The arguments of a function, with what the program says of the options of that name."""
        meanings, rows = self.meanings.get(command, {}), []
        for name, kind, default in arguments(node):
            if name.startswith("_"):
                continue
            meaning = meanings.get(OPTIONS.get(name, name), "")
            rows.append([f"`{name}`", f"`{kind}`".replace("|", r"\|"), f"`{default}`" if default else "required",
                         meaning])
        return self.markdown.table(["argument", "type", "default", "the program's words"], rows) if rows else ""

    def function(self, name, node):
        return self.entry("function", name + signature(node, has_table=True), node,
                          self.table_of(node, COMMANDS.get(name.removeprefix("scree."))))

    def members(self, called, node):
        """The methods and properties of a class, as those of what it is called."""
        page = ""
        for name, member in public(node).items():
            if is_property(member):
                page += self.entry("property", f"{called}.{name}", member,
                                   options=f":type: {ast.unparse(member.returns)}\n")
            else:
                page += self.entry("method", f"{called}.{name}{signature(member)}", member)
        return page

    def exception(self, name, node):
        bases = " and ".join(f"`{ast.unparse(base)}`" for base in node.bases)
        codes = [ast.unparse(line.value) for line in node.body
                 if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "code"]
        more = f"Of the kind {bases}" + (f"; exit code {codes[0]}" if codes else "") + ".\n"
        return self.entry("exception", f"scree.{name}", node, more)

    def page(self):
        names = set(offered(self.modules["__init__"]))
        commands = {name: node for name, node in public(self.classes["Commands"]).items() if name in names}
        functions = commands | {"build": self.classes["build"]}
        errors = {name: node for name, node in (definitions(self.modules["_errors"]) | {
            "ScreeWarning": self.classes["ScreeWarning"]}).items() if name in names}
        if left := names - set(functions) - set(errors) - {"Program", "__build__"}:
            sys.exit(f"docs/python_reference.py: has no place for {', '.join(sorted(left))}")
        page = "## Functions\n\n" + "".join(self.function(f"scree.{name}", node) for name, node in functions.items())
        page += "## Types of arguments\n\n" + self.types()
        page += "## A program\n\n" + self.entry(
            "class", "scree.Program" + signature(definitions(self.classes["Program"])["__init__"]),
            self.classes["Program"])
        scree, comparison = self.classes["Scree"], self.classes["Comparison"]
        page += f"## Of a Dataset\n\n{self.prose(documented(scree, 'Scree'))}" + self.members("ds.scree", scree)
        page += f"## Of a comparison\n\n{self.prose(documented(comparison, 'Comparison'))}"
        page += self.members("c", comparison)
        page += f"## Figures\n\n{self.prose(documented(self.classes['Plots'], 'Plots'))}"
        page += self.members("ds.scree.plot", self.classes["Plots"])
        page += self.members("c.plot", self.classes["ComparisonPlots"])
        page += "## Exceptions\n\n" + "".join(self.exception(name, node) for name, node in errors.items())
        return page + "## How it was built\n\n" + self.of_build()

    def types(self):
        rows = []
        for node in self.modules["_calls"].body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("Config", "Progress"):
                rows.append([f"`{ast.unparse(node.targets[0])}`", f"`{ast.unparse(node.value)}`".replace("|", r"\|")])
        rows.append(["`End`", self.markdown.plain(documented(self.classes["End"], "End"))])
        return self.markdown.table(["type", "is"], rows)

    def of_build(self):
        text = (PACKAGE / "__init__.py").read_text()
        lines = re.search(r"((?:^#:.*\n)+)__build__", text, re.MULTILINE)[1]
        return f"`````{{py:data}} scree.__build__\n\n{self.markdown.plain(re.sub(r'(?m)^#: ?', '', lines))}\n`````\n"


def meanings_of(options_page):
    """By command and option, what the page of the program's options says of it, without what Python says itself: the
    default, and whether it is required."""
    found = {}
    for section in re.split(r"(?m)^## scree ", options_page)[1:]:
        command = section.split()[0]
        for words, meaning in re.findall(r"(?m)^`([^`\n]+)`\n: (.*)$", section):
            for option in re.findall(r"--([a-z-]+)", words):
                text = re.sub(r"( \\\[[^]]*\\\]|; required)$", "", meaning)
                found.setdefault(command, {})[option] = text.replace("|", r"\|")
    return found
