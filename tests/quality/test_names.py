"""Public classes of different modules have different names, so that a name in a message or a page means one thing."""

import ast
from collections import defaultdict

from tests.sources import listed
from tests.targets import ROOT

OUTSIDE = {"tests", "bench", "seeds", "oss-fuzz"}


def test_public_classes_of_two_modules_have_two_names() -> None:
    owners = defaultdict(list)
    for file in listed():
        if file.suffix == ".py" and file.parts[0] not in OUTSIDE:
            for node in ast.parse((ROOT / file).read_text()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    owners[node.name].append(str(file))
    shared = {name: files for name, files in owners.items() if len(files) > 1}
    assert len(owners) > 400
    assert not shared
