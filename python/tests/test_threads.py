"""Other threads go on while samples run, and Ctrl-C gives what was finished."""

import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest

import scree

# Some seconds of work on a core.
LONG = {"system": "projectile", "scheme": "euler", "samples": 1_000_000, "step": 0.001, "end": 60.0,
        "vary": {"start.speed": {"uniform": [10.0, 100.0]}}}


def ticks_during(call):
    """How often another thread comes by while a call lasts: a thousand times a second, hardly ever if kept out."""
    ticks, over = 0, threading.Event()

    def tick():
        nonlocal ticks
        while not over.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    call()
    over.set()
    thread.join()
    return ticks


def test_other_threads_run_meanwhile(ramp):
    assert ticks_during(lambda: scree.run(ramp | {"samples": 200}, threads=1)) > 20


@pytest.mark.parametrize("calls_back", [True, False])
def test_ctrl_c_gives_the_finished_samples(calls_back):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(scree.Interrupted) as found:
        scree.run(LONG, progress=(lambda *_: None) if calls_back else None, grace=5)
    partial = found.value.partial
    assert isinstance(found.value, KeyboardInterrupt)
    assert partial.sizes["sample"] == LONG["samples"]
    assert 0 < partial.scree.status["not_run"] < LONG["samples"]
    assert scree.run(LONG | {"samples": 10}).scree.status["not_run"] == 0, "the next run begins anew"


def test_ctrl_c_is_not_lost_where_all_samples_are_in_flight():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    few = LONG | {"samples": 2, "step": 4e-7, "vary": {"start.speed": {"uniform": [99.0, 100.0]}}}
    with pytest.raises(scree.Interrupted) as found:
        scree.run(few, threads=2, grace=300)
    assert found.value.partial.scree.status["not_run"] == 0


