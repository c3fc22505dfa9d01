# SPDX-License-Identifier: Apache-2.0
"""The texts that policies ask for: their own, those of ConfigMaps, and Gthulhu's resources.

A child without rights checks and imports them, as `gthulhu serve` does.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from gthulhu.fleet.loading import first_error, one_line
from gthulhu.fleet.resources import ConfigMapRef, GthulhuRef, Policy, Text, digest
from gthulhu.kubernetes import Api, Object, Say, Watched
from gthulhu.serve.compiling import Compilers, LimitError
from gthulhuc.cli.frame import CommandError

MAX_TEXT = 1 << 18
_KEPT = 64
_INTENT: Object = {
    "podName": "", "podID": "", "nodeID": "", "k8sNamespace": "", "commandRegex": "",
    "priority": 0, "executionTime": 0, "podLabels": {},
}  # fmt: skip


class Texts:
    """Knows the text of a policy, as far as the API has told it. Watches begin when needed."""

    def __init__(self, api: Api, namespace: str, changed: Callable[[], None], say: Say) -> None:
        self._api, self._namespace, self._changed, self._say = api, namespace, changed, say
        self._watched: dict[str, Watched] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._judged: OrderedDict[str, Text] = OrderedDict()

    async def close(self) -> None:
        """Ends the watches."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def of(self, policy: Policy) -> Text:
        """The text that a policy asks for now."""
        spec = policy.spec
        if spec.config_map is not None:
            return await self._of_config_map(policy.name, spec.config_map)
        if spec.gthulhu is not None:
            return await self._of_gthulhu(policy.name, spec.gthulhu)
        return await self._checked(policy.name, spec.policy or "")

    async def _of_config_map(self, name: str, wanted: ConfigMapRef) -> Text:
        where = f"ConfigMap {self._namespace}/{wanted.name}"
        maps = self._watch(f"/api/v1/namespaces/{self._namespace}/configmaps")
        if maps.problem or not maps.version:
            return Text(None, f"{where} is not known: {maps.problem or 'not listed yet'}")
        found = maps.items.get(wanted.name)
        if found is None:
            return Text(None, f"{where} does not exist")
        text = (found.get("data") or {}).get(wanted.key)
        if text is None:
            return Text(None, f"{where} has no key {wanted.key}")
        return await self._checked(name, text)

    async def _of_gthulhu(self, name: str, wanted: GthulhuRef) -> Text:
        folder = f"/apis/gthulhu.io/v1alpha1/namespaces/{wanted.namespace}"
        kinds = [self._watch(f"{folder}/scheduling{kind}") for kind in ("strategies", "intents")]
        for each in kinds:
            if each.problem or not each.version:
                return Text(
                    None, f"Gthulhu's resources are not known: {each.problem or 'not listed yet'}"
                )
        strategies, intents = (_in_order(each) for each in kinds)
        if not strategies and not intents:
            return Text(None, f"namespace {wanted.namespace} has no strategies of Gthulhu")
        names = {each["metadata"]["name"] for each in strategies}
        # Intents are what Gthulhu's manager makes of strategies for each pod.
        own = [
            _INTENT | {key: value for key, value in each["spec"].items() if value is not None}
            for each in intents
            if each["spec"].get("strategyID") not in names
        ]
        plain = [{"kind": each["kind"], "spec": each["spec"]} for each in strategies]
        job = {
            "do": "import", "name": name, "strategies": plain, "intents": own,
            "semantics": wanted.semantics, "cgroups": "off", "known": [],
            "text_only": True,
        }  # fmt: skip
        return await self._judge(json.dumps(job, sort_keys=True), job, _imported)

    async def _checked(self, name: str, text: str) -> Text:
        if len(text) > MAX_TEXT:
            return Text(None, f"the text has more than {MAX_TEXT:,} characters", is_wrong=True)
        job = {"do": "check", "name": f"{name}.gpl", "text": text}

        def judged(said: dict[str, Any]) -> Text:
            if said["ok"]:
                return Text(text)
            return Text(None, first_error(said["diagnostics"]), is_wrong=True)

        return await self._judge(text, job, judged)

    async def _judge(
        self, key: str, job: dict[str, Any], judged: Callable[[dict[str, Any]], Text]
    ) -> Text:
        """The result of a job; those of the last texts are kept."""
        sha256 = digest(key)
        if (found := self._judged.get(sha256)) is not None:
            self._judged.move_to_end(sha256)
            return found
        try:
            result = await self._run(job)
        except LimitError as error:
            text = Text(None, one_line(error), is_wrong=True)
        except (CommandError, OSError) as error:
            return Text(None, f"cannot check the policy: {one_line(error)}")
        else:
            text = judged(result)
        self._judged[sha256] = text
        while len(self._judged) > _KEPT:
            self._judged.popitem(last=False)
        return text

    @staticmethod
    async def _run(job: dict[str, Any]) -> dict[str, Any]:
        compilers = Compilers(1)
        try:
            return (await compilers.run(job)).said
        finally:
            await compilers.close()  # the next job may be months away

    def _watch(self, path: str) -> Watched:
        if path not in self._watched:
            watched = self._watched[path] = Watched(self._api, path, self._changed, self._say)
            self._tasks.append(asyncio.create_task(watched.run()))
        return self._watched[path]


def _imported(said: dict[str, Any]) -> Text:
    wrong = [each for each in said["findings"] if each["is_error"]]
    if wrong:
        return Text(None, f"{wrong[0]['place']}: {wrong[0]['message']}", is_wrong=True)
    if not said["ok"]:
        return Text(None, f"the strategies do not fit: {said['refused']}", is_wrong=True)
    return Text(said["text"])


def _in_order(watched: Watched) -> list[Object]:
    """The objects, the oldest first: of two strategies for a task the later one counts."""
    return sorted(
        watched.items.values(),
        key=lambda each: (each["metadata"].get("creationTimestamp", ""), each["metadata"]["name"]),
    )
