"""The house rules hold for our own tree, and a tree that breaks one is caught."""

import shutil

import pytest

from tests.architecture import layers, shape
from tests.architecture.source import PACKAGES, ROOT, modules

# The whole tree is read several times, which takes a busy machine a while.
pytestmark = pytest.mark.timeout(120)

SHIPPED_RULES = (
    layers.upward_imports,
    layers.unknown_rings,
    layers.front_door_imports,
    layers.kit_imports,
    layers.local_imports,
    shape.long_modules,
    shape.long_functions,
    shape.wide_classes,
    shape.missing_docstrings,
    shape.forbidden_names,
    shape.extra_doors,
    shape.broad_excepts,
    shape.history,
)
TEST_RULES = (
    shape.long_modules,
    shape.long_functions,
    shape.missing_docstrings,
    shape.forbidden_names,
    shape.history,
)
TREE_RULES = (layers.cycles, shape.chatty_packages)

#: A rule, the file that breaks it, its source, and what is said about it.
BREACHES = (
    (
        layers.upward_imports,
        "qitos_like/core/spec.py",
        "from qitos_like.run import executor\n",
        "qitos_like/core/spec.py:1: core imports run",
    ),
    (
        layers.upward_imports,
        "qitos_like/errors.py",
        "import qitos_like.core.spec\n",
        "qitos_like/errors.py:1: errors imports core",
    ),
    (
        layers.upward_imports,
        "qitos_like/agent/engine.py",
        "def run():\n    from ..cli.main import main\n",
        "qitos_like/agent/engine.py:2: agent imports cli",
    ),
    (
        layers.upward_imports,
        "qitos_like/run/finish.py",
        "from qitos_like.render import text\n",
        "qitos_like/run/finish.py:1: run imports render",
    ),
    (
        layers.unknown_rings,
        "qitos_like/extras/things.py",
        "",
        "qitos_like/extras/things.py: extras is no ring",
    ),
    (
        layers.front_door_imports,
        "qitos_like/core/tool.py",
        "from qitos_like import tool\n",
        "qitos_like/core/tool.py:1: imports the front door",
    ),
    (
        layers.front_door_imports,
        "qitos_like/core/tool.py",
        "import qitos_like\n",
        "qitos_like/core/tool.py:1: imports the front door",
    ),
    (
        layers.front_door_imports,
        "qitos_like/cli/main.py",
        "from kits.files import view\n",
        "qitos_like/cli/main.py:1: imports kits",
    ),
    (
        layers.kit_imports,
        "kits/coding.py",
        "from qitos_like.run.executor import ActionExecutor\n",
        "kits/coding.py:1: a kit imports qitos_like.run.executor.ActionExecutor",
    ),
    (
        layers.local_imports,
        "qitos_like/run/invoke.py",
        "async def call():\n    import json\n",
        "qitos_like/run/invoke.py:2: imports json inside a function",
    ),
    (
        shape.long_modules,
        "kits/files/view.py",
        "\n" * 301,
        "kits/files/view.py: 301 lines, at most 300",
    ),
    (
        shape.long_functions,
        "kits/files/view.py",
        "def view():\n" + "    a = 1\n" * 50,
        "kits/files/view.py:1: view has 51 lines",
    ),
    (
        shape.wide_classes,
        "kits/files/view.py",
        "class View:\n" + "".join(f"    def f{i}(self): ...\n" for i in range(13)),
        "kits/files/view.py:1: View has 13 public methods",
    ),
    (
        shape.missing_docstrings,
        "kits/files/view.py",
        "a = 1\n",
        "kits/files/view.py: no docstring",
    ),
    (
        shape.forbidden_names,
        "kits/files/path_utils.py",
        "",
        "kits/files/path_utils.py: 'utils' says nothing",
    ),
    (
        shape.extra_doors,
        "kits/files/view.py",
        "__all__ = []\n",
        "kits/files/view.py:1: __all__ outside the doors",
    ),
    (
        shape.extra_doors,
        "kits/__init__.py",
        '__all__ = ["b", "a"]\n',
        "kits/__init__.py:1: __all__ is not sorted",
    ),
    (
        shape.broad_excepts,
        "qitos_like/run/find.py",
        "try:\n    a = 1\nexcept BaseException:  # a reason\n    pass\n",
        "qitos_like/run/find.py:3: BaseException where no tool's code is called",
    ),
    (
        shape.broad_excepts,
        "qitos_like/run/find.py",
        "try:\n    a = 1\nexcept (OSError, Exception):  # noqa: BLE001\n    pass\n",
        "qitos_like/run/find.py:3: a broad except without its reason",
    ),
    (
        shape.history,
        "qitos_like/run/find.py",
        "a = 1  # TODO later\n",
        "qitos_like/run/find.py:1: # TODO later",
    ),
)


def write(root, where, source):
    path = root / where
    path.parent.mkdir(parents=True, exist_ok=True)
    for folder in path.relative_to(root).parents[:-1]:
        (root / folder / "__init__.py").touch()
    path.write_text(source, encoding="utf-8")


def said_of(rule, root, *packages):
    return [breach for module in modules(root, *packages) for breach in rule(module)]


@pytest.mark.parametrize("rule", SHIPPED_RULES, ids=lambda rule: rule.__name__)
def test_the_packages_keep_the_rule(rule):
    assert [] == said_of(rule, ROOT, *PACKAGES)


@pytest.mark.parametrize("rule", TEST_RULES, ids=lambda rule: rule.__name__)
def test_the_tests_keep_the_rule(rule):
    assert [] == said_of(rule, ROOT, "tests")


@pytest.mark.parametrize("rule", TREE_RULES, ids=lambda rule: rule.__name__)
def test_the_tree_keeps_the_rule(rule):
    assert [] == list(rule(ROOT))


@pytest.mark.parametrize(
    ("rule", "where", "source", "said"),
    BREACHES,
    ids=[f"{breach[0].__name__}-{breach[1]}" for breach in BREACHES],
)
def test_a_breach_is_caught(rule, where, source, said, tmp_path):
    write(tmp_path, where, source)

    assert [said] == [breach for breach in said_of(rule, tmp_path, *PACKAGES) if where in breach]


def test_a_breach_in_a_copy_of_our_own_tree_is_caught(tmp_path):
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package)
    spec = tmp_path / "qitos_like/core/spec.py"
    spec.write_text(spec.read_text() + "\nfrom qitos_like.run import executor\n")

    said = said_of(layers.upward_imports, tmp_path, *PACKAGES)

    assert ["core imports run"] == [breach.rpartition(": ")[2] for breach in said]


def test_modules_that_import_each_other_are_caught(tmp_path):
    write(tmp_path, "qitos_like/core/spec.py", "from .names import check\n")
    write(tmp_path, "qitos_like/core/names.py", "from qitos_like.core.spec import Spec\n")

    (cycle,) = layers.cycles(tmp_path)

    assert {"qitos_like.core.spec", "qitos_like.core.names"} == set(cycle.split(" -> "))


def test_a_package_that_is_mostly_comments_is_caught(tmp_path):
    write(tmp_path, "qitos_like/core/spec.py", "# said\na = 1\nb = 2\n")

    assert ["qitos_like: comments on 1 of 3 lines"] == list(shape.chatty_packages(tmp_path))
