"""collsim: collective communication, simulated and modelled.

    >>> import collsim
    >>> rows = collsim.run(topo="dgx", algo=["ring", "tree"], size="64MiB")
    >>> [(row["algorithm"], row["time_s"]) for row in rows]   # doctest: +SKIP
    >>> rows.df()                                             # doctest: +SKIP

Every command of the program is a function of its name: run, why, train, plan, sweep, check,
claims, compare, fit, tune, synth, doctor, validate, topo, listing (`collsim list`) return rows;
explain, lab, quiz, new, export, report, merge return text; bench and measure start processes and
are the program's alone.  Rows that are asked for as text (`text=True`, `csv=True`),
a drawn machine and a file of a tuner are `.text`, which print() shows.  Positional arguments
are the words of the command line (`print(topo("svg", topo="dgx-1"))`), keyword arguments its
options, with `_` for `-` and a trailing `_` where Python has the word (`with_=...`): True is a
switch, None and False leave the option out, what can be iterated is a list.  `COMMAND.help()`
is the text of `collsim COMMAND --help all`.

A machine is a name of the library, a path, the text of a file, or a dict of the form of
topo/README.md.  A failure is an exception with the sentence of the program.  Ctrl-C raises
KeyboardInterrupt; finished rows are in its attribute `rows`.  Calls from several threads run
at once.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import threading
from pathlib import Path
from types import FrameType
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Type, Union

__all__ = [
    "AnswerError", "CannotError", "Error", "InputError", "Progress", "Rows", "call", "check",
    "claims", "compare", "doctor", "explain", "export", "fit", "lab", "listing", "merge", "new", "plan", "quiz",
    "report", "run", "sweep", "synth", "topo", "train", "tune", "validate", "version", "why",
]

Machine = Union[str, "os.PathLike[str]", Mapping[str, Any]]

#: Is called when a computation begins and then about every 50 ms, with its name and the share
#: that is done, None while it is unknown.  An exception of it stops the run, and is raised.
Progress = Callable[[str, Optional[float]], None]

_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double)


def _open() -> ctypes.CDLL:
    path = os.environ.get("COLLSIM_LIBRARY") or str(Path(__file__).with_name("libcollsim.so"))
    library = ctypes.CDLL(path)
    text, call = ctypes.c_char_p, ctypes.c_void_p
    calls: List[Tuple[Any, ...]] = [
        ("version", text),
        ("new", call, text),
        ("free", None, call),
        ("set", None, call, text, text),
        ("add", None, call, text, text),
        ("unset", None, call, text),
        ("repeats", ctypes.c_int, call, text),
        ("machine", None, call, text),
        ("watch", None, call, _PROGRESS, ctypes.c_void_p),
        ("run", ctypes.c_int, call),
        ("output", text, call),
        ("error", text, call),
        ("notes", text, call),
    ]
    for name, result, *arguments in calls:
        function = getattr(library, "collsim_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _open()

#: The version of the library, as "0.1.0".
version: str = _library.collsim_version().decode()
__version__ = version


class Error(Exception):
    """A command failed: `status` is the exit status of the program, `rows` are those that were
    finished before."""

    def __init__(self, sentence: str, status: int, rows: "Rows"):
        super().__init__(sentence)
        self.status = status
        self.rows = rows


class AnswerError(Error):
    """The answer is bad: a proof or a gate failed (1)."""


class InputError(Error, ValueError):
    """A command, an option, a value or a file is wrong (2)."""


class CannotError(Error):
    """Impossible here (3)."""


_ERRORS: Dict[int, Type[Error]] = {1: AnswerError, 2: InputError, 3: CannotError}


class Rows(List[Dict[str, Any]]):
    """The rows of a result as dicts, times in seconds, sizes in bytes, rates in bytes per
    second; `document` is the whole JSON, `notes` are the notes and warnings of the program.
    Output that is no JSON is `text`, without rows, and what print() shows."""

    def __init__(self, document: Mapping[str, Any], notes: List[str], text: str = ""):
        lists = [value for value in document.values() if isinstance(value, list)]
        rows = lists[0] if lists else [] if "error" in document else [document]
        super().__init__(row if isinstance(row, dict) else {"value": row} for row in rows)
        self.document: Dict[str, Any] = dict(document)
        self.notes = notes
        self.text = text

    def __str__(self) -> str:
        return self.text or repr(self)

    def df(self) -> Any:
        """The rows as a pandas.DataFrame."""
        try:
            import pandas  # type: ignore[import-untyped,unused-ignore]
        except ImportError as error:
            raise ImportError("df() needs pandas: pip install pandas") from error
        return pandas.DataFrame(list(self))


def _bytes(text: str) -> bytes:
    """UTF-8; names of files that are none come back as Python has them."""
    return text.encode(errors="surrogateescape")


def _text(value: Any) -> str:
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, bytes):
        value = os.fsdecode(value)
    text = float.__repr__(value) if isinstance(value, float) else str(value)
    if "\0" in text:
        raise ValueError(f"a zero byte in {text[:40]!r}")
    return text


def _options(options: Mapping[str, Any]) -> Iterator[Tuple[str, Any]]:
    for name, value in options.items():
        if value is not None and value is not False:
            yield name.rstrip("_").replace("_", "-"), value


class _Signals:
    """While the library runs in the main thread, signals wait for its next update: a handler
    that raises anywhere in a callback would be lost."""

    _numbers = sorted(signal.valid_signals())
    # Without the enumerations of signal.getsignal(), which took a fifth of a call.
    _handler = staticmethod(signal._signal.getsignal)  # type: ignore[attr-defined,unused-ignore]

    def __init__(self) -> None:
        self._came: List[Tuple[int, Optional[FrameType]]] = []
        self._handlers: Dict[int, Callable[[int, Optional[FrameType]], Any]] = {}

    def __enter__(self) -> "_Signals":
        if threading.current_thread() is threading.main_thread():
            for number in self._numbers:
                handler = self._handler(number)
                if callable(handler):
                    self._handlers[number] = handler
                    signal.signal(number, self._note)
        return self

    def __exit__(self, *_: Any) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: Optional[FrameType]) -> None:
        self._came.append((number, frame))

    def pass_on(self) -> None:
        while self._came:
            number, frame = self._came.pop(0)
            self._handlers[number](number, frame)


class _Call:
    """A call of the library, freed at the end of a `with`."""

    def __init__(self, command: str):
        self._call = _library.collsim_new(command.encode())
        if not self._call:
            raise MemoryError

    def __enter__(self) -> "_Call":
        return self

    def __exit__(self, *_: Any) -> None:
        _library.collsim_free(self._call)

    def add(self, option: Optional[str], value: Optional[str]) -> None:
        _library.collsim_add(self._call, option and _bytes(option),
                             None if value is None else _bytes(value))

    def set(self, option: str, value: Any) -> None:
        name = _bytes(option)
        if isinstance(value, Mapping):
            value = json.dumps(value, indent=1)
        if option == "json":
            return
        if option == "text":
            _library.collsim_unset(self._call, b"json")
            return
        if value is True:
            _library.collsim_set(self._call, name, None)
        elif isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
            _library.collsim_set(self._call, name, _bytes(_text(value)))
        elif _library.collsim_repeats(self._call, name):
            for one in value:
                self.add(option, _text(one))
        else:
            _library.collsim_set(self._call, name, _bytes(",".join(map(_text, value))))

    def run(self, progress: Optional[Progress]) -> int:
        """The status; raises what the progress function or a handler of a signal raised."""
        raised: List[BaseException] = []

        def watch(_: Any, phase: bytes, share: float) -> int:
            try:
                signals.pass_on()
                if progress:
                    progress(phase.decode(), share if share >= 0 else None)
            except BaseException as problem:  # KeyboardInterrupt, too
                raised.append(problem)
            return len(raised)

        with _Signals() as signals:
            function = _PROGRESS(watch)
            _library.collsim_watch(self._call, function, None)
            status = int(_library.collsim_run(self._call))
            _library.collsim_watch(self._call, _PROGRESS(), None)
        if raised:
            raised[0].rows = self.rows()  # type: ignore[attr-defined]
            raise raised[0]
        signals.pass_on()
        return status

    def output(self) -> str:
        return str(_library.collsim_output(self._call).decode(errors="replace"))

    def error(self) -> str:
        return str(_library.collsim_error(self._call).decode(errors="replace"))

    def notes(self) -> List[str]:
        return str(_library.collsim_notes(self._call).decode(errors="replace")).splitlines()

    def rows(self) -> Rows:
        output = self.output()
        if output.startswith("{"):
            return Rows(json.loads(output), self.notes())
        return Rows({"error": self.error()}, self.notes(), output)


def call(command: str, *words: Any, progress: Optional[Progress] = None,
         **options: Any) -> Tuple[int, str, List[str]]:
    """The exit status, the output and the notes of a command, as the program prints them:
    `call("topo", "show", topo="dgx", text=True)`; a status of not 0 is no exception."""
    with _Call(command) as one:
        for word in words:
            one.add(None, _text(word))
        for option, value in _options(options):
            one.set(option, value)
        return one.run(progress), one.output(), one.notes()


class _Command:
    """A command of the program."""

    def __init__(self, name: str, about: str):
        self.name = name
        self.__doc__ = f"{about}\n\nOptions: `{name}.help()`."

    def help(self) -> str:
        """Every option, as `collsim COMMAND --help all` prints them."""
        with _Call(self.name) as one:
            one.add(None, "--help")
            one.add(None, "all")
            one.run(None)
            return one.output()

    def _run(self, one: _Call, words: Tuple[Any, ...], progress: Optional[Progress],
             options: Mapping[str, Any]) -> None:
        for word in words:
            one.add(None, _text(word))
        for option, value in _options(options):
            one.set(option, value)
        status = one.run(progress)
        if status:
            raise _ERRORS.get(status, Error)(one.error(), status, one.rows())


class _Table(_Command):
    def __call__(self, *words: Any, topo: Optional[Machine] = None,
                 progress: Optional[Progress] = None, **options: Any) -> Rows:
        with _Call(self.name) as one:
            self._run(one, words, progress, {"topo": topo, **options})
            return one.rows()


class _Text(_Command):
    def __call__(self, *words: Any, topo: Optional[Machine] = None,
                 progress: Optional[Progress] = None, **options: Any) -> str:
        with _Call(self.name) as one:
            self._run(one, words, progress, {"text": True, "topo": topo, **options})
            return one.output()


run = _Table("run", "Simulates a collective on a machine; with `library`, the time of a library.")
why = _Table("why", "Why a run takes so long, and what to change.")
train = _Table("train", "The step of a training job.")
plan = _Table("plan", "What to buy: time, price, power, failures.")
sweep = _Table("sweep", "Every combination of a file's axes, into a database.")
check = _Table("check", "Proves the data flow of algorithms without simulation.")
claims = _Table("claims", "Textbook claims: where each holds, by measurement.")
topo = _Table("topo", "A machine: show, tree, matrix, check, cables, export, ...")
listing = _Table("list", "Machines, algorithms, models, links, ...: `collsim list`.")
validate = _Table("validate", "Predictions beside measurements.")
compare = _Table("compare", "A measured log beside what the machine gives, with causes.")
doctor = _Table("doctor", "Whether this build gives the answers of others here, and what it lacks.")
fit = _Table("fit", "The cost model of a machine from its logs; needs a build with GSL.")
tune = _Table("tune", "A faster choice of algorithm and protocol, for NCCL's tuner.")
synth = _Table("synth", "The best schedule for a machine; with `out`, as a file.")
explain = _Text("explain", "An algorithm step by step: text, SVG, a page with a player.")
lab = _Text("lab", "A lesson as Markdown or a page: predict, run, explain.")
quiz = _Text("quiz", "Questions with keys, drawn by `seed`.")
new = _Text("new", "An algorithm of your own as a text NAME.cs, to be changed, proven and run.")
export = _Text("export", "An algorithm as a schedule of another tool.")
report = _Text("report", "Plots and a page from a database.")
merge = _Text("merge", "Joins the databases of a sweep's shards.")
