"""From JSON values to values of the annotated types, by the hooks of the type table."""

from collections.abc import Iterator

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.raised import contained, describe

from .annotations import Annotation, Scope
from .infer import Inference, row_of
from .problems import Problem, json_path
from .rows import Hook, Many, RefusalError
from .scalars import all_by

Steps = tuple[str | int, ...]


class Structurer:
    """The hooks of one signature, each made once.

    >>> Structurer(Scope()).hook(tuple[int, str])([1, "a"], None)
    (1, 'a')
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._hooks: dict[object, Hook] = {}

    def hook(self, annotation: Annotation) -> Hook:
        """The hook of an annotation; a type that holds itself finds its hook when it is called."""
        key = (annotation, str(annotation))  # unions are equal in any order of their branches
        try:
            known = self._hooks.get(key)
        except TypeError:  # unhashable marks
            return row_of(annotation).hook(annotation, self)
        if known is not None:
            return known

        def later(value: Json, kind: object) -> object:
            return self._hooks[key](value, kind)

        self._hooks[key] = later
        self._hooks[key] = row_of(annotation).hook(annotation, self)
        return self._hooks[key]

    def many(self, annotation: Annotation) -> Many:
        """The hook for all items of an array."""
        quicker = row_of(annotation).many
        return all_by(self.hook(annotation)) if quicker is None else quicker(annotation, self)

    def schema(self, annotation: Annotation) -> Schema:
        """The schema of an annotation on its own."""
        inference = Inference(self.scope)
        return inference.finished(inference.schema(annotation))

    def problems(self, annotation: Annotation, value: Json, steps: Steps) -> Iterator[Problem]:
        """Why the annotation's hook refuses a value, each reason at its innermost place."""
        row = row_of(annotation)
        found = False
        for part in row.parts(annotation, value, self):
            inner = steps if part.step is None else (*steps, part.step)
            for problem in self.problems(part.annotation, part.value, inner):
                found = True
                yield problem
        if not found:
            try:
                contained(self.hook(annotation), value, None)
            except RefusalError as refusal:
                yield Problem(json_path((*steps, *refusal.steps)), str(refusal))
            except RecursionError:
                raise
            except Exception as error:  # an author's class, or a limit that its type does not have
                yield Problem(json_path(steps), describe(error))
