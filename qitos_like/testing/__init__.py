"""For tests of tools, with pytest or without: nothing here needs a plugin."""

from qitos_like.agent.scripted import ScriptedModel as ScriptedModel

from .alone import StubContext as StubContext
from .alone import run_tool as run_tool
from .alone import stub_context as stub_context
from .called import assert_called as assert_called
from .cassette import Cassette as Cassette
from .cassette import cassette as cassette
from .contract import check_toolset as check_toolset
from .fuzzing import fuzz as fuzz
