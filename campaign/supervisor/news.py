"""Times since something new happened in a campaign: a trace, and a finding with a new signature."""

from __future__ import annotations


class News:
    """A number that grows, and the time of its latest growth."""

    def __init__(self, number: int = 0) -> None:
        """Start from a number that is not new."""
        self.number = number
        self._at: float | None = None

    def update(self, number: int, now: float) -> None:
        """Note the number at a time."""
        if number > self.number:
            self._at = now
        self.number = number

    def age(self, now: float) -> float | None:
        """Return the seconds since the number has grown, or None if it never has."""
        return None if self._at is None else max(0.0, now - self._at)


def describe_age(seconds: float | None) -> str:
    """Return a number of seconds, or of minutes and seconds; empty for None."""
    if seconds is None:
        return ""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes else f"{rest} s"


def describe_news(age: float | None) -> str:
    """Return when something was new, in parentheses; empty for None."""
    return "" if age is None else f" (new {describe_age(age)} ago)"
