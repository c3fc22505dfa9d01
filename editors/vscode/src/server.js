// SPDX-License-Identifier: Apache-2.0
//
// How to start the language server, without anything of VS Code.

"use strict";

const PROGRAM = "gthulhu";

/**
 * The command that starts the server; `path` is the setting `gthulhu.path`.
 *
 * @param {string | undefined} path
 */
function serverOptions(path) {
  const command = (path || "").trim() || PROGRAM;
  return { command, args: ["lsp"] };
}

/**
 * What the client sends: policies in files and new ones, and the settings, now and when they change.
 *
 * @param {Record<string, boolean> | undefined} inlayHints
 */
function clientOptions(inlayHints) {
  return {
    documentSelector: [
      { scheme: "file", language: "gpl" },
      { scheme: "untitled", language: "gpl" },
    ],
    synchronize: { configurationSection: "gthulhu" },
    initializationOptions: { gthulhu: { inlayHints: inlayHints || {} } },
  };
}

/**
 * The message about a server that does not start.
 *
 * @param {string} command
 * @param {unknown} error
 */
function advice(command, error) {
  const reason = error instanceof Error ? error.message : String(error);
  return (
    `\`${command} lsp\` does not start: ${reason}. ` +
    "Install gthulhuc with its extra `lsp`, or set `gthulhu.path` to the program."
  );
}

module.exports = { serverOptions, clientOptions, advice };
