"""The workspace: which paths tools may use, and how files are read and written there."""

from kits.errors import MissingPathError as MissingPathError
from kits.errors import WorkspaceError as WorkspaceError

from .kinds import FolderEntry as FolderEntry
from .protected import DEFAULT_PROTECTED as DEFAULT_PROTECTED
from .workspace import Workspace as Workspace
