// SPDX-License-Identifier: Apache-2.0
//
// Speaks with the real language server, started as the extension starts it. `gthulhu` has to be on
// the PATH. It needs no package.

"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const test = require("node:test");

const manifest = require("../package.json");
const { serverOptions, clientOptions, advice } = require("../src/server");

const URI = "file:///policy.gpl";
const TEXT = 'policy p {}\nrule web { match comm == "nginx" priority urgent }\n';

/** A client with the server, as the extension starts it with some settings. */
class Client {
  constructor(inlayHints) {
    const { command, args } = serverOptions(undefined);
    this.server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.options = clientOptions(inlayHints).initializationOptions;
    this.waiting = [];
    this.next = 0;
    let received = Buffer.alloc(0);
    this.server.stdout.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (;;) {
        const end = received.indexOf("\r\n\r\n");
        if (end < 0) return;
        const length = Number(/content-length: *(\d+)/i.exec(received.toString("ascii", 0, end))[1]);
        if (received.length < end + 4 + length) return;
        this.take(JSON.parse(received.toString("utf8", end + 4, end + 4 + length)));
        received = received.subarray(end + 4 + length);
      }
    });
  }

  take(message) {
    const index = this.waiting.findIndex(({ fits }) => fits(message));
    if (index >= 0) this.waiting.splice(index, 1)[0].resolve(message);
  }

  message(fits) {
    return new Promise((resolve) => this.waiting.push({ fits, resolve }));
  }

  send(method, params, extra = {}) {
    const text = JSON.stringify({ jsonrpc: "2.0", method, params, ...extra });
    this.server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  async request(method, params) {
    const id = ++this.next;
    const answer = this.message((message) => message.id === id && !message.method);
    this.send(method, params, { id });
    const { result, error } = await answer;
    assert.equal(error, undefined);
    return result;
  }

  async open(text) {
    const published = this.message(({ method }) => method === "textDocument/publishDiagnostics");
    const initialized = await this.request("initialize", {
      processId: null,
      rootUri: null,
      capabilities: {},
      initializationOptions: this.options,
    });
    this.send("initialized", {});
    const textDocument = { uri: URI, languageId: "gpl", version: 1, text };
    this.send("textDocument/didOpen", { textDocument });
    return { initialized, diagnostics: (await published).params.diagnostics };
  }

  async hints() {
    const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    return this.request("textDocument/inlayHint", { textDocument: { uri: URI }, range });
  }

  async close() {
    await this.request("shutdown");
    const ended = new Promise((resolve) => this.server.on("exit", resolve));
    this.send("exit");
    assert.equal(await ended, 0);
  }
}

test("a mistake has its diagnostic", async () => {
  const client = new Client({});
  const { initialized, diagnostics } = await client.open(TEXT.replace("urgent", "urgnt"));
  assert.ok(initialized.capabilities.renameProvider);
  assert.deepEqual(
    diagnostics.map(({ code, range }) => [code, range.start.line]),
    [["GPL0101", 1]],
  );
  await client.close();
});

test("the settings in the manifest switch hints off", async () => {
  const properties = Object.keys(manifest.contributes.configuration.properties);
  const kinds = properties.filter((name) => name.includes("inlayHints."));
  assert.equal(kinds.length, 3);
  const off = Object.fromEntries(kinds.map((name) => [name.split(".")[2], false]));
  for (const [settings, some] of [[{}, true], [off, false]]) {
    const client = new Client(settings);
    await client.open(TEXT);
    assert.equal((await client.hints()).length > 0, some);
    await client.close();
  }
});

test("the path of the program can be set", () => {
  const { default: program } = manifest.contributes.configuration.properties["gthulhu.path"];
  assert.deepEqual(serverOptions(""), { command: program, args: ["lsp"] });
  assert.deepEqual(serverOptions("/opt/bin/gthulhu"), { command: "/opt/bin/gthulhu", args: ["lsp"] });
});

test("a server that does not start has a way out", () => {
  const text = advice("gthulhu", new Error("spawn gthulhu ENOENT"));
  assert.match(text, /ENOENT.*Install gthulhuc.*gthulhu\.path/);
});
