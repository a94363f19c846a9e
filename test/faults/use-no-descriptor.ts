/** Starts programs while no descriptor is left, and prints what became of that. Expects a folder. */
import { closeSync, openSync } from "node:fs";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DelegationError } from "../../src/base/delegation-error.ts";
import { isPeerInsideRun } from "../../src/supervisor/socket/peer-process.ts";
import { startGitProcess } from "../../src/workspace/git/run-git.ts";

const path = join(process.argv[2] ?? "", "s.sock");
const server = createServer().listen(path);
await once(server, "listening");
const incoming = new Promise<Socket>((resolve) => server.once("connection", resolve));
connect(path);
const socket = await incoming;
const opened: number[] = [];
openAll();
const isWorker = await isPeerInsideRun(socket);
const git = tryGit();
// A failed start is reported in a later turn.
await nextTurn();
for (const descriptor of opened) closeSync(descriptor);
process.stdout.write(JSON.stringify({ isWorker, git }), () => process.exit());

function openAll(): void {
  try {
    for (;;) opened.push(openSync("/dev/null", "r"));
  } catch {
    // None is left.
  }
}

function tryGit(): string {
  try {
    const place = { searchPath: "/usr/bin:/bin", gitDirectory: "/nowhere" };
    startGitProcess({ place, arguments: ["update-ref", "--stdin"] });
    return "started";
  } catch (error) {
    return error instanceof DelegationError ? error.code : String(error);
  }
}
