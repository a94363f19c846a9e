import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JournalEvent } from "../../src/contract/journal-event.ts";
import { openReader } from "../../src/journal/open-reader.ts";
import type { Delegation } from "../../src/journal/store.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { storeFile } from "../../src/journal/store-file.ts";
import { verifyJournal } from "../../src/journal/verify-journal.ts";
import { cleanLeftovers, describeOrphan, findLeftovers } from "../../src/orchestrator/find-leftovers.ts";
import { openRepository } from "../../src/workspace/repository.ts";
import { makeProject, until, userState, type Project } from "../e2e/project.ts";
import {
  describeAgent,
  openOn,
  runtimeOptions,
  useRuntime,
  writeScript,
  type TestRuntime,
} from "./open-runtime.ts";
import { processesIn } from "./processes-in.ts";
import { delegate, done, hang, shell, waitFor, write } from "./steps.ts";
import { removeFolder } from "../e2e/remove-folder.ts";
import { ownStoreFile } from "../own-store-file.ts";
import type { Doom } from "./open-doomed.ts";
import { useDoomedProgram } from "./use-doomed-program.ts";

const doomed = useDoomedProgram("test/orchestrator/doomed-runtime.ts");
let project: Project;
let runtime: TestRuntime | undefined;

beforeEach(() => {
  project = makeProject();
  runtime = undefined;
});
afterEach(async () => {
  await runtime?.close();
  removeFolder(dirname(project.root));
});

type Moment = Omit<Doom, "options">;

const describeDoom = (moment: Moment): Doom => ({ story: null, ...moment, options: runtimeOptions(project) });
/** Starts a runtime that kills itself at this event; without one it runs until it is killed. */
const startDoomed = (moment: Moment): ChildProcess => doomed.start(describeDoom(moment));
const dieAt = (moment: Moment): Promise<void> => doomed.dieAt(describeDoom(moment));
const story = (id: string, script: object, more: object = {}): object => ({
  id,
  title: `Story ${id}`,
  adapter: "scripted",
  command: [writeScript(project, id, script)],
  ...more,
});
const reopen = async (): Promise<TestRuntime> => {
  runtime = useRuntime(project, await openOn(project));
  return runtime;
};
/** While another process owns the store. */
const read = async (id: string): Promise<Delegation | undefined> => {
  const reader = openReader(storeFile(project.root));
  const delegation = await reader?.delegation(id);
  await reader?.close();
  return delegation;
};
const journal = async (open: TestRuntime): Promise<readonly JournalEvent[]> =>
  (await open.engine.tools.store.eventsAfter(0, 10_000)).events.map(({ body }) => JSON.parse(body));

/** What must hold after any crash and every recovery from it. */
const expectWhole = async (open: TestRuntime): Promise<void> => {
  const events = await journal(open);
  const count = (type: string, delegation: string): number =>
    events.filter((event) => event.type === type && event.delegation === delegation).length;
  for (const id of new Set(events.flatMap(({ delegation }) => delegation ?? []))) {
    expect([id, count("delegation-closed", id)]).toEqual([id, 1]);
    expect(count("delegation-merged", id)).toBeLessThanOrEqual(1);
  }
  expect(verifyJournal(storeFile(project.root))).toMatchObject({ differingProjections: [] });
  expect(verifyJournal(storeFile(project.root)).firstBad).toBeUndefined();
  expect(processesIn(project.root)).toBe(0);
};