def test_a_program_ends_while_a_run_goes_on():
    lines = f"import threading, time, scree\nthreading.Thread(target=scree.run, args=({LONG!r},), daemon=True).start()\n"
    done = subprocess.run([sys.executable, "-c", lines + "time.sleep(0.5)"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_warnings_may_be_errors_and_cost_no_result(tmp_path, ramp):
    steep = ramp | {"start": {"orientation": [2.0, 0.0, 0.0, 0.0]}, "vary": {}}
    out = tmp_path / "r.h5"
    with pytest.warns(scree.ScreeWarning):
        scree.run(steep, out=out)
    before = out.read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(scree.ScreeWarning):
            scree.run(steep, out=out, force=True)
    assert out.read_bytes() == before


def test_what_a_callback_throws_ends_the_run():
    def fail(done, samples, steps, seconds):
        raise ZeroDivisionError("in the callback")

    with pytest.raises(ZeroDivisionError, match="in the callback"):
        scree.run(LONG, progress=fail, grace=0)


def test_two_runs_at_a_time_are_each_their_own(ramp):
    digests = {}

    def work(seed):
        digests[seed] = scree.run(ramp, seed=seed, threads=1).scree.digest

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert digests == {seed: scree.run(ramp, seed=seed).scree.digest for seed in range(1, 5)}


STEEP = {"start": {"orientation": [2.0, 0.0, 0.0, 0.0]}, "vary": {}}


def test_warnings_are_of_the_line_that_called(ramp, config, tmp_path):
    steep = ramp | STEEP
    with pytest.warns(scree.ScreeWarning, match="has length 2") as caught:
        ds = scree.run(steep)
        line = sys._getframe().f_lineno - 1
    assert (caught[0].filename, caught[0].lineno) == (__file__, line)
    with pytest.warns(scree.ScreeWarning, match="has length 2") as caught:
        ds.scree.extend(60)
    assert caught[0].filename == __file__
    for call in (lambda: scree.compare(steep, schemes=["explicit", "implicit"]),
                 lambda: scree.converge(steep, halvings=1), lambda: scree.check(steep)):
        with pytest.warns(scree.ScreeWarning, match="has length 2") as caught:
            call()
        assert caught[0].filename == __file__
    scree.run(config, out=tmp_path / "r.h5", shard=(0, 2))
    with pytest.warns(scree.ScreeWarning, match="1 of 2 shards is missing") as caught:
        found = scree.merge(tmp_path / "r.h5.shards", tmp_path / "m.h5", partial=True)
    assert caught[0].filename == __file__ and found.scree.status["not_run"] == 20


def interrupt_soon(seconds):
    """Ctrl-C, once Python's main thread is in the library."""
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_ends_a_merge_with_the_part_in_hand(config, tmp_path):
    for number in range(2):
        scree.run(config, out=tmp_path / "r.h5", shard=(number, 2))
    shards = sorted((tmp_path / "r.h5.shards").glob("*.h5"))
    interrupt_soon(0.3)
    with pytest.raises(scree.Interrupted, match="m.h5 is not written$"):
        scree.merge(shards * 25, tmp_path / "m.h5")
    assert not (tmp_path / "m.h5").exists()
    assert scree.merge(shards, tmp_path / "m.h5").sizes["sample"] == 40


MANY = {"system": "projectile", "scheme": "euler", "samples": 1_000_000, "step": 1.0, "end": 2.0,
        "vary": {"start.speed": {"uniform": [1.0, 2.0]}}}


@pytest.mark.long
@pytest.mark.parametrize("reads", [scree.open, scree.check])
def test_ctrl_c_leaves_what_is_read(tmp_path, ramp, reads):
    given = ramp | {"samples": 1_000_000}  # a second: there is a look for Ctrl-C every 50 ms
    if reads is scree.open:
        given = tmp_path / "r.h5"
        scree.run(MANY, out=given)
    found = None
    for seconds in 5 * (0.1, 0.05, 0.02, 0.2):  # where the machine is busy it may come before, or after
        try:
            interrupt_soon(seconds)
            reads(given)
            time.sleep(seconds + 1)
        except scree.Interrupted as interrupted:
            found = interrupted
            break
        except KeyboardInterrupt:
            pass
    assert str(found) == "interrupted before all was read or drawn" and found.partial is None
    reads(given)


@pytest.mark.parametrize("command", [scree.run, scree.converge])
def test_another_thread_ends_a_run(command):
    over = threading.Event()
    threading.Timer(0.5, over.set).start()
    with pytest.raises(scree.Interrupted) as found:
        command(LONG, stop=over, grace=5)
    partial = found.value.partial if command is scree.run else found.value.partial.arms["euler"]
    assert 0 < partial.scree.status["not_run"] < LONG["samples"]
    with pytest.raises(scree.Interrupted):
        scree.run(LONG, stop=over)
    with pytest.raises(ValueError, match="^stop = True, must have is_set"):
        scree.run(LONG, stop=True)


def test_another_thread_ends_what_reads_and_merges(config, tmp_path, either):
    for number in range(2):
        scree.run(config, out=tmp_path / "r.h5", shard=(number, 2))
    parts, out = sorted((tmp_path / "r.h5.shards").glob("*.h5")), tmp_path / "m.h5"
    over = threading.Event()
    over.set()
    for call in [lambda stop: either.merge(parts, out, stop=stop), lambda stop: either.open(parts[0], stop=stop),
                 lambda stop: either.check(config, stop=stop)]:
        with pytest.raises(scree.Interrupted, match="^interrupted"):
            call(over)
        with pytest.raises(ValueError, match="^stop = True, must have is_set"):
            call(True)
    assert not out.exists()
    over = threading.Event()
    assert either.open(parts[0], stop=over).sizes["sample"] == 20
    assert either.check(config, stop=over)["samples"] == 40
    assert either.merge(parts, out, stop=over).sizes["sample"] == 40


def test_another_thread_ends_replays_and_draws(ramp, either):
    ds, over = either.run(ramp), threading.Event()
    assert ds.scree.replay(3, stop=over).equals(ds.scree.replay(3)) and ds.scree.drawn(stop=over).sizes["sample"] == 40
    over.set()
    for call in (lambda stop: ds.scree.replay([3, 5], stop=stop), lambda stop: ds.scree.drawn(stop=stop)):
        with pytest.raises(scree.Interrupted, match="^interrupted") as found:
            call(over)
        assert found.value.partial is None
        with pytest.raises(ValueError, match="^stop = True, must have is_set"):
            call(True)


@pytest.mark.parametrize("by", ["signal", "stop"])
def test_an_end_leaves_the_samples_that_are_replayed(by):
    many = scree.run(LONG, samples=20_000)
    over = threading.Event()
    threading.Timer(0.3, over.set if by == "stop" else lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(scree.Interrupted, match=r"^interrupted: \d+ of 20000 samples were replayed$"):
        many.scree.replay(range(20_000), every=10_000, stop=over)
    assert many.scree.replay(7).sizes["time"] > 9, "the next goes on"


def test_other_threads_run_while_inputs_are_drawn():
    ds = scree.run(MANY)
    calls = 0

    def draw():  # one call may be over in 20 ms
        nonlocal calls
        start = time.monotonic()
        while time.monotonic() < start + 0.3:
            ds.scree.drawn()
            calls += 1

    # Where others are kept out they come by once between two calls.
    assert ticks_during(draw) > 2 * calls + 20


def test_a_process_may_fork_between_runs(ramp):
    digest = scree.run(ramp).scree.digest
    child = os.fork()
    if child == 0:
        same = False
        try:
            same = scree.run(ramp, threads=2).scree.digest == digest
        finally:
            os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0 and scree.run(ramp).scree.digest == digest


@pytest.mark.long
def test_a_process_that_forks_while_a_run_goes_on_ends():
    lines = (f"import os, sys, threading, time, scree\nover = threading.Event()\n"
             f"threading.Thread(target=scree.run, args=({LONG!r},), kwargs={{'stop': over}}).start()\ntime.sleep(0.5)\n"
             "child = os.fork()\nif child == 0:\n    sys.exit()\nos.waitpid(child, 0)\nprint('ended')\nover.set()\n")
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, timeout=60)
    assert done.stdout == "ended\n", done.stderr
