import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRunTools } from "../../src/orchestrator/create-run-tools.ts";
import { cleanLeftovers, describeOrphan, findLeftovers } from "../../src/orchestrator/find-leftovers.ts";
import { runStory } from "../../src/orchestrator/pipeline.ts";
import { recoverOpenWork } from "../../src/orchestrator/recover.ts";
import type { RunNotice, RunTools } from "../../src/orchestrator/run-tools.ts";
import { makeProject, type Project } from "../e2e/project.ts";

let project: Project;
let tools: RunTools;
let notices: RunNotice[];

beforeEach(async () => {
  project = makeProject();
  notices = [];
  tools = await createRunTools({
    projectRoot: project.root,
    environment: { PATH: process.env["PATH"], HOME: dirname(project.root), AMBIT_RUN_ID: "forged" },
    workerProgram: [process.execPath, resolve("dist/cli/main.cjs"), "__worker"],
    owner: "test",
    watch: (notice) => notices.push(notice),
  });
});
afterEach(async () => {
  await tools.store.close();
  rmSync(dirname(project.root), { recursive: true, force: true });
});

const script = (text: string): string[] => {
  const file = join(dirname(project.root), "script.yaml");
  writeFileSync(file, text);
  return [file];
};
const scripted = (id: string, text: string, more: object = {}) =>
  runStory(tools, { id, title: `Story ${id}`, adapter: "scripted", command: script(text), ...more });
const command = (id: string, words: readonly string[], more: object = {}) =>
  runStory(tools, { id, title: `Story ${id}`, adapter: "command", command: words, ...more });
const eventTypes = async (id: string): Promise<string[]> =>
  (await tools.store.eventsAfter(0, 1000, { delegation: id })).events.map((event) =>
    String(JSON.parse(event.body).type),
  );

describe("one story", () => {
  it("walks its stages, the journal line before the effect (R145, R151)", async () => {
    const { settlement } = await scripted(
      "A1",
      "- write: {path: x.txt, text: x}\n- spend: {input: 5, output: 1, usd: 0.01}\n- return: {status: completed, summary: 'Wrote x. Done.'}\n",
    );
    expect(settlement).toMatchObject({ outcome: "completed", filesChanged: ["x.txt"] });
    expect(await eventTypes("A1")).toEqual([
      "story-opened",
      "attempt-started",
      "workspace-created",
      "usage-reported",
      "delegation-returned",
      "delegation-verified",
      "delegation-closed",
    ]);
    expect(notices.filter((notice) => notice.kind === "stage").map((notice) => notice.stage)).toEqual([
      "route",
      "invoke",
      "validate",
    ]);
    expect(await tools.store.delegation("A1")).toMatchObject({
      outcome: "completed",
      microUsd: 10_000,
      estimated: true,
    });
  });

  it("tells a worker that began from one that returned (R73)", async () => {
    const begun = await scripted("A2", "- early: true\n- write: {path: y.txt, text: y}\n- exit: 3\n");
    expect(begun.settlement).toMatchObject({ outcome: "partial", code: "INTERRUPTED" });
    const lost = await command("A3", ["true"]);
    expect(lost.settlement).toMatchObject({ outcome: "failed", code: "NOT_JSON", filesChanged: [] });
    expect(project.git("branch", "--list", "delegation/A3")).toBe("");
  });

  it("takes a return from the last words when there is no file (C14)", async () => {
    const print = `node -e 'const m = JSON.parse(process.env.AMBIT_RETURN_METADATA); console.log("Done: " + JSON.stringify({status: "completed", summary: "All. Good.", artifacts: [], metadata: m}))'`;
    const { settlement } = await command("A4", ["sh", "-c", print]);
    expect(settlement).toMatchObject({ outcome: "completed", summary: "All. Good." });
  });

  it("reads no link, no pipe and no endless file as a return", async () => {
    for (const [id, trick] of [
      ["A5", "ln -s /etc/passwd"],
      ["A6", "mkfifo"],
    ] as const) {
      const { settlement } = await command(id, ["sh", "-c", `${trick} "$AMBIT_RETURN_FILE"`]);
      expect(settlement).toMatchObject({ outcome: "failed", code: "NOT_JSON" });
    }
    const large = await command("A7", ["sh", "-c", 'head -c 3000000 /dev/zero > "$AMBIT_RETURN_FILE"']);
    expect(large.settlement).toMatchObject({ code: "TOO_LARGE" });
  });

  it("stops at its budget and on request, with what there is kept", async () => {
    const spent = await scripted(
      "A8",
      "- write: {path: z.txt, text: z}\n- spend: {input: 1, output: 1, usd: 2}\n- hang: quiet\n",
      { budgetMicroUsd: 1_000_000 },
    );
    expect(spent.settlement).toMatchObject({
      outcome: "partial",
      code: "COST_LIMIT_EXCEEDED",
      filesChanged: ["z.txt"],
    });
    const running = scripted("A9", "- write: {path: w.txt, text: w}\n- say: ready\n- hang: talking\n");
    await expect
      .poll(() => notices.some((notice) => notice.kind === "output" && notice.text === "ready"), {
        timeout: 20_000,
      })
      .toBe(true);
    await tools.store.requestCancel("A9", "enough", "person");
    expect((await running).settlement).toMatchObject({ outcome: "cancelled", filesChanged: ["w.txt"] });
  });

  it("ends at its deadline, never longer than the project allows (C35)", async () => {
    const { settlement } = await scripted("A10", "- hang: quiet\n", { timeoutSeconds: 1 });
    expect(settlement).toMatchObject({ outcome: "timed_out", code: "TIMEOUT" });
    await expect(scripted("A11", "- exit: 0\n", { timeoutSeconds: 99_999 })).rejects.toMatchObject({
      code: "USAGE",
    });
  });

  it("closes what breaks in our own hands, and frees its place", async () => {
    await expect(command("A12", ["no-such-program-here"])).rejects.toMatchObject({
      code: "TOOL_UNAVAILABLE",
    });
    expect(await tools.store.delegation("A12")).toMatchObject({
      outcome: "failed",
      code: "TOOL_UNAVAILABLE",
    });
    expect(existsSync(join(project.root, ".ambit/state/workspaces/A12"))).toBe(false);
    await expect(command("A12", ["true"])).rejects.toMatchObject({ code: "STORY_EXISTS" });
    await expect(runStory(tools, { id: "x" })).rejects.toMatchObject({ code: "USAGE" });
  });

  it("works in a sandbox the same way", async () => {
    const { settlement } = await command(
      "A13",
      ["sh", "-c", "echo in > in.txt; ls /home /root 2>/dev/null | wc -l"],
      { isolation: "sandbox" },
    );
    expect(settlement).toMatchObject({ outcome: "partial", filesChanged: ["in.txt"] });
    expect(project.git("show", "delegation/A13:in.txt")).toBe("in\n");
    const nothing = await command("A14", ["true"], { isolation: "sandbox" });
    expect(nothing.settlement).toMatchObject({ outcome: "failed" });
    expect(project.git("branch", "--list", "delegation/A14")).toBe("");
  });
});

