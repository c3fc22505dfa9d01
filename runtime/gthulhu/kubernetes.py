# SPDX-License-Identifier: Apache-2.0
"""The Kubernetes API: single requests, and collections that are watched.

lightkube has the addresses, certificates and logins. A watch here also notices dead connections:
the server ends each after some time, and names its version in between (bookmarks), so silence means
that nothing arrives any more. After a failure everything is listed again.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from typing import Any

from lightkube import KubeConfig
from lightkube.config.client_adapter import AsyncClient, ConnectionParams
from lightkube.config.kubeconfig import SingleConfig
from lightkube.core.exceptions import ConfigError

from gthulhu.options import IN_CLUSTER
from gthulhuc.cli.frame import CommandError

SILENCE_S = 75.0
"""A watch on which nothing arrives for so long is dead; the server ends it after 4/5 of that."""
_REQUEST_S = 10.0
_PAUSE_S = 0.25  # between two watches, so that a server that ends them at once is not flooded
_REMIND_S = 600.0
_FIRST_DELAY_S, _MAX_DELAY_S = 0.5, 30.0
_PAGE = 500
_MERGE = {"Content-Type": "application/merge-patch+json"}

Object = dict[str, Any]
Say = Callable[[str], None]


class ApiError(Exception):
    """A request failed. `status`: of HTTP, 0 without a response."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _ExpiredError(Exception):
    """The server no longer knows the version from which a watch was to go on."""


def config(where: str) -> SingleConfig:
    """The address and the login of `in-cluster`, or of a kubeconfig. Raises CommandError."""
    try:
        if where == IN_CLUSTER:
            found = KubeConfig.from_service_account().get()
        else:
            found = KubeConfig.from_file(where).get()
        if found is None:
            raise ConfigError("it has no current context")
    except (ConfigError, OSError) as error:
        raise CommandError(
            f"{where}: cannot use the Kubernetes API: {error}",
            "give a kubeconfig, or `in-cluster` inside a pod",
        ) from None
    return found


class Api:
    """A client of the API. `where`: `in-cluster`, or a kubeconfig. Raises CommandError."""

    def __init__(self, where: str, client: Any = None) -> None:
        self.where = where
        self.requests = 0
        """How many requests it has sent."""
        self._client = client or AsyncClient(config(where), ConnectionParams(trust_env=False))

    async def close(self) -> None:
        """Ends all connections."""
        await self._client.aclose()

    async def get(self, path: str, query: Mapping[str, str] | None = None) -> Object:
        """An object or a page of a list. Raises ApiError."""
        return await self._request("GET", path, params=query)

    async def everything(self, path: str, query: Mapping[str, str]) -> tuple[list[Object], str]:
        """All objects of a collection, and the version up to which that is so. Raises ApiError."""
        found: list[Object] = []
        page: dict[str, str] = {}
        while True:
            listed = await self.get(path, {**query, "limit": str(_PAGE), **page})
            found += listed.get("items") or ()
            rest = listed["metadata"].get("continue")
            if not rest:
                return found, str(listed["metadata"]["resourceVersion"])
            page = {"continue": rest}

    async def create(self, path: str, body: Object) -> Object:
        """Creates an object of a collection, and returns it. Raises ApiError."""
        return await self._request("POST", path, json=body)

    async def replace(self, path: str, body: Object) -> Object:
        """Replaces the version that `body` names, and returns the new one. Raises ApiError."""
        return await self._request("PUT", path, json=body)

    async def patch(self, path: str, body: Object) -> Object:
        """Merges `body` into an object, and returns it. Raises ApiError."""
        return await self._request("PATCH", path, content=json.dumps(body), headers=_MERGE)

    async def _request(self, method: str, path: str, **how: Any) -> Object:
        self.requests += 1
        try:
            answer = await self._client.request(method, path, timeout=_REQUEST_S, **how)
        except Exception as error:  # those of httpx have no common base with those of TLS
            raise ApiError(0, _text(error)) from error
        if answer.status_code >= 400:
            raise _error(answer)
        found: Object = answer.json()
        return found

    async def lines(
        self, path: str, query: Mapping[str, str], silence_s: float
    ) -> AsyncGenerator[Any]:
        """The events of a watch, until the server ends it. Raises ApiError, _ExpiredError."""
        self.requests += 1
        times = (_REQUEST_S, silence_s, _REQUEST_S, _REQUEST_S)  # to connect, read, write ..
        async with self._client.stream("GET", path, params=query, timeout=times) as answer:
            if answer.status_code >= 400:
                await answer.aread()
                raise _error(answer)
            async for line in answer.aiter_lines():
                yield json.loads(line)


