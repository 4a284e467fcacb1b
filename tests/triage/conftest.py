"""The fixtures of the campaign's tests: a session, options, planted solvers that can be imported."""

from tests.campaign.conftest import _planted_solvers_can_be_imported, options, session  # noqa: F401
