"""A Bitwuzla with planted faults, as a module `bitwuzla` that a process finds first: a symbol selects a fault."""

SOURCE = """
import importlib.util, os, signal, sys, time
from pathlib import Path

folder = next(path for path in sys.path if path.endswith("site-packages"))
spec = importlib.util.spec_from_file_location("bitwuzla", next(Path(folder).glob("bitwuzla*.so")))
real = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real)
globals().update({name: getattr(real, name) for name in dir(real) if not name.startswith("__")})


def recurse(depth):
    return 0 if depth == 0 else max(map(recurse, (depth - 1,)))


def overflow():
    sys.setrecursionlimit(1 << 30)
    recurse(30_000)


def abort():
    print("Fatal failure within f() at /home/somebody/src/theory.cpp:7\\nCheck failure\\n x == y", file=sys.stderr)
    sys.stderr.flush()
    os.abort()


FAULTS = {
    "abort": abort,
    "divide": lambda: os.kill(os.getpid(), signal.SIGFPE),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "overflow": overflow,
    "loop": lambda: time.sleep(600),
    "allocate": lambda: bytearray(1 << 40),
}


class Parser(real.Parser):
    def parse(self, text, *more):
        for symbol, fault in FAULTS.items():
            if f"declare-const {symbol} " in text:
                fault()
        return super().parse(text, *more)
"""


def problem(symbol: str) -> str:
    """Return a sat problem with one symbol, which may select a fault."""
    return f"(set-logic ALL)(declare-const {symbol} Bool)(assert {symbol})(check-sat)"
