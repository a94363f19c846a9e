/** What the dashboard costs: npm run bench -- dashboard --delegations 1000 --events 100000 --idle 10 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import * as z from "zod";
import { sendTo, signInTo } from "../test/dashboard/ask-dashboard.ts";
import { makeBigStore } from "../test/dashboard/big-store.ts";
import { idlePercent, memoryOf } from "../test/dashboard/process-cost.ts";
import { printResults, timed } from "./measure.ts";
import { ownStoreFile } from "../test/own-store-file.ts";

const MAX_IDLE_PERCENT = 1;
const FIRST_RUN_MS = 500;
const AGAIN_MS = 150;

const startedSchema = z.object({ url: z.string(), origin: z.string(), port: z.number() });

export async function dashboard(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      delegations: { type: "string", default: "1000" },
      events: { type: "string", default: "100000" },
      idle: { type: "string", default: "10" },
    },
  });
  const project = mkdtempSync(join(tmpdir(), "ambit-bench-dashboard-"));
  mkdirSync(join(project, ".git"));
  writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
  const size = { delegations: Number(values.delegations), events: Number(values.events) };
  await makeBigStore(ownStoreFile(project), size);
  const began = performance.now();
  const child = spawn(process.execPath, [resolve("dist/cli/main.cjs"), "dashboard", "--no-open", "--json"], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const startMs = performance.now() - began;
    const { url, origin, port } = startedSchema.parse(JSON.parse(String(line)));
    const cookie = await signInTo({ port, origin, token: new URL(url).hash.slice("#token=".length) });
    const read = (path: string): Promise<number> => timed(() => sendTo(port, path, { headers: { cookie } }));
    const [listMs, firstMs] = [await read("/api/runs"), await read("/api/runs/S-big")];
    const againMs = await read("/api/runs/S-big");
    const idle = await idlePercent(
      child,
      ["", "?run=S-big"].map((query) => ({ port, cookie, query })),
      Number(values.idle),
    );
    return printResults("dashboard", [
      { what: "from start to link", value: `${startMs.toFixed(0)} ms` },
      { what: "list of runs", value: `${listMs.toFixed(0)} ms` },
      ...[
        { what: `run of ${values.events} events, first time`, ms: firstMs, most: FIRST_RUN_MS },
        { what: "the same again", ms: againMs, most: AGAIN_MS },
      ].map(({ what, ms, most }) => ({
        what,
        value: `${ms.toFixed(0)} ms`,
        goal: `≤ ${most} ms`,
        met: ms <= most,
      })),
      {
        what: "idle, two streams open",
        value: `${idle.toFixed(2)} % CPU`,
        goal: `≤ ${MAX_IDLE_PERCENT} %`,
        met: idle <= MAX_IDLE_PERCENT,
      },
      { what: "memory", value: `${(memoryOf(child) / 1024 / 1024).toFixed(0)} MB` },
    ]);
  } finally {
    child.kill("SIGTERM");
    rmSync(project, { recursive: true, force: true });
  }
}
