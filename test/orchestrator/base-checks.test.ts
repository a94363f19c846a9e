import { describe, expect } from "vitest";
import { it, type TestRuntime } from "./open-runtime.ts";
import { done, shell, write } from "./steps.ts";

const passes = (command: string) => ({ text: "It passes", check: { command } });
/** The same story again, on the same tree: what it finds about the base is not run again. */
const meaningOf = (runtime: TestRuntime, id: string): string | undefined =>
  runtime.told(id, "criterion-checked").at(-1)?.meaning;
const baseOf = (runtime: TestRuntime, id: string) =>
  runtime.told(id, "check-ended").filter(({ on }) => on === "base");

const commit = (runtime: TestRuntime, path: string, text: string): void => {
  runtime.project.write(path, text);
  runtime.project.git("add", "-A");
  runtime.project.git("commit", "--quiet", "-m", path);
};

describe.concurrent("a check that also runs on the tree the story starts from", () => {
  it("proves the work if it was red and is green", async ({ open }) => {
    const runtime = await open();
    const criteria = [passes("test -f new.txt")];
    expect(await runtime.run("B1", [write("new.txt", "new"), done()], { criteria })).toMatchObject({
      outcome: "completed",
    });
    expect(meaningOf(runtime, "B1")).toBe("proves");
    expect(baseOf(runtime, "B1")).toMatchObject([{ verdict: "failed", criteria: ["c1"] }]);
  });

  it("shows no regression if it was green, and proves nothing if nothing was changed", async ({ open }) => {
    const runtime = await open();
    const criteria = [passes("test -f a.txt")];
    await runtime.run("B2", [write("new.txt", "new"), done()], { criteria });
    expect(meaningOf(runtime, "B2")).toBe("no-regression");
    await runtime.run("B3", [done()], { criteria });
    expect(meaningOf(runtime, "B3")).toBe("proves-nothing");
    // The tree is the same, so its check was not run a second time.
    expect(runtime.told("B3", "check-started").filter(({ on }) => on === "base")).toStrictEqual([]);
    expect(baseOf(runtime, "B3")).toMatchObject([{ verdict: "passed", durationMs: 0 }]);
  });

  it("reports that a file which existed before proves nothing", async ({ open }) => {
    const runtime = await open();
    const there = { text: "It is there", check: { file: "a.txt" } };
    expect(await runtime.run("B11", [done()], { criteria: [there] })).toMatchObject({ proof: "nothing" });
    const made = { text: "It is made", check: { file: "new.txt" } };
    const story = await runtime.run("B12", [write("new.txt", "new"), done()], { criteria: [made] });
    expect(story).toMatchObject({ proof: "proven" });
    expect(meaningOf(runtime, "B12")).toBe("proves");
  });

  it("names the tests that the work broke", async ({ open }) => {
    const runtime = await open();
    commit(runtime, "old.txt", "old");
    const criteria = [passes("test -f old.txt || { echo 'not ok 1 - keeps the old file'; exit 1; }")];
    const story = await runtime.run("B4", [shell("rm old.txt"), done()], { criteria });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect(runtime.told("B4", "criterion-checked")[0]).toMatchObject({
      meaning: "broken",
      newlyFailing: ["keeps the old file"],
    });
  });

  const red = "echo 'not ok 1 - was always red'; test -f broken.txt && echo 'not ok 2 - is new'; exit 1";

  it("is not the work's fault if it was red before, and may be allowed", async ({ open }) => {
    const runtime = await open();
    const criteria = [passes(red)];
    const steps = [write("new.txt", "new"), done()];
    expect(await runtime.run("B5", steps, { criteria })).toMatchObject({
      outcome: "partial",
      summary: expect.stringContaining("It was already failing before this work began."),
    });
    expect(meaningOf(runtime, "B5")).toBe("red-before");
    const allowed = await runtime.run("B6", steps, { criteria, allowRedBase: true });
    expect(allowed).toMatchObject({ outcome: "completed" });
    const worse = [write("broken.txt", "x"), done()];
    expect(await runtime.run("B7", worse, { criteria, allowRedBase: true })).toMatchObject({
      outcome: "partial",
    });
    expect(runtime.told("B7", "criterion-checked")[0]).toMatchObject({ newlyFailing: ["is new"] });
  });

  it("says that nothing was changed, and names no branch, if the work left none", async ({ open }) => {
    const runtime = await open();
    const story = await runtime.run("B13", [done()], { criteria: [passes("test -f new.txt")] });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect(story.summary).toMatch(/ {2}Next: correct the work until it passes.*\nNothing was changed\.$/);
    expect(() => runtime.project.git("rev-parse", "--verify", "--quiet", "delegation/B13")).toThrow();
  });

  it("counts only if it was red before, if the story asks for that", async ({ open }) => {
    const runtime = await open();
    const steps = [write("new.txt", "new"), done()];
    const green = await runtime.run("B8", steps, { criteria: [passes("test -f a.txt")], proveRed: true });
    expect(green).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    const turned = await runtime.run("B9", steps, { criteria: [passes("test -f new.txt")], proveRed: true });
    expect(turned).toMatchObject({ outcome: "completed" });
  });

  it("does not run on that tree if the project switches that off", async ({ open }) => {
    const runtime = await open("verification:\n  base: false\n");
    await runtime.run("B10", [write("new.txt", "new"), done()], { criteria: [passes("test -f new.txt")] });
    expect([baseOf(runtime, "B10"), meaningOf(runtime, "B10")]).toStrictEqual([[], undefined]);
  });
});
