"""Context variables that go along to another thread."""

import sys
from contextvars import Context, copy_context


def carried() -> Context:
    """A copy of the caller's context variables, without the name of its event loop.

    sniffio keeps that name in one of them, and would take a thread without a loop, or with
    another, for one with the caller's.
    """
    context = copy_context()
    sniffio = sys.modules.get("sniffio")
    if sniffio is not None and sniffio.current_async_library_cvar.get() is not None:
        context.run(sniffio.current_async_library_cvar.set, None)
    return context
