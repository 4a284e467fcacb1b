"""Pages as one file: they can be opened without a network, and sent to another person.

Texts from findings and runs are not trusted: Jinja escapes every text, figures are inserted as JSON that cannot close
its tag, and the content security policy of a page forbids the browser to load or send anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
from chcfuzz.dashboard.smtlib import in_colours
from chcfuzz.execution.files import write_named
from chcfuzz.execution.solving import UsageError
from markupsafe import Markup
from plotly.offline import get_plotlyjs

_HERE = Path(__file__).parent


def write(html: str, into: Path, flag: str) -> None:
    """Write a page; raises `UsageError` that names the flag for another file."""
    try:
        write_named(into, encoded(html))
    except OSError as error:
        raise UsageError(f"cannot write {str(into)!r}: {error.strerror}; name another file with {flag}") from error


def encoded(text: str) -> bytes:
    """Return a page as bytes; parts of file names that are not UTF-8 become question marks."""
    return text.encode(errors="replace")


def rendered(template: str, **values: Any) -> str:
    """Return a page as HTML, with its style, its script and Plotly."""
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
        plotly=Markup(get_plotlyjs()),
    )


def clock(seconds: float | None) -> str:
    """Return a duration as text: 42 s, 3:07 min, 5:03 h, 2 d 4 h."""
    if seconds is None:
        return ""
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    if whole < 2 * 86400:
        return f"{whole // 3600}:{whole % 3600 // 60:02} h"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"


def number(value: float) -> str:
    """Return a whole number with commas."""
    return f"{int(value):,}"
