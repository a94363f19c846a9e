import { describe, expect } from "vitest";
import { until } from "../e2e/project.ts";
import { it, type TestRuntime } from "./open-runtime.ts";
import { delegate, done, waitFor, write } from "./steps.ts";

const passes = (command: string): string => `\`${command}\` exits with code 0`;
const idOf = (story: string, number: number): string => `${story}-DEL-${String(number).padStart(3, "0")}`;
const meaningOf = (runtime: TestRuntime, id: string): string | undefined =>
  runtime.told(id, "criterion-checked").find(({ criterionId }) => criterionId === "c1")?.meaning;
const baseOf = (runtime: TestRuntime, id: string, type: "check-started" | "check-ended") =>
  runtime.told(id, type).filter(({ on }) => on === "base");

interface Task {
  readonly steps: readonly object[];
  readonly accept: string;
}

/** Runs a manager that hands out one part per task. */
async function runTasks(runtime: TestRuntime, story: string, tasks: readonly Task[], more: object = {}) {
  const parts = tasks.map(({ steps, accept }, index) => {
    runtime.agent(`${story}-${index}`, [...steps, done()]);
    return { description: `Part ${index}`, agent: `${story}-${index}`, accept: [accept] };
  });
  return runtime.run(story, { begin: [delegate(parts)], results: [done()] }, more);
}

describe.concurrent("a worker's own check, which also runs on the tree that the worker starts from", () => {
  it("runs on that tree once for six workers that start from it", async ({ open }) => {
    const runtime = await open();
    const tasks = Array.from({ length: 6 }, (_, index) => ({
      steps: [write(`part-${index}.txt`, "new")],
      accept: passes("test -f a.txt"),
    }));
    await runTasks(runtime, "W1", tasks);
    const ids = tasks.map((_, index) => idOf("W1", index + 1));
    const runs = ids.flatMap((id) => baseOf(runtime, id, "check-started"));
    expect(runs).toHaveLength(1);
    for (const id of ids) {
      expect(baseOf(runtime, id, "check-ended")).toMatchObject([{ verdict: "passed", criteria: ["c1"] }]);
      expect(meaningOf(runtime, id)).toBe("no-regression");
    }
  });

  it("reports what red and green mean, also to the manager", async ({ open }) => {
    const runtime = await open();
    const breaks = "test ! -f bad.txt || { echo 'not ok 1 - has no bad file'; exit 1; }";
    await runTasks(runtime, "W2", [
      { steps: [write("new.txt", "new")], accept: passes("test -f new.txt") },
      { steps: [write("other.txt", "new")], accept: passes("test -f a.txt") },
      { steps: [], accept: passes("test -f a.txt") },
      { steps: [write("bad.txt", "bad")], accept: passes(breaks) },
      { steps: [write("more.txt", "new")], accept: passes("test -f nowhere.txt") },
    ]);
    const ids = [1, 2, 3, 4, 5].map((number) => idOf("W2", number));
    expect(ids.map((id) => meaningOf(runtime, id))).toEqual([
      "proves",
      "no-regression",
      "proves-nothing",
      "broken",
      "red-before",
    ]);
    const ended = await Promise.all(ids.map((id) => runtime.read(id)));
    expect(ended.map(({ proof }) => proof)).toEqual(["proven", "no-regression", "nothing", null, null]);
    expect(ended[3]?.summary).toContain("It passed before the work. New failures: has no bad file.");
    expect(ended[4]?.summary).toContain("It was already failing before this work began.");
    expect(runtime.prompt("W2", 2)).toContain('"proof":"no-regression"');
  });

  it("proves the story of a manager that changes nothing itself", async ({ open }) => {
    const runtime = await open();
    const accept = passes("test -f new.txt");
    const task = { steps: [write("new.txt", "new")], accept };
    const criteria = [{ text: "It is made", check: { command: "test -f new.txt" } }];
    await runTasks(runtime, "W9", [task], { criteria });
    expect(meaningOf(runtime, "W9")).toBe("proves");
    expect((await runtime.read("W9")).proof).toBe("proven");
  });

  it("does not prove the work of a worker if another worker made it green", async ({ open }) => {
    const runtime = await open();
    const accept = passes("test -f fixed.txt");
    const ending = runTasks(runtime, "W3", [
      { steps: [write("fixed.txt", "fixed")], accept },
      { steps: [waitFor(runtime.signal("merged")), write("other.txt", "new")], accept },
    ]);
    await until("the first is merged", () => runtime.history(idOf("W3", 1)).includes("delegation-merged"));
    runtime.open(runtime.signal("merged"));
    await ending;
    expect([1, 2].map((number) => meaningOf(runtime, idOf("W3", number)))).toEqual([
      "proves",
      "no-regression",
    ]);
  });

  it("may stay red as it was if the story allows that", async ({ open }) => {
    const runtime = await open();
    const accept = passes(
      "echo 'not ok 1 - was always red'; test -f worse.txt && echo 'not ok 2 - new'; exit 1",
    );
    const tasks = [
      { steps: [write("one.txt", "new")], accept },
      { steps: [write("two.txt", "new")], accept },
      { steps: [write("worse.txt", "new")], accept },
    ];
    await runTasks(runtime, "W4", tasks, { allowRedBase: true });
    const ended = await Promise.all([1, 2, 3].map((number) => runtime.read(idOf("W4", number))));
    expect(ended.map(({ outcome }) => outcome)).toEqual(["completed", "completed", "partial"]);
    await runTasks(runtime, "W5", tasks);
    expect(await runtime.read(idOf("W5", 1))).toMatchObject({ outcome: "partial" });
  });

  it("is reported for the tree of merged work without another run", async ({ open }) => {
    const runtime = await open();
    const accept = passes("test -f a.txt");
    runtime.agent("later", [write("later.txt", "new"), done()]);
    runtime.agent("early", [write("early.txt", "new"), done()]);
    const early = { description: "Early", agent: "early", accept: [accept] };
    const later = { description: "Later", agent: "later", accept: [accept], depends_on: ["#1"] };
    await runtime.run("W6", { begin: [delegate([early, later])], results: [done()] });
    const second = idOf("W6", 2);
    expect(baseOf(runtime, second, "check-started")).toEqual([]);
    expect(baseOf(runtime, second, "check-ended")).toMatchObject([{ verdict: "passed", durationMs: 0 }]);
    expect(meaningOf(runtime, second)).toBe("no-regression");
  });
});
