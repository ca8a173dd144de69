from qitos_like.core.environment import Environment
from qitos_like.core.permission import ToolPermission

READ = ToolPermission(filesystem_read=True)
NETWORK = ToolPermission(network=True)


def test_everything_is_off_unless_said():
    assert () == ToolPermission().missing(ToolPermission())
    assert ("filesystem_read",) == ToolPermission().missing(READ)


def test_permissions_unite():
    assert ToolPermission(filesystem_read=True, network=True) == READ | NETWORK
    assert () == ToolPermission.all().missing(READ | NETWORK)


def test_an_environment_names_what_it_lacks_permissions_first():
    environment = Environment(permissions=READ, ops=["shell"])

    assert ("network", "gpu") == environment.lacks(READ | NETWORK, ["shell", "gpu"])
    assert () == environment.lacks(READ)
