"""How objects that are not plain are written: asked once for each type in a call.

    a tuple of names   the attributes that are its members
    "digits"           a decimal: its digits are kept
    a function         gives what the object stands for
    None               nothing is known about it

Packages are recognised by what their objects have, and are never imported here.
"""



from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing takes longer than all of this package
    from typing import Any, Callable, Tuple, Union

    Plan = Union[None, str, Tuple[str, ...], Callable[[Any], Any]]


def _value(member: Any) -> Any:
    return member.value


def _model(model: Any) -> Any:
    return model.model_dump()


def _old_model(model: Any) -> Any:
    return model.dict()


def _moment(moment: Any) -> Any:
    return None if moment != moment else moment.isoformat()  # NaT is not itself


def _none(_: Any) -> None:
    return None


def _scalar(scalar: Any) -> Any:
    """A number of numpy; one of few bits has the digits of its own width."""
    kind = scalar.dtype.kind
    if kind == "f" and scalar.dtype.itemsize < 8:
        return _short_float(scalar)
    if kind in "biufS":
        return scalar.item()
    if kind == "U":
        return str(scalar)
    if kind == "M":
        text = str(scalar)
        return None if text == "NaT" else text
    raise TypeError(f"{scalar.dtype} of numpy cannot be written")


def _short_float(scalar: Any) -> Any:
    from decimal import Decimal

    return Decimal(str(scalar)) if scalar == scalar and abs(scalar) != float("inf") else float(scalar)


def _array(array: Any) -> Any:
    kind, size = array.dtype.kind, array.dtype.itemsize
    if array.ndim and kind == "f" and size in (4, 8) and array.dtype.isnative:
        return memoryview(array)
    if kind in "biuUSO" or (kind == "f" and size == 8):
        return array.tolist()
    return [_array(row) if getattr(row, "ndim", 0) else _scalar(row) for row in array]


def _frame(frame: Any) -> Any:
    """A DataFrame inside of something else."""
    from . import _pith

    return _pith.loads(_pith.dumpb(frame, "json"), "json")


def row_list(frame: Any) -> Any:
    """A DataFrame of pandas by its columns: what is missing is None."""
    plain = frame.astype(object).where(frame.notna(), None)
    return plain.set_axis([str(name) for name in frame.columns], axis=1).to_dict("records")


def _series(series: Any) -> Any:
    if hasattr(series, "notna"):
        series = series.astype(object).where(series.notna(), None)
    return series.to_list()


def _numpy(type_: type) -> Plan:
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    if issubclass(type_, numpy.ndarray):
        return _array
    if issubclass(type_, numpy.generic):
        return _scalar
    return None


def _standard(type_: type) -> Plan:
    """What the standard library has."""
    if issubclass(type_, tuple):
        return getattr(type_, "_fields", tuple)
    for module, name, plan in (
        ("decimal", "Decimal", "digits"),
        ("uuid", "UUID", str),
        ("enum", "Enum", _value),
        ("datetime", "datetime", _moment),
        ("array", "array", memoryview),
    ):
        loaded = sys.modules.get(module)
        if loaded is not None and issubclass(type_, getattr(loaded, name)):
            return plan
    return None


def plan(type_: type) -> Plan:
    found = _standard(type_)
    if found is not None:
        return found
    fields = getattr(type_, "__dataclass_fields__", None)
    if fields is not None:
        return tuple(n for n, f in fields.items() if f._field_type.name == "_FIELD")
    attributes = getattr(type_, "__attrs_attrs__", None)
    if attributes is not None:
        return tuple(a.name for a in attributes)
    if hasattr(type_, "__pydantic_fields__") or hasattr(type_, "__pydantic_core_schema__"):
        return _model
    if hasattr(type_, "__fields__") and hasattr(type_, "__validators__"):
        return _old_model
    if type_.__module__.split(".")[0] == "pandas" and type_.__name__ in ("DataFrame", "NAType"):
        return row_list if type_.__name__ == "DataFrame" else _none
    if hasattr(type_, "__arrow_c_stream__") or hasattr(type_, "__arrow_c_array__"):
        return _series if hasattr(type_, "to_list") else _frame
    return _numpy(type_)


def row_dict(row: Any) -> dict[str, Any]:
    """A row that is neither a dict nor a sequence, as a dict."""
    how = plan(type(row))
    if isinstance(how, tuple):
        return {name: getattr(row, name) for name in how}
    if callable(how):
        row = how(row)
    if not isinstance(row, dict) and not hasattr(row, "keys"):
        raise TypeError(f"a row is a dict or a sequence of cells, not {type(row).__name__}")
    return {key: row[key] for key in row.keys()}
