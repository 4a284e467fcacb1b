"""The fixtures of the campaign's tests: a session, options, the installed solver."""

from tests.campaign.conftest import _the_installed_solver, options, session  # noqa: F401
