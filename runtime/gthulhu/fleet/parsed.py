# SPDX-License-Identifier: Apache-2.0
"""The objects of a watched collection as models."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from gthulhu.kubernetes import Object, Say, Watched

_Model = TypeVar("_Model", bound=BaseModel)


class Parsed(Generic[_Model]):
    """Parses an object when it has changed, and says once which one this release cannot read."""

    def __init__(self, watched: Watched, model: type[_Model], say: Say) -> None:
        self.watched, self._model, self._say = watched, model, say
        self._known: dict[str, tuple[str, _Model | None]] = {}

    def all(self) -> list[_Model]:
        """The objects that can be read."""
        known = {}
        for name, each in self.watched.items.items():
            version = str(each["metadata"]["resourceVersion"])
            before = self._known.get(name)
            if before is not None and before[0] == version:
                known[name] = before
            else:
                known[name] = version, self._read(name, each)
        self._known = known
        return [each for _, each in known.values() if each is not None]

    def _read(self, name: str, found: Object) -> _Model | None:
        try:
            return self._model.model_validate(found)
        except ValidationError as error:
            kind = found.get("kind") or self._model.__name__
            self._say(f"{kind} {name}: {error.errors()[0]['msg']}")
            return None
