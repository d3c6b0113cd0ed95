#!/usr/bin/env node
// Starts the binary of this platform, which npm installed as an optional dependency.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `@sagasu-search/sagasu-${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`${name}/${process.platform === "win32" ? "sagasu.exe" : "sagasu"}`);
} catch {
  console.error(`sagasu: ${name} is not installed. Install again, with optional dependencies; if there is no such
package, build sagasu with Go: go install github.com/sagasu-search/sagasu/cmd/sagasu@latest`);
  process.exit(1);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
process.on("SIGINT", () => {}); // a terminal sends it to both
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (err) => {
  console.error(`sagasu: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
