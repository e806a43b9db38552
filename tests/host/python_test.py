"""The Python package as installed, beside the program, whose path is the argument: TAP."""
import contextlib
import doctest
import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
import typing
from pathlib import Path

import collsim

PROGRAM = sys.argv[1]
STAR = {"classes": {"wire": {"rate": "25 GB/s", "latency": "1 us"}},
        "devices": {"gpu": {"kind": "gpu", "count": 4}, "hub": {"kind": "switch"}},
        "links": [{"from": "gpu[0-3]", "to": "hub", "class": "wire"}]}


def program(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    # How long it takes on a busy machine is no answer.
    notes = re.sub(r"^.*, about .* to go(;.*)?$\n?", "", done.stderr, flags=re.M)
    return done.returncode, done.stdout, notes


def raises(kind, function, *words, **options):
    try:
        function(*words, **options)
    except kind as error:
        return error
    raise AssertionError("no %s" % kind.__name__)


def the_package_is_the_program_of_its_version():
    assert program("version")[1] == "collsim %s\n" % collsim.version
    assert Path(collsim.__file__).with_name("py.typed").exists()
    assert typing.get_type_hints(type(collsim.run).__call__)["return"] is collsim.Rows


def rows_are_those_of_the_program():
    rows = collsim.run(topo="dgx", algo=["ring", "tree"], size="64MiB")
    document = json.loads(program("--topo", "dgx", "--algo", "ring,tree", "--size", "64MiB", "--json")[1])
    assert rows == document["runs"] and rows.document == document
    assert [row["algorithm"] for row in rows] == ["ring", "tree"]


def every_command_answers_as_the_program():
    for command, words, options in [
            ("why", [], {"topo": "dgx-1", "algo": "ring", "size": "64MiB"}),
            ("train", [], {"topo": "dgx", "model": "resnet50", "batch": 128}),
            ("plan", [], {"gpus": [8, 16], "model": "llama2-7b"}),
            ("check", [], {"topo": "dgx", "algo": "ring"}),
            ("claims", [], {"redundancy": True}),
            ("topo", ["check"], {"topo": "dgx"}),
            ("listing", ["machines"], {}),
            ("tune", [], {"topo": "dgx-h100", "nodes": 2}),
            ("synth", [], {"topo": "dgx-1", "ranks": 4, "collective": "broadcast", "size": "1MiB"}),
            ("explain", [], {"algo": "ring", "ranks": 4}),
            ("export", [], {"algo": "ring", "ranks": 4, "format": "msccl"})]:
        argv = ["list" if command == "listing" else command, *words]
        for name, value in options.items():
            argv.append("--" + name)
            if value is not True:
                argv.append(",".join(map(str, value)) if isinstance(value, list) else str(value))
        function = getattr(collsim, command)
        if command in ("explain", "export"):
            assert function(*words, **options) == program(*argv)[1], command
        else:
            status, out, notes = program(*argv, "--json")
            rows = function(*words, **options)
            assert status == 0 and rows.document == json.loads(out), command
            assert rows.notes == notes.splitlines(), command
        assert "--help" in function.help() and function.__doc__
    commands = re.findall(r"^  (\w+)  ", program("help")[1].split("commands (")[1].split("options of a run")[0], re.M)
    assert set(commands) - {"bench", "measure"} == {
        "list" if name == "listing" else name for name in collsim.__all__ if hasattr(getattr(collsim, name), "help")}


def an_algorithm_of_ones_own_is_written_proven_and_run(folder=Path(sys.argv[2])):
    collsim.new(folder / "own", like="recursive-doubling")
    own = folder / "own.cs"
    assert [row["ranks"] for row in collsim.check(algo=own, ranks="2,4,8")] == [2, 4, 8]
    assert collsim.run(topo="dgx", algo=own)[0]["verified"]


def lessons_are_text_in_the_form_of_their_file(folder=Path(sys.argv[2])):
    assert collsim.lab() == program("lab")[1] and collsim.lab("ring") == program("lab", "ring")[1]
    assert collsim.quiz(seed=7, format="gift") == program("quiz", "--seed", "7", "--format", "gift")[1]
    collsim.lab("ring", out=folder / "ring.html")
    assert (folder / "ring.html").read_text().startswith("<!DOCTYPE html>")


def a_list_is_a_list_or_an_option_given_several_times():
    slow = ["gpu0-nvswitch:rate=50%", "gpu1-nvswitch:rate=25%"]
    one = collsim.run(topo="dgx", fault=slow)[0]["time_s"]
    both = json.loads(program("--topo", "dgx", "--fault", slow[0], "--fault", slow[1], "--json")[1])
    assert one == both["runs"][0]["time_s"]
    assert len(collsim.run(topo="dgx", size=[2 ** k for k in range(10, 16)])) == 6
    assert collsim.run(topo="dgx", with_="all-to-all:size=1MiB", fold=None, csv=False)
    assert len(collsim.run(topo="dgx", size=(2 ** k for k in range(10, 16)))) == 6


def output_that_is_no_json_is_text():
    for words, options, argv in [
            (["svg"], {"topo": "dgx-1"}, ["topo", "svg", "dgx-1"]),
            (["export"], {"topo": "dgx"}, ["topo", "export", "dgx"]),
            (["show"], {"topo": "dgx", "text": True}, ["topo", "show", "dgx"])]:
        rows = collsim.topo(*words, **options)
        assert rows == [] and rows.text == str(rows) == program(*argv)[1], argv
    assert collsim.run(topo="dgx", csv=True).text == program("--topo", "dgx", "--csv")[1]
    tuner = collsim.tune(topo="dgx-h100", nodes=2, format="tuner", all=True).text
    assert tuner == program("tune", "--topo", "dgx-h100", "--nodes", "2", "--format", "tuner", "--all")[1]
    assert collsim.run(topo="dgx").text == ""


def a_machine_is_a_name_a_path_a_text_or_a_dict(folder=Path(sys.argv[2])):
    path = folder / "star.yaml"
    path.write_text(json.dumps(STAR))
    times = [collsim.run(topo=topo, size="1MiB")[0]["time_s"]
             for topo in (STAR, json.dumps(STAR, indent=2), json.dumps(STAR), path, str(path))]
    assert len(set(times)) == 1 and 60e-6 < times[0] < 90e-6
    wrong = raises(collsim.InputError, collsim.run, topo={**STAR, "linsk": []})
    assert "machine:" in str(wrong) and "no key called 'linsk'" in str(wrong)
    assert collsim.run(topo={"generator": "switch:ranks=4"}, size="1MiB")[0]["ranks"] == 4
    raises(ValueError, collsim.run, topo="dgx\0-1")
    assert "empty" in str(raises(collsim.InputError, collsim.run, topo="\n"))
    latin = folder / os.fsdecode(b"st\xe4r.yaml")
    latin.write_text(json.dumps(STAR))
    assert collsim.run(topo=latin, size="1MiB")[0]["time_s"] == times[0]
    assert "no file" in str(raises(collsim.InputError, collsim.run, topo=os.fsdecode(b"st\xe4r")))


def a_failure_is_an_exception_with_the_sentence():
    error = raises(collsim.InputError, collsim.run, topo="dgx", algo="rnig")
    sentence = program("--topo", "dgx", "--algo", "rnig")[2]
    assert sentence == "collsim: %s\n" % error and error.status == 2 and isinstance(error, ValueError)
    assert collsim.call("bench")[0] == 3
    assert raises(collsim.InputError, collsim.run, topo="dgx", siez="1MiB")
    error = raises(collsim.AnswerError, collsim.train, topo="rtx4090", model="llama2-70b", batch=1)
    assert error.rows and error.status == 1


def fits_say_that_this_build_has_none(folder=Path(sys.argv[2])):
    log = folder / "run.txt"
    log.write_text("".join(["#  size  count  type redop root time algbw busbw #wrong time algbw busbw #wrong\n"] + [
        "%d %d float sum -1 %.2f %.2f %.2f 0 %.2f %.2f %.2f 0\n" % (
            size, size // 4, us, size / us / 1e3, 1.75 * size / us / 1e3, us, size / us / 1e3, 1.75 * size / us / 1e3)
        for size, us in ((1 << k, 30 + (1 << k) / 110e3) for k in range(10, 31, 2))]))
    error = raises(collsim.CannotError, collsim.fit, log=log, topo="dgx", library="nccl")
    assert "GNU Scientific Library" in str(error), error


def progress_is_shown_and_stops():
    seen = []
    collsim.run(topo="dgx", size="256MiB", link_model="packet",
                progress=lambda phase, share: seen.append((phase, share)))
    assert seen and all(phase and (share is None or 0 <= share <= 1) for phase, share in seen)

    class Enough(Exception):
        pass

    def stop(phase, share):
        raise Enough(phase)

    for function, options in [
            (collsim.run, {"topo": "dgx"}), (collsim.plan, {"gpus": [64, 256], "model": "llama2-7b"}),
            (collsim.claims, {}), (collsim.check, {"topo": "dgx"})]:
        assert str(raises(Enough, function, progress=stop, **options))


def ctrl_c_is_a_keyboard_interrupt():
    # A shell starts what runs in its background with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for algo in ["ring", ["ring", "tree"]]:
        timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        error = raises(KeyboardInterrupt, lambda: [
            collsim.run(topo="dgx", size="64GiB", link_model="packet", algo=algo) for _ in range(1000)])
        assert time.monotonic() - began < 30
        assert isinstance(error.rows, collsim.Rows)
        timer.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    came = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: came.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    while not came:
        assert collsim.run(topo="dgx", size="64MiB", link_model="packet")
    signal.signal(signal.SIGALRM, before)


def threads_run_at_once():
    expected = collsim.run(topo="dgx", size="1MiB")
    got = []
    threads = [threading.Thread(target=lambda: got.extend(
        collsim.run(topo="dgx", size="1MiB") == expected for _ in range(50))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [True] * 200


def a_thousand_calls_take_little():
    began = time.process_time()
    for _ in range(1000):
        collsim.run(topo="dgx", algo="ring", size="1MiB")
    assert time.process_time() - began < 8  # 0.4 s on a free core


def a_frame_needs_pandas_alone():
    rows = collsim.run(topo="dgx", size="1MiB")
    try:
        import pandas
    except ImportError:
        assert "pip install pandas" in str(raises(ImportError, rows.df))
    else:
        assert isinstance(rows.df(), pandas.DataFrame) and len(rows.df()) == 1


def examples_are_right():
    assert doctest.testmod(collsim).failed == 0
    lines = [line[4:] for line in Path("reports/python/README.md").read_text().splitlines()
             if line.startswith("    ")]
    if not importlib.util.find_spec("pandas"):
        lines = [line for line in lines if ".df()" not in line]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec("\n".join(lines), {})
    assert "did you mean 'ring'?" in said.getvalue() and "computing the cases" in said.getvalue()
    expected = [line for line in lines if "# no algorithm" in line][0].split("# ")[1]
    assert expected in said.getvalue(), (expected, said.getvalue())


def the_notebook_shows_what_its_cells_print(path=Path("reports/python/collectives.ipynb")):
    """COLLSIM_UPDATE=1 rewrites what they show."""
    book = json.loads(path.read_text())
    names = {}
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec("".join(cell["source"]), names)
        lines = said.getvalue().splitlines(True)
        outputs = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
        if os.environ.get("COLLSIM_UPDATE"):
            cell["outputs"] = outputs
        assert cell["outputs"] == outputs, (cell["outputs"], outputs)
    if os.environ.get("COLLSIM_UPDATE"):
        path.write_text(json.dumps(book, indent=1) + "\n")


tests = [
    the_package_is_the_program_of_its_version, rows_are_those_of_the_program,
    every_command_answers_as_the_program, lessons_are_text_in_the_form_of_their_file,
    an_algorithm_of_ones_own_is_written_proven_and_run,
    a_list_is_a_list_or_an_option_given_several_times,
    a_machine_is_a_name_a_path_a_text_or_a_dict, a_failure_is_an_exception_with_the_sentence,
    fits_say_that_this_build_has_none, progress_is_shown_and_stops, ctrl_c_is_a_keyboard_interrupt,
    threads_run_at_once, a_thousand_calls_take_little, a_frame_needs_pandas_alone, examples_are_right,
    the_notebook_shows_what_its_cells_print]
for number, test in enumerate(tests, 1):
    name = test.__name__.replace("_", " ")
    try:
        test()
        print("ok %d - %s" % (number, name), flush=True)
    except BaseException:
        print("not ok %d - %s" % (number, name), flush=True)
        print("# " + traceback.format_exc().replace("\n", "\n# "), flush=True)
print("1..%d" % len(tests))
