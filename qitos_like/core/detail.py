"""How much of the tools is shown: everything, or as much as fits into a number of characters."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import evolve, frozen

from .jsontypes import Json, Schema
from .references import referred
from .schema.definitions import mapped
from .shown import Shown
from .spec import ToolSpec


@frozen
class Group:
    """The tools of one namespace, as far as they are shown.

    Attributes:
        namespace: empty for tools without one.
        specs: the tools that are shown.
        instructions: what their toolsets say ahead of them.
        hidden: the names of those that are only counted.
    """

    namespace: str
    specs: tuple[ToolSpec, ...]
    instructions: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


@frozen
class Sheet:
    """What a renderer shows.

    Attributes:
        groups: in the order of their first tools, the one without a namespace first.
        left_out: what was left out to save characters, in words.
    """

    groups: tuple[Group, ...]
    left_out: tuple[str, ...] = ()


def sheet(
    specs: Iterable[ToolSpec], instructions: Mapping[str, Sequence[str]] | None = None
) -> Sheet:
    """Everything about these tools, ``instructions`` by namespace."""
    groups: dict[str, list[ToolSpec]] = {"": []}
    for spec in specs:
        groups.setdefault(spec.name.rpartition(".")[0], []).append(spec)
    said = instructions or {}
    return Sheet(
        tuple(
            Group(namespace, tuple(group), tuple(said.get(namespace, ())))
            for namespace, group in groups.items()
            if group
        )
    )


def rendered(
    specs: Iterable[ToolSpec], budget_chars: int | None, render: Callable[[Sheet], str]
) -> str:
    """The tools as ``fitting`` has them; the text of all that a registry shows is kept with it."""
    if budget_chars is None and isinstance(specs, Shown):
        return specs.kept(_Whole(render))
    return fitting(sheet(specs), budget_chars, render)


def fitting(full: Sheet, budget_chars: int | None, render: Callable[[Sheet], str]) -> str:
    """The most detailed rendering of at most ``budget_chars`` characters.

    What is dropped first is fixed: examples, the parameters' texts, usage, nested shapes; then
    namespaces, the last first, shrink to one line each, and those lines to one. A tool is shown
    whole or not at all, and tools that say ``always_include`` stay. If even the shortest is too
    long, it is returned all the same.
    """
    shown = render(full)
    if budget_chars is None or len(shown) <= budget_chars:
        return shown
    current = full
    for words, change in _STEPS:
        current = _changed(current, words, change)
        shown = render(current)
        if len(shown) <= budget_chars:
            return shown
    every = len(current.groups)

    def fits(count: int) -> bool:
        return len(render(_hiding(current, count))) <= budget_chars

    count = bisect_left(range(every + 1), 1, lo=1, key=fits)
    return render(_hiding(current, count) if count <= every else _merged(_hiding(current, every)))


@frozen
class _Whole:
    """Renders specs with nothing left out."""

    render: Callable[[Sheet], str]

    def __call__(self, specs: Iterable[ToolSpec]) -> str:
        return self.render(sheet(specs))


def _changed(whole: Sheet, words: str, change: Callable[[ToolSpec], ToolSpec]) -> Sheet:
    """Each tool changed; the words are said only if that changed anything."""
    groups = tuple(
        evolve(group, specs=tuple(spec.kept(change) for spec in group.specs))
        for group in whole.groups
    )
    return whole if groups == whole.groups else Sheet(groups, (*whole.left_out, words))


def _hiding(whole: Sheet, count: int) -> Sheet:
    """The last ``count`` groups hidden but for what is always included."""
    start = len(whole.groups) - count
    groups = (*whole.groups[:start], *map(_hidden, whole.groups[start:]))
    spaces = sum(bool(group.hidden) for group in groups)
    words = f"tools of {spaces} namespace{'s' if spaces > 1 else ''}"
    return Sheet(groups, (*whole.left_out, words))


def _hidden(group: Group) -> Group:
    kept = tuple(spec for spec in group.specs if spec.always_include)
    hidden = tuple(spec.name for spec in group.specs if not spec.always_include)
    return Group(group.namespace, kept, group.instructions if kept else (), hidden)


def _merged(whole: Sheet) -> Sheet:
    """What is hidden in one group at the end."""
    kept = [evolve(group, hidden=()) for group in whole.groups if group.specs]
    hidden = tuple(name for group in whole.groups for name in group.hidden)
    return Sheet((*kept, Group("", (), hidden=hidden)), whole.left_out)


def _without_examples(spec: ToolSpec) -> ToolSpec:
    return _evolved(spec, _dropped(spec.input_schema, "examples"), examples=())


def _without_texts(spec: ToolSpec) -> ToolSpec:
    return _evolved(spec, _dropped(spec.input_schema, "description"))


def _without_usage(spec: ToolSpec) -> ToolSpec:
    return _evolved(spec, spec.input_schema, usage=None)


def _without_nested(spec: ToolSpec) -> ToolSpec:
    schema = spec.input_schema
    properties = {
        name: _flat(value, schema, ()) for name, value in schema.get("properties", {}).items()
    }
    own = {keyword: value for keyword, value in schema.items() if keyword not in _DEFINITIONS}
    return _evolved(spec, {**own, "properties": properties} if "properties" in own else own)


#: What a budget costs, in this order.
_STEPS: tuple[tuple[str, Callable[[ToolSpec], ToolSpec]], ...] = (
    ("examples", _without_examples),
    ("parameter texts", _without_texts),
    ("usage", _without_usage),
    ("nested shapes", _without_nested),
)
_DEFINITIONS = frozenset({"$defs", "definitions"})


def _evolved(spec: ToolSpec, schema: Schema, **changes: Json) -> ToolSpec:
    """The spec itself if nothing changes, so that what was made of it is kept."""
    same = all(getattr(spec, name) == value for name, value in changes.items())
    return spec if same and schema == spec.input_schema else spec.with_schema(schema, **changes)


def _dropped(schema: Schema, keyword: str) -> Schema:
    """The schema without an annotation, at any depth."""
    changed = mapped(schema, lambda inner: _dropped(inner, keyword))
    return {name: value for name, value in changed.items() if name != keyword}


def _flat(schema: Json, root: Schema, around: tuple[int, ...]) -> Json:
    """The schema with ``object`` for each shape inside it."""
    if not isinstance(schema, dict):
        return schema
    target = referred(root, schema)
    if isinstance(target, dict):
        if id(target) in around:
            return {"type": "object"}
        beside = {keyword: value for keyword, value in schema.items() if keyword != "$ref"}
        return _flat({**target, **beside}, root, (*around, id(target)))
    if "properties" in schema:
        kept = {"default", "description"} & schema.keys()
        return {"type": "object", **{keyword: schema[keyword] for keyword in sorted(kept)}}
    return mapped(schema, lambda inner: _flat(inner, root, around))