describe("a runtime that was killed", () => {
  it("at any step of a story, even during recovery, is followed by one that finishes it and does nothing twice", async () => {
    const runs = join(dirname(project.root), "runs");
    describeAgent(project, "worker", [shell(`echo worker >> ${runs}`), write("w.txt", "w"), done()]);
    const before = userState(project);
    const request = story("K1", {
      begin: [
        shell(`echo manager >> ${runs}`),
        delegate([{ description: "Work", agent: "worker", accept: ["`grep -q w w.txt` exits with code 0"] }]),
      ],
      results: [shell(`echo results >> ${runs}; cat w.txt`), done("Story. Done.")],
    });
    await dieAt({ type: "delegation-admitted", delegation: "K1-DEL-001", story: request });
    const points = [
      ["delegation-parked", "K1"],
      ["work-kept", "K1-DEL-001"],
      ["delegation-returned", "K1-DEL-001"],
      ["criterion-checked", "K1-DEL-001"],
      ["delegation-verified", "K1-DEL-001"],
      ["delegation-merged", "K1-DEL-001"],
      ["delegation-closed", "K1-DEL-001"],
      ["delegation-resumed", "K1"],
      ["delegation-verified", "K1"],
    ] as const;
    for (const [type, delegation] of points) await dieAt({ type, delegation });
    const open = await reopen();
    expect(await open.engine.whenEnded("K1")).toMatchObject({
      outcome: "completed",
      summary: "Story. Done.",
    });
    await expectWhole(open);
    // The first manager died with its runtime, right after it had handed out the work; all others ran once.
    expect(open.text(runs)).toBe("manager\nworker\nresults\n");
    expect(open.file("refs/heads/ambit/K1", "w.txt")).toBe("w");
    expect(project.git("rev-list", "--count", "ambit/K1", "--", "w.txt").trim()).toBe("1");
    expect(userState(project)).toEqual(before);
  });

  it("while the work of several workers was checked or merged together, is followed by one that merges each once", async () => {
    const folder = dirname(project.root);
    const file = (name: string): string => join(folder, name);
    const [check, opened, last] = [file("check.sh"), file("opened"), file("last")];
    writeFileSync(check, `until [ -e ${opened} ]; do sleep 0.02; done; test -s ambit.yaml\n`);
    project.write("ambit.yaml", `verification:\n  test: sh ${check}\n`);
    const accept = [`\`sh ${check}\` exits with code 0`];
    const tasks = [1, 2, 3, 4].map((part) => {
      const wait = part === 4 ? [waitFor(last)] : [];
      describeAgent(project, `part${part}`, [...wait, write(`${part}.txt`, "part"), done()]);
      return { description: `Part ${part}`, agent: `part${part}`, accept };
    });
    const request = story("K7", { begin: [delegate(tasks)], results: [done()] });
    const dead = dieAt({ type: "delegation-returned", delegation: "K7-DEL-004", story: request });
    for (const part of [1, 2, 3])
      await until("it has returned", async () => (await read(`K7-DEL-00${part}`))?.state === "returned");
    writeFileSync(last, "");
    await dead;
    writeFileSync(opened, "");
    for (const [type, delegation] of [
      ["check-started", "K7-DEL-003"],
      ["criterion-checked", "K7-DEL-003"],
      ["delegation-verified", "K7-DEL-002"],
      ["delegation-merged", "K7-DEL-001"],
      ["delegation-merged", "K7-DEL-002"],
    ] as const)
      await dieAt({ type, delegation });
    const open = await reopen();
    expect(await open.engine.whenEnded("K7")).toMatchObject({ outcome: "completed" });
    await expectWhole(open);
    const verified = (await journal(open)).filter(({ type }) => type === "delegation-verified");
    expect(verified.some(({ data }) => "checkedOn" in data)).toBe(true);
    for (const part of [1, 2, 3, 4]) {
      expect(open.file("refs/heads/ambit/K7", `${part}.txt`)).toBe("part");
      expect(project.git("rev-list", "--no-merges", "--count", "ambit/K7", "--", `${part}.txt`).trim()).toBe(
        "1",
      );
    }
  });

  it("leaves workers that the next one ends and runs again in the same folder, with their work (R73, R201)", async () => {
    const child = startDoomed({
      type: "never",
      delegation: "",
      story: story("K2", {
        attempts: [
          [write("half.txt", "half"), { fork: "daemon" }, hang("deaf")],
          [shell("cat half.txt"), write("rest.txt", "rest"), done()],
        ],
      }),
    });
    const folder = join(`${project.root}.worktrees`, "ambit/workspaces/K2");
    await until("it works", () => existsSync(join(folder, "half.txt")) && processesIn(project.root) > 1);
    child.kill("SIGKILL");
    await once(child, "exit");
    const open = await reopen();
    expect(await open.engine.whenEnded("K2")).toMatchObject({ outcome: "completed", attempt: 2 });
    expect(open.output("K2", 2)).toContain("half");
    expect(open.prompt("K2", 2)).toContain("An earlier attempt was interrupted");
    expect(open.file("refs/heads/ambit/K2", "half.txt")).toBe("half");
    expect(open.file("refs/heads/ambit/K2", "rest.txt")).toBe("rest");
    await expectWhole(open);
  });

  it("while a manager waited for a worker and an answer is followed by one that delegates and asks nothing twice", async () => {
    const gate = join(dirname(project.root), "gate");
    describeAgent(project, "worker", [waitFor(gate), write("w.txt", "w"), done()]);
    const child = startDoomed({
      type: "never",
      delegation: "",
      story: story("K3", {
        begin: [
          write("own.txt", "own"),
          shell(`ambit ask 'Which way?' --wait 50 & ambit delegate Work --agent worker --wait 50`),
          done("Never reached. Never."),
        ],
        results: [shell("cat own.txt w.txt"), done("Resumed. Done.")],
      }),
    });
    await until("the worker works", async () => (await read("K3-DEL-001"))?.state === "running");
    await until("it waits for both", async () => (await read("K3"))?.waitingFor.length === 2);
    child.kill("SIGKILL");
    await once(child, "exit");
    writeFileSync(gate, "");
    const open = await reopen();
    const { id } = await open.question();
    await open.engine.answer(id, { answer: "replied", by: "ann", reason: "That way." });
    expect(await open.engine.whenEnded("K3")).toMatchObject({ outcome: "completed", workers: 1, attempt: 2 });
    expect(open.output("K3", 2)).toContain("ownw");
    expect(open.file("refs/heads/ambit/K3", "own.txt")).toBe("own");
    await expectWhole(open);
  });

  it("leaves questions open, and dependants waiting until their dependencies end", async () => {
    describeAgent(project, "judged", [write("j.txt", "j"), done()]);
    describeAgent(project, "later", [shell("cat j.txt"), done()]);
    const request = story("K4", {
      begin: [
        delegate([
          { description: "Judged", agent: "judged", accept: ["Pleases the editor"] },
          { description: "Later", agent: "later", depends_on: ["#1"] },
        ]),
      ],
      results: [done()],
    });
    await dieAt({ type: "approval-requested", delegation: "K4-DEL-001", story: request });
    const open = await reopen();
    const { id, delegation } = await open.question();
    expect(delegation).toBe("K4-DEL-001");
    expect(await open.read("K4-DEL-002")).toMatchObject({ state: "queued" });
    await open.engine.answer(id, { answer: "approved", by: "ann", reason: "" });
    expect(await open.engine.whenEnded("K4")).toMatchObject({ outcome: "completed" });
    expect(await open.read("K4-DEL-001")).toMatchObject({ outcome: "completed", attempt: 1 });
    expect(await open.read("K4-DEL-002")).toMatchObject({ outcome: "completed" });
    await expectWhole(open);
  });

  it.each([
    ["again and again during the same attempt", 5, {}],
    ["with more than twenty machines of a cluster", 20, { machine: true }],
  ] as const)("%s has its story ended as partial (R201)", async (_, allowed, by) => {
    const ended = await endAfterLosses(allowed + 1, by);
    expect(ended).toMatchObject({ outcome: "partial", code: "ORPHANED", attempt: allowed + 1 });
  });

  it("with a few machines of a cluster has its story repeated", async () => {
    expect(await endAfterLosses(6, { machine: true })).toMatchObject({ attempt: 7 });
  });
});

