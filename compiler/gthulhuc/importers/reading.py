# SPDX-License-Identifier: Apache-2.0
"""Reads JSON and YAML as plain data, and reports the places of errors."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from gthulhuc.importers.document import Finding


def read_documents(name: str, data: bytes) -> tuple[list[Any], list[Finding]]:
    """Returns the documents in a file (one of JSON, any number of YAML), and findings."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8: byte 0x{data[error.start]:02x}"
        return [], [Finding(f"{name}:{line}", message, is_error=True)]
    try:
        return [json.loads(text)], []
    except RecursionError:
        return [], [Finding(name, "nested too deeply", is_error=True)]
    except json.JSONDecodeError as error:
        if text.lstrip().startswith(("{", "[")):
            place = f"{name}:{error.lineno}:{error.colno}"
            return [], [Finding(place, f"not JSON: {error.msg}", is_error=True)]
    return _read_yaml(name, text)


def read_json(name: str, data: bytes) -> tuple[Any, list[Finding]]:
    """Returns the value in a file of JSON, or None and a finding about the error.

    A key that an object has twice is an error, and so is what only Python takes for a number.
    """
    try:
        text = data.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        place, message = f"{name}:{line}", f"not UTF-8: byte 0x{data[error.start]:02x}"
    except RecursionError:
        place, message = name, "nested too deeply"
    except json.JSONDecodeError as error:
        place, message = f"{name}:{error.lineno}:{error.colno}", f"not JSON: {error.msg}"
    except ValueError as error:
        place, message = name, f"not JSON: {error}"
    return None, [Finding(place, message, is_error=True)]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"an object has the key `{key}` twice")
        result[key] = value
    return result


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"`{text}` is not a number")


def _read_yaml(name: str, text: str) -> tuple[list[Any], list[Finding]]:
    import yaml

    try:
        return [item for item in yaml.safe_load_all(text) if item is not None], []
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
        return [], [Finding(place, f"not YAML: {error.problem}", is_error=True)]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        return [], [Finding(name, f"not YAML: {reason}", is_error=True)]
