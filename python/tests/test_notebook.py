"""In a notebook: progress, Ctrl-C, and how what was found is shown."""

import pytest

pytest.importorskip("ipykernel")
manager = pytest.importorskip("jupyter_client.manager")

# Minutes of work.
LONG = """
import scree
LONG = {"system": "projectile", "scheme": "euler", "samples": 100_000, "step": 1e-5, "end": 60.0,
        "vary": {"start.speed": {"uniform": [10.0, 100.0]}}}
"""


@pytest.fixture(scope="module")
def notebook():
    """Runs a cell and gives its outputs, each of which `seen` may be told of."""
    kernel, client = manager.start_new_kernel(kernel_name="python3")

    def run(cell, seen=lambda output: None):
        outputs = []

        def take(message):
            outputs.append(message["content"] | {"type": message["msg_type"]})
            seen(outputs[-1])

        client.execute_interactive(cell, timeout=120, output_hook=take)
        return outputs

    run.interrupt = kernel.interrupt_kernel
    yield run
    client.stop_channels()
    kernel.shutdown_kernel(now=True)


def text_of(outputs):
    return "".join(output.get("text", "") for output in outputs)


def html_of(outputs):
    return "".join(output.get("data", {}).get("text/html", "") for output in outputs)


@pytest.mark.parametrize("bar", ["tqdm.auto", None])
def test_ctrl_c_in_a_notebook_gives_the_finished_samples(notebook, bar):
    if bar is None:
        notebook("import sys\nsys.modules['tqdm.auto'] = None  # cannot be imported")
    else:
        pytest.importorskip(bar)
    shown = []

    def interrupt(output):
        if output.get("name") == "stderr":
            shown.append(output["text"])
            if len(shown) == 1:
                notebook.interrupt()

    outputs = notebook(LONG + "ds = scree.run(LONG, grace=5)", interrupt)
    assert ("/100000 [" if bar else "/100000 samples") in "".join(shown)
    assert [output["ename"] for output in outputs if output["type"] == "error"] == ["Interrupted"]
    ends = notebook("import sys\npartial = sys.last_value.partial\nprint(partial.scree.status['not_run'])")
    assert 0 < int(text_of(ends)) < 100_000
    assert f" {int(text_of(ends))} not_run, " in html_of(notebook("partial"))


def test_a_dataset_is_shown_with_how_its_samples_ended(notebook):
    shown = html_of(notebook("ds = scree.run(LONG | {'samples': 10, 'step': 0.01})\nds"))
    assert "projectile, euler: 10 stopped; digest " in shown and ".scree.replay(0)" in shown
    assert shown.count("<div class='xr-wrap'") == 1
    for other in ("ds.isel(sample=0)", "import xarray\nxarray.Dataset()"):
        shown = html_of(notebook(other))
        assert "xr-wrap" in shown and "digest" not in shown.split("xr-wrap")[0]


def test_a_comparison_is_shown_in_sentences(notebook):
    cell = "scree.compare(LONG | {'samples': 10, 'step': 0.01}, schemes=['euler', 'rk4'], progress=None)"
    shown = html_of(notebook(cell))
    assert shown.startswith("<p>Comparison of euler, rk4</p><ul><li>")
