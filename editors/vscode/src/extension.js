// SPDX-License-Identifier: Apache-2.0
//
// Starts the language server for policies, and restarts it on command.

"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const { serverOptions, clientOptions, advice } = require("./server");

/** @type {LanguageClient | undefined} */
let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("gthulhu");
  const server = serverOptions(settings.get("path"));
  client = new LanguageClient(
    "gthulhu",
    "gthulhu",
    server,
    clientOptions(settings.get("inlayHints")),
  );
  try {
    await client.start();
  } catch (error) {
    const open = "Open the settings";
    const chosen = await vscode.window.showErrorMessage(advice(server.command, error), open);
    if (chosen === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "gthulhu.path");
    }
  }
}

async function stop() {
  const running = client;
  client = undefined;
  // A server that never started cannot be stopped.
  if (running && running.isRunning()) {
    await running.stop();
  }
}

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(vscode.commands.registerCommand("gthulhu.restart", restart));
  // The command has to be there while the message about a missing server waits for an answer.
  void start();
}

module.exports = { activate, deactivate: stop };
