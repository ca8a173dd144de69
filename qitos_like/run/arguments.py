"""The second step: from what a model sent to the values that a tool's parameters take."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NoReturn

import attrs
from attrs import define, evolve, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.names import bare
from qitos_like.core.raised import contained, describe
from qitos_like.core.results import Err, ErrorCode
from qitos_like.core.schema.problems import ArgumentsError, Problem, path_step
from qitos_like.core.schema.signature import Signature
from qitos_like.core.traits import Alias

from . import jsontext, plain, repair
from .explain import explain, shown
from .validation import Validation

_SHOWN_PROBLEMS = 20


@define(eq=False)  # what is frozen takes three times as long to make
class Checked:
    """Arguments that a tool takes; it is never changed.

    Attributes:
        given: as JSON data that its schema admits, by its own names.
        values: as its parameters are annotated, by the same names.
        repairs: what was mended to come to this.
    """

    given: dict[str, Json]
    values: dict[str, object]
    repairs: tuple[str, ...] = ()

    def noted(self, *notes: str) -> "Checked":
        """The same, with more that was mended."""
        return Checked(self.given, self.values, (*self.repairs, *notes))


@frozen(eq=False, slots=False)  # with slots, what is kept would slow every attribute down
class Checker:
    """The check of one tool's arguments.

    Attributes:
        name: the tool's, for error texts.
        required: names that have to be given.
        validation: the check by its schema.
        signature: gives the values their types.
        mends: whether what can only have been meant in one way is taken so.
    """

    name: str
    required: tuple[str, ...]
    validation: Validation
    signature: Signature
    mends: bool = True

    def check(self, args: object, alias: Alias | None = None) -> Checked | Err:
        """The arguments as the tool takes them, or one error with all that is wrong."""
        sent: dict[str, Json] = {}
        notes: tuple[str, ...] = ()
        try:
            try:
                if isinstance(args, str) and args.startswith("{"):
                    sent = jsontext.parse(args)
                else:
                    sent = _mapping(args, self.required)
            except ArgumentsError as error:
                sent, notes = self._mended(args, error)
            given = sent if alias is None else _renamed(sent, alias)
            try:
                return Checked(given, contained(self._fit, given), notes)
            except Exception:  # user code: a constructor; whatever is wrong is looked for now
                return self._examined(given, notes)
        except ArgumentsError as error:
            problems = list(error.problems)
        if alias is not None:
            spoken = _spoken(alias, sent, self.name)
            problems = [_as_sent(problem, spoken) for problem in problems]
        return _refusal(problems, self.name)

    @cached_property
    def _fit(self) -> Callable[[dict[str, Json]], dict[str, object]]:
        """The values of arguments that the schema surely admits; raises anything for others."""
        return self.signature.fit if self._is_ruled_by_signature else _unsure

    @property
    def _is_ruled_by_signature(self) -> bool:
        """Whether the signature's hooks refuse all that the schema does.

        They do for each type that our own schemas are made of, as the tests of both show. Here
        it is relied on for the keywords that our own closures know too.
        """
        is_own = type(self.signature) is Signature and self.signature.explicit is None
        schema = self.validation.schema
        return is_own and schema is self.signature.input_schema() and self.validation.is_compiled

    def _examined(self, given: dict[str, Json], notes: tuple[str, ...]) -> Checked:
        """The arguments, mended if they have to be.

        Raises:
            ArgumentsError: they are wrong.
        """
        errors = self.validation.errors(given)
        if not errors:
            return Checked(given, self.values(given), notes)
        mended = repair.to_schema(given, self.validation) if self.mends else None
        if mended is None:
            raise ArgumentsError(explain(errors))
        return Checked(mended.value, self.values(mended.value), (*notes, *mended.notes))

    def _mended(
        self, args: object, error: ArgumentsError
    ) -> tuple[dict[str, Json], tuple[str, ...]]:
        """The arguments as a mapping where they are none, and what had to be mended for that.

        Raises:
            ArgumentsError: they cannot be.
        """
        mended = repair.from_text(args) if self.mends and isinstance(args, str) else None
        if mended is None:
            raise error
        return mended.value, mended.notes

    def values(self, given: dict[str, Json]) -> dict[str, object]:
        """Arguments that the schema admits as the parameters are annotated, made anew.

        Raises:
            ArgumentsError: a type of the author's refuses them.
        """
        try:
            return contained(self.signature.structure, given)
        except ArgumentsError:
            raise
        except Exception as error:  # user code: the constructor of an annotated class
            raise ArgumentsError([Problem("$", describe(error))]) from None


def _unsure(_given: dict[str, Json]) -> NoReturn:
    """The schema has to be asked."""
    raise NotImplementedError


def _mapping(args: object, required: Sequence[str]) -> dict[str, Json]:
    """Arguments as a mapping; nothing at all means none where none is required.

    Raises:
        ArgumentsError: they are no JSON object within the limits.
    """
    if isinstance(args, str) and args.strip():
        value = jsontext.parse(args)
        if isinstance(value, dict):
            return value
        if value is not None and value != "":  # so some servers write that there are none
            raise ArgumentsError([Problem("$", f"expected an object, got {shown(value)}")])
        args = None
    if not isinstance(args, str) and isinstance(args, Mapping):
        return plain.copied(args)
    if args is None or isinstance(args, str):
        if not required:
            return {}
        message = f"no arguments were sent; required: {', '.join(required)}"
        raise ArgumentsError([Problem("$", message)])
    message = f"expected an object or JSON text, got a {type(args).__name__}"
    raise ArgumentsError([Problem("$", message)])


def _renamed(sent: dict[str, Json], alias: Alias) -> dict[str, Json]:
    """The arguments of an alias by the names of its tool.

    Raises:
        ArgumentsError: two of them are one argument, or a value cannot be carried over.
    """
    given: dict[str, Json] = {}
    for theirs, value in sent.items():
        ours = alias.arguments.get(theirs, theirs)
        if ours in given:
            raise ArgumentsError([Problem(f"${path_step(ours)}", "given under two names")])
        given[ours] = _converted(value, alias.values.get(ours), ours)
    return _adapted(plain.value(given) if alias.values else given, alias)


def _adapted(given: dict[str, Json], alias: Alias) -> dict[str, Json]:
    if alias.adapt is None:
        return given
    try:
        return plain.copied(_mapping_of(contained(alias.adapt, given)))
    except ArgumentsError:
        raise
    except Exception as error:  # user code: an alias's way with all of its arguments
        message = f"the arguments cannot be used: {describe(error)}"
        raise ArgumentsError([Problem("$", message)]) from None


def _mapping_of(adapted: object) -> Mapping[object, object]:
    if isinstance(adapted, Mapping):
        return adapted
    message = f"they come to a {type(adapted).__name__}"
    raise TypeError(message)


def _converted(value: Json, convert: Callable[[Json], Json] | None, name: str) -> Json:
    if convert is None or value is None:  # nothing, which the check leaves out where it may
        return value
    try:
        return contained(convert, value)
    except Exception as error:  # user code: an alias's conversion of a value
        message = f"{shown(value)} cannot be used: {describe(error)}"
        raise ArgumentsError([Problem(f"${path_step(name)}", message)]) from None


def _spoken(alias: Alias, sent: Mapping[str, Json], name: str) -> Alias:
    """The alias to name problems by; of the tool's own name, the spellings that were used."""
    if alias.name != bare(name):
        return alias
    used = {theirs: ours for theirs, ours in alias.arguments.items() if theirs in sent}
    return evolve(alias, arguments=used)


def _as_sent(problem: Problem, alias: Alias) -> Problem:
    """The problem by the names that the model used."""
    path, message = problem.path, problem.message
    for theirs, ours in alias.arguments.items():
        step = f"${path_step(ours)}"
        if path == step or path.startswith((f"{step}.", f"{step}[")):
            path = f"${path_step(theirs)}{path[len(step) :]}"
        for quote in "'\"":
            message = message.replace(f"{quote}{ours}{quote}", f"{quote}{theirs}{quote}")
    return Problem(path, message)


def _refusal(problems: list[Problem], name: str) -> Err:
    lines = [str(problem) for problem in problems[:_SHOWN_PROBLEMS]]
    if len(problems) > _SHOWN_PROBLEMS:
        lines.append(f"and {len(problems) - _SHOWN_PROBLEMS} more")
    return Err(
        ErrorCode.INPUT_INVALID,
        "\n".join([f"the arguments of {name} are wrong:", *lines]),
        hint="correct them and call again",
        field=problems[0].path,
        structured={"problems": [attrs.asdict(problem) for problem in problems[:_SHOWN_PROBLEMS]]},
    )
