/**
 * Many workers in two stories at once, one of which hangs: npm run test:many -- --workers 100 --concurrency 8
 * Fails when more run at any instant than allowed (read from the journal), when the hanging one delays the others, or
 * when a merge is missing.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { JournalEvent } from "../../src/contract/journal-event.ts";
import type { Engine } from "../../src/orchestrator/engine.ts";
import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import { removeFolder } from "../e2e/remove-folder.ts";
import { commitProject } from "./commit-project.ts";

const { values } = parseArgs({
  options: { workers: { type: "string", default: "20" }, concurrency: { type: "string", default: "8" } },
});
const workers = Number(values.workers);
const concurrency = Number(values.concurrency);
const HANG_SECONDS = 20;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-many-")));
const root = join(folder, "project");
try {
  makeProject();
  process.exitCode = await main();
} finally {
  removeFolder(folder);
}

async function main(): Promise<number> {
  const dist = resolve("dist/cli/main.cjs");
  const seen: { readonly event: JournalEvent; readonly at: number }[] = [];
  const runtime = await openProjectRuntime({
    projectRoot: root,
    version: "test",
    environment: { PATH: process.env["PATH"], HOME: folder },
    program: [process.execPath, dist],
    workerProgram: [process.execPath, dist, "__worker"],
    onQuiet: () => undefined,
    onShutdown: () => undefined,
    onEvent: (event) => seen.push({ event, at: performance.now() }),
  });
  const began = performance.now();
  const half = Math.floor(workers / 2);
  await Promise.all([handOut(runtime.engine, "ONE", half), handOut(runtime.engine, "TWO", workers - half)]);
  const wall = performance.now() - began;
  for (const story of ["ONE", "TWO"]) await runtime.engine.stop(story, { reason: "done", by: "test" });
  await runtime.close();
  return report(seen, wall);
}

/** A manager that waits, and its workers in one batch; one of all of them never ends by itself. */
async function handOut(engine: Engine, story: string, count: number): Promise<void> {
  await engine.openStory({ id: story, title: story, adapter: "command", command: ["sleep", "86400"] });
  while ((await engine.read(story)).workspace === null) await new Promise((wait) => setTimeout(wait, 20));
  const tasks = Array.from({ length: count }, (_, index) => ({
    description: `${story} part ${index}`,
    agent: story === "ONE" && index === 0 ? "hanger" : "writer",
    accept: ["`ls parts | grep -q txt` passes"],
    ...(story === "ONE" && index === 0 ? { timeout_seconds: HANG_SECONDS, accept: [] } : {}),
  }));
  const admissions = await engine.delegate({ id: story, attempt: 1 }, { tasks });
  await Promise.all(
    admissions.map((one) =>
      one.admitted ? engine.whenEnded(one.delegation.id) : Promise.reject(new Error(story)),
    ),
  );
}

function report(
  seen: readonly { readonly event: JournalEvent; readonly at: number }[],
  wall: number,
): number {
  const faults: string[] = [];
  const running = new Set<string>();
  let most = 0;
  for (const { event } of seen) {
    if (event.delegation === null || !event.delegation.includes("-DEL-")) continue;
    if (event.type === "attempt-started" || event.type === "delegation-rejoined")
      running.add(event.delegation);
    if (
      [
        "attempt-ended",
        "delegation-returned",
        "delegation-closed",
        "delegation-parked",
        "attempt-retried",
        "attempt-lost",
      ].includes(event.type)
    )
      running.delete(event.delegation);
    most = Math.max(most, running.size);
  }
  if (most > concurrency) faults.push(`${most} ran at once`);
  const closed = seen.filter(
    ({ event }) => event.type === "delegation-closed" && event.delegation?.includes("-DEL-") === true,
  );
  const outcomes = closed.map(({ event }) => (event.type === "delegation-closed" ? event.data.outcome : ""));
  const completed = outcomes.filter((outcome) => outcome === "completed").length;
  if (completed !== workers - 1)
    faults.push(`${completed} of ${workers - 1} completed: ${[...new Set(outcomes)].join()}`);
  const hung = closed.find(({ event }) => event.delegation === "ONE-DEL-001")?.at ?? Infinity;
  const late = closed.filter(({ at, event }) => at > hung && event.delegation !== "ONE-DEL-001").length;
  const merged = seen.filter(({ event }) => event.type === "delegation-merged").length;
  if (merged !== workers - 1) faults.push(`${merged} merges`);
  const files = ["ONE", "TWO"].flatMap((story) =>
    execFileSync("git", ["ls-tree", "--name-only", `ambit/${story}:parts`], { cwd: root, encoding: "utf8" })
      .trim()
      .split("\n"),
  );
  if (files.length !== workers - 1) faults.push(`${files.length} parts on the branches`);
  console.log(
    `${workers} workers in two stories, at most ${most} of ${concurrency} at once, ${completed} completed and merged, ` +
      `${late} ended after the one that hung for ${HANG_SECONDS} s, ${(wall / 1000).toFixed(1)} s: ${faults.length} faults`,
  );
  for (const fault of faults) console.log(`  ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

function makeProject(): void {
  const answer = `printf '{"status":"completed","summary":"Done. It is short.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`;
  const write = `mkdir -p parts; echo x > "parts/$$-$(date +%N).txt"; ${answer}`;
  const agent = (command: readonly string[]): string =>
    `---\nadapter: command\ncommand: ${JSON.stringify(command)}\n---\n`;
  const files = {
    "a.txt": "a\n",
    ".ambit/agents/writer.md": agent(["/bin/sh", "-c", write]),
    ".ambit/agents/hanger.md": agent(["sleep", "86399"]),
    "ambit.yaml": `delegation:\n  maxDelegationsPerStory: 100\n  fanOut: {depth0: 100}\n  windDown: {graceSeconds: 0}\n  parallel: {maxConcurrent: ${concurrency}}\n`,
  };
  commitProject(root, files);
}
