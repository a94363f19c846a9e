import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { end, start } from "../../reports/fill-store.ts";
import { ask, filledRepository, json, openWork, run } from "./filled-repository.ts";

describe("ambit status", () => {
  it("names every open question, what it blocks, and the questions of other stories", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1");
      await ask(store, "S-1", { kind: "clarification", question: "npm or pnpm?" });
      await openWork(store, "S-2");
      await start(store, "S-2", { description: "Write ids" });
      await ask(store, "S-2-DEL-001", { kind: "clarification", question: "uuid or bigint?" });
      const data = { waitingFor: ["S-2-DEL-001"] };
      await store.record({ type: "delegation-parked", story: "S-2", delegation: "S-2", attempt: 1, data });
    });
    expect(await json(directory, ["status"])).toMatchObject({
      story: "S-2",
      interrupted: false,
      needs_you: [{ id: "S-2-DEL-001", question: "uuid or bigint?", blocks: ["S-2"] }],
      other_questions: [{ story: "S-1", answer_with: ['ambit reply S-1 "…"'] }],
    });
    const { stdout } = await run(directory, ["status"]);
    expect(stdout).toContain("S-2 waits for it");
    expect(stdout).toContain('Other stories ask you (1)\n  ? S-1  "npm or pnpm?"\n      ambit reply S-1 "…"');
  });

  it("shows the last output of a worker, and that it has been silent since", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1");
      await start(store, "S-1", { description: "Write ids" });
    });
    const folder = join(directory, ".git/ambit/logs/S-1-DEL-001/attempt-1");
    mkdirSync(folder, { recursive: true });
    const log = join(folder, "stdout");
    writeFileSync(log, 'first\nreading src/ids.ts\n{"ambit":"usage","input_tokens":1}\n');
    const written = (await status(directory)).working.find(({ id }) => id === "S-1-DEL-001");
    expect(written).toMatchObject({ latest: "reading src/ids.ts" });
    expect(written).not.toHaveProperty("silent_seconds");
    const before = new Date(Date.now() - 8 * 60_000);
    utimesSync(log, before, before);
    const silent = (await status(directory)).working.find(({ id }) => id === "S-1-DEL-001");
    expect(silent?.silent_seconds).toBeGreaterThanOrEqual(480);
  });

  it("names the way on from a story that has ended", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1");
      await end(store, "S-1", { outcome: "cancelled", summary: "Stopped." });
    });
    const { stdout } = await run(directory, ["status"]);
    expect(stdout).toBe("S-1: Work S-1 · cancelled · cost not reported\n\n  next  ambit explain S-1");
    expect((await run(directory, ["explain", "S-1"])).stdout).toContain("\nNext\n  ambit resume S-1");
  });

  it("says in every listing that open work has no supervisor, and how to continue it", async () => {
    const directory = await filledRepository((store) => openWork(store, "S-1"));
    const advice = "No supervisor is running, so the work is interrupted. Continue it: ambit resume S-1";
    expect((await run(directory, ["status"])).stdout).toContain(advice);
    expect((await run(directory, ["list"])).stdout).toContain(advice);
    expect((await run(directory, ["tree"])).stderr).toContain(advice);
    expect((await run(directory, ["logs"])).stderr).toContain(advice);
    expect((await run(directory, ["logs", "-f"])).stderr).toContain("Continue it: ambit resume S-1");
  });
});

interface Status {
  readonly working: readonly { readonly id: string; readonly silent_seconds?: number }[];
}

async function status(directory: string): Promise<Status> {
  const { stdout } = await run(directory, ["--json", "status"]);
  return JSON.parse(stdout);
}
