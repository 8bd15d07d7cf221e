"""Other threads go on while samples run, and Ctrl-C gives what was finished."""

import _thread
import signal
import threading
import time

import pytest

import scree

# Some seconds of work on a core.
LONG = {"system": "projectile", "scheme": "euler", "samples": 1_000_000, "step": 0.001, "end": 60.0,
        "vary": {"start.speed": {"uniform": [10.0, 100.0]}}}


def test_other_threads_run_meanwhile(ramp):
    ticks, over = 0, threading.Event()

    def tick():
        nonlocal ticks
        while not over.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    scree.run(ramp | {"samples": 3000}, threads=1)
    seconds = time.monotonic() - start
    over.set()
    thread.join()
    assert seconds > 0.2 and ticks > 100 * seconds


def test_ctrl_c_gives_the_finished_samples():
    asked = []

    def interrupt(done, samples, steps, seconds):
        if done > 0 and not asked:
            asked.append(done)
            _thread.interrupt_main(signal.SIGINT)

    with pytest.raises(scree.Interrupted) as found:
        scree.run(LONG, progress=interrupt, grace=5)
    partial = found.value.partial
    assert isinstance(found.value, KeyboardInterrupt)
    assert partial.sizes["sample"] == LONG["samples"]
    assert 0 < partial.scree.status["not_run"] < LONG["samples"]
    assert scree.run(LONG | {"samples": 10}).scree.status["not_run"] == 0, "the next run begins anew"


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


def test_warnings_are_those_of_python(ramp):
    with pytest.warns(scree.ScreeWarning, match="has length 2"):
        scree.run(ramp | {"start": {"orientation": [2.0, 0.0, 0.0, 0.0]}, "vary": {}})
