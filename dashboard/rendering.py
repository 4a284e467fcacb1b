"""Pages that can be opened without a network. Plotly, 5 MB, is a file beside them, or inside for one file to send.

Texts from findings and runs are not trusted: Jinja escapes every text, figures are inserted as JSON that cannot close
its tag, and the content security policy of a page forbids the browser to load or send anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
from chcfuzz.dashboard.smtlib import in_colours
from chcfuzz.execution.files import is_special, write_named
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar import printable
from markupsafe import Markup
from plotly.offline import get_plotlyjs, get_plotlyjs_version

_HERE = Path(__file__).parent


PLOTLY = f"plotly-{get_plotlyjs_version()}.min.js"  # the name of the file beside pages


def write(html: str, into: Path, flag: str, one_file: bool = False) -> None:
    """Write a page, and Plotly beside it; raises `UsageError` that names the flag for another file.

    In `one_file`, and in a pipe or a device, Plotly is a part of the page.
    """
    try:
        if one_file or is_special(into):
            html = html.replace(f'<script src="{PLOTLY}"></script>', f"<script>{get_plotlyjs()}</script>")
        elif not (beside := into.with_name(PLOTLY)).is_file():
            write_named(beside, get_plotlyjs().encode())
        write_named(into, encoded(html))
    except OSError as error:
        raise UsageError(f"cannot write {str(into)!r}: {error.strerror}; name another file with {flag}") from error


def encoded(text: str) -> bytes:
    """Return a page as bytes; parts of file names that are not UTF-8 become question marks."""
    return text.encode(errors="replace")


def rendered(template: str, **values: Any) -> str:
    """Return a page as HTML, with its style and its script."""
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FileSystemLoader(_HERE),
    )
    environment.filters.update(clock=clock, number=number, smtlib=lambda text: Markup(in_colours(text)))
    return environment.get_template(template).render(
        **values,
        style=Markup((_HERE / "page.css").read_text()),
        script=Markup((_HERE / "page.js").read_text()),
        plotly=PLOTLY,
    )


def clock(seconds: float | None) -> str:
    """Return a duration as text, as `printable.clock` does; None becomes an empty text."""
    return "" if seconds is None else printable.clock(seconds)


def number(value: float) -> str:
    """Return a whole number with commas."""
    return f"{int(value):,}"