def _error(answer: Any) -> Exception:
    if answer.status_code == 410:
        return _ExpiredError()
    try:
        message = str(answer.json()["message"])
    except (ValueError, LookupError, TypeError):
        message = f"HTTP status {answer.status_code}"
    return ApiError(answer.status_code, message)


def _text(error: Exception) -> str:
    """The message of an error; those of timeouts are empty."""
    name = type(error).__name__
    return str(error) or ("timed out" if name.endswith("Timeout") else name)


def name_of(found: Object) -> str:
    """The name of an object."""
    return str(found["metadata"]["name"])


class Watched:
    """A collection by names, as it is in the API. `changed` is called after each change.

    `query`: selects objects. `key`: of an object in `items`.

    `version`: up to which `items` is complete; empty before the first list.
    """

    def __init__(
        self, api: Api, path: str, changed: Callable[[], None], say: Say,
        *, query: Mapping[str, str] | None = None, key: Callable[[Object], str] = name_of,
        silence_s: float | None = None,
    ) -> None:  # fmt: skip
        self.items: dict[str, Object] = {}
        self.version = ""
        self.problem = ""
        """Why it is not up to date; empty: it is."""
        self._api, self._path, self._changed, self._say = api, path, changed, say
        self._query, self._key = dict(query or {}), key
        self._silence_s = SILENCE_S if silence_s is None else silence_s
        self._said_at_s = 0.0

    async def run(self) -> None:
        """Lists and watches until it is cancelled."""
        failures = 0
        while True:
            try:
                version = await self._list()
                if failures:
                    self._say(f"Kubernetes API ({self._api.where}): it answers again")
                failures, self.problem = 0, ""
                self._changed()
                while True:
                    version = await self._follow(version)
                    await asyncio.sleep(_PAUSE_S)
            except _ExpiredError:
                await asyncio.sleep(_PAUSE_S)
            except Exception as error:
                failures += 1
                self.problem = _text(error)
                self._complain(is_first=failures == 1)
                # Not all nodes at once, when a server comes back.
                delay_s = min(_FIRST_DELAY_S * 2 ** min(failures, 10), _MAX_DELAY_S)
                await asyncio.sleep(delay_s * random.uniform(0.5, 1))

    def _complain(self, *, is_first: bool) -> None:
        """Reports a failure, and from time to time that it lasts."""
        if not is_first and time.monotonic() - self._said_at_s < _REMIND_S:
            return
        self._said_at_s = time.monotonic()
        what = self._path.rpartition("/")[2]
        self._say(f"Kubernetes API ({self._api.where}), {what}: {self.problem}; trying again")

    async def _list(self) -> str:
        found, self.version = await self._api.everything(self._path, self._query)
        self.items = {self._key(each): _slim(each) for each in found}
        return self.version

    async def _follow(self, version: str) -> str:
        query = {
            **self._query, "watch": "true", "allowWatchBookmarks": "true",
            "timeoutSeconds": str(max(1, int(self._silence_s * 4 / 5))), "resourceVersion": version,
        }  # fmt: skip
        with suppress(asyncio.TimeoutError):
            async with aclosing(self._api.lines(self._path, query, self._silence_s)) as events:
                async for event in events:
                    self._note(event)
                    version = self.version
        return version

    def _note(self, event: Object) -> None:
        what, found = event["type"], event["object"]
        if what == "ERROR":
            if found.get("code") == 410:
                raise _ExpiredError
            raise ConnectionError(str(found.get("message")))
        self.version = str(found["metadata"]["resourceVersion"])
        if what == "BOOKMARK":
            return
        if what == "DELETED":
            self.items.pop(self._key(found), None)
        else:
            self.items[self._key(found)] = _slim(found)
        self._changed()


def _slim(found: Object) -> Object:
    """An object without the record of who wrote what, which takes more space than all else."""
    found["metadata"].pop("managedFields", None)
    return found
