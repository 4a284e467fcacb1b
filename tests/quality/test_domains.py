"""No room knows a domain: a domain is loaded by its name, and only its own modules import it."""

import pytest

from tests.quality.test_layers import TABLE, Import, inside, modules

BUILDS_ON: dict[str, list[str]] = TABLE["domains"]


def domain_of(module: str) -> str:
    """Return the name of the domain to which a module belongs; empty for the rooms of all domains."""
    room, _, rest = module.partition(".")
    name = rest.partition(".")[0]
    return name if room == "domains" and name in BUILDS_ON else ""


def is_foreign(found: Import) -> bool:
    """Determine whether a module imports a domain that is not its own and that its domain does not build on."""
    importer, imported = domain_of(found.importer), domain_of(found.imported)
    return imported not in ("", importer, *BUILDS_ON.get(importer, ()))


def test_the_table_names_all_domains() -> None:
    packages = {module.split(".")[1] for module in modules() if module.startswith("domains.") and module.count(".") > 1}
    assert packages == BUILDS_ON.keys()


def test_no_module_imports_a_domain_that_is_not_its_own() -> None:
    assert sorted(str(found) for found in inside() if is_foreign(found)) == [], "extend the protocol of domains instead"


@pytest.mark.parametrize(
    ("importer", "imported", "foreign"),
    [
        ("triage.findings.folder", "domains.smt.finding_script", True),
        ("fuzz_targets.smt", "domains.smt.domain", True),
        ("domains.smt.shape", "domains.chc.shape", True),
        ("domains.smt.shape", "domains.smt.roots", False),
        ("domains.interpolation.domain", "domains.smt.several", False),
        ("domains.interpolation.domain", "execution.domain", False),
    ],
)
def test_a_foreign_import_is_noticed(importer: str, imported: str, foreign: bool) -> None:
    assert is_foreign(Import(importer, imported)) is foreign
