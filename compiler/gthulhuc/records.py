# SPDX-License-Identifier: Apache-2.0
"""Frozen dataclasses that are cheap to define and to create.

`dataclass` behaves like the standard one for type checkers, `fields` and `replace`. The standard
module compiles six functions for each class, and the compiler has a hundred of them. Here only
`__init__` is compiled; the other methods read the fields. That saves a fifth of the CPU time of
`gthulhu check policies/web.gpl`: 226 ms instead of 286, the medians of 15 alternating runs on a
machine with other work.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool = False, slots: bool = False) -> Callable[[type], type]:
        """Returns the class as a dataclass, like the standard decorator."""
        is_record = frozen and slots
        return _record if is_record else dataclasses.dataclass(frozen=frozen, slots=slots)


__all__ = ["dataclass"]


def _record(plain: type) -> type:
    said = plain.__doc__
    plain.__doc__ = said or plain.__name__  # else the signature is put there, slowly
    cls: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(plain)
    cls.__doc__ = said
    fields = dataclasses.fields(cls)
    cls.__init__ = _initializer(cls, fields)
    cls._compared = _values([field.name for field in fields if field.compare])
    cls._shown = [field.name for field in fields if field.repr]
    for name, method in _METHODS.items():
        setattr(cls, name, method)
    record: type = cls
    return record


def _initializer(cls: Any, fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    """`__init__`, which goes past `__setattr__` to the slots themselves."""
    known: dict[str, Any] = {"_missing": dataclasses.MISSING}
    parameters, lines = ["self"], ["pass"]
    for field in fields:
        name = field.name
        is_made = field.default_factory is not dataclasses.MISSING
        if not field.init and not is_made:
            continue
        known[f"_put_{name}"] = getattr(cls, name).__set__
        if is_made:
            known[f"_make_{name}"] = field.default_factory
        if not field.init:
            lines.append(f"_put_{name}(self, _make_{name}())")
            continue
        if is_made:
            parameters.append(f"{name}=_missing")
            lines.append(f"if {name} is _missing: {name} = _make_{name}()")
        elif field.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = field.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        lines.append(f"_put_{name}(self, {name})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines), known)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _values(names: list[str]) -> Callable[[Any], Any]:
    """Returns a function that gets the values of these fields of a record."""
    return attrgetter(*names) if names else type


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self._compared(self) == self._compared(other)


def _hash(self: Any) -> int:
    return hash(self._compared(self))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._shown)
    return f"{self.__class__.__qualname__}({shown})"


def _set(_self: object, name: str, _value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(_self: object, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_METHODS = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _set,
    "__delattr__": _delete,
}