describe("recovery", () => {
  it("closes what was queued or running, keeps the work, and may be done twice", async () => {
    const { limits } = tools;
    await tools.store.openStory({ id: "Q1", kind: "story", title: "never began", agent: "command", limits });
    await tools.store.openStory({ id: "Q2", kind: "story", title: "began", agent: "command", limits });
    await tools.store.begin("Q2", 1, { owner: "dead", leaseMs: 1, maxConcurrent: 3 });
    expect(await recoverOpenWork(tools)).toEqual([
      { id: "Q1", killed: 0, outcome: "failed" },
      { id: "Q2", killed: 0, outcome: "failed" },
    ]);
    expect(await tools.store.delegation("Q2")).toMatchObject({ state: "closed", code: "ORPHANED" });
    expect(await recoverOpenWork(tools)).toEqual([]);
  });

  it("finds leftovers and says which need a person", async () => {
    const strange = join(project.root, ".ambit/state/workspaces/strange");
    mkdirSync(strange, { recursive: true });
    writeFileSync(join(strange, "work.txt"), "whose?");
    const found = await findLeftovers(tools.workspaces, tools.store);
    expect(found.map(describeOrphan)).toEqual([`unknown-folder ${strange}`]);
    expect(await cleanLeftovers(tools.workspaces, found)).toMatchObject({ removed: [], left: found });
    expect(existsSync(join(strange, "work.txt"))).toBe(true);
    expect(describeOrphan({ kind: "branch", id: "x", ref: "refs/heads/x", commit: "c" })).toBe(
      "branch refs/heads/x",
    );
    expect(describeOrphan({ kind: "port-claim", portBase: 1, owner: "o" })).toContain("ports from 1");
    expect(describeOrphan({ kind: "workspace", id: "i", path: "/p" })).toBe("workspace /p of i");
  });
});
