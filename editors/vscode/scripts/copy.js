// SPDX-License-Identifier: Apache-2.0
//
// Copies what the package shares with the rest of the repository into the extension, or another
// folder. vsce runs it.

"use strict";

const fs = require("node:fs");
const path = require("node:path");

const here = path.dirname(__dirname);
const root = path.dirname(path.dirname(here));

const target = process.argv[2] || here;

fs.mkdirSync(path.join(target, "syntaxes"), { recursive: true });
for (const [from, to] of [
  ["grammar/gpl.tmLanguage.json", "syntaxes/gpl.tmLanguage.json"],
  ["LICENSES/Apache-2.0.txt", "LICENSE.txt"],
]) {
  fs.copyFileSync(path.join(root, from), path.join(target, to));
}