async function endAfterLosses(losses: number, by: { readonly machine?: true }): Promise<Delegation> {
  const first = await reopen();
  const { limits } = await first.engine.tools.settings();
  await first.engine.close();
  await first.engine.tools.store.close();
  runtime = undefined;
  const store = openStore(ownStoreFile(project.root));
  const work = { adapter: "command", command: ["true"], context: "", criteria: [], dependsOn: [] };
  await store.openStory({ id: "K5", kind: "story", title: "Doomed", agent: "command", limits, work });
  for (let attempt = 1; attempt <= losses; attempt += 1) {
    await store.begin("K5", attempt, { owner: "dead", leaseMs: 1, maxConcurrent: 3 });
    const about = { story: "K5", delegation: "K5", attempt };
    await store.record({ ...about, type: "attempt-lost", data: { reason: "the runtime died", ...by } });
  }
  await store.close();
  const open = await reopen();
  return open.engine.whenEnded("K5");
}

describe("leftovers", () => {
  it("are found, and are not removed if they hold work (R124)", async () => {
    const strange = join(`${project.root}.worktrees`, "ambit/workspaces/strange");
    mkdirSync(strange, { recursive: true });
    writeFileSync(join(strange, "work.txt"), "whose?");
    const open = await reopen();
    const searchPath = process.env["PATH"] ?? "";
    const repository = await openRepository(project.root, { searchPath, home: dirname(project.root) });
    const workspaces = { repository, stateDirectory: join(project.root, ".git/ambit") };
    const found = await findLeftovers(workspaces, open.engine.tools.store);
    expect(found.map(describeOrphan)).toEqual([`unknown-folder ${strange}`]);
    expect(await cleanLeftovers(workspaces, found)).toMatchObject({ removed: [], left: found });
    expect(existsSync(join(strange, "work.txt"))).toBe(true);
  });
});
