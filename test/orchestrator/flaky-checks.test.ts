import { describe, expect } from "vitest";
import { it } from "./open-runtime.ts";
import { done, write } from "./steps.ts";

/** On the work alone, fails as long as a file beside the project does not exist, which it makes itself. */
const failsOnce = (root: string): string =>
  `test ! -f new.txt || test -f '${root}.seen' || { touch '${root}.seen'; exit 1; }`;
const passes = (command: string) => ({ text: "It passes", check: { command } });

describe.concurrent("a check that fails and then passes on the same tree", () => {
  it("counts as passed, is marked as flaky, and causes no second attempt", async ({ open }) => {
    const runtime = await open();
    const criteria = [passes(failsOnce(runtime.project.root))];
    const story = await runtime.run("F1", [write("new.txt", "new"), done()], { criteria });
    expect(story).toMatchObject({ outcome: "completed", attempt: 1 });
    const [checked] = runtime.told("F1", "criterion-checked");
    expect(checked).toMatchObject({ verdict: "passed", flaky: true });
    expect(checked?.evidence).toMatch(/^Flaky: .*ended with exit code 1[^]*ended with exit code 0/);
    const ended = runtime.told("F1", "check-ended").filter(({ on }) => on === "work");
    expect(ended.map(({ verdict }) => verdict)).toStrictEqual(["failed", "passed"]);
  });

  it("is red if the project wants no repetition", async ({ open }) => {
    const runtime = await open("verification:\n  retries: 0\n");
    const criteria = [passes(failsOnce(runtime.project.root))];
    const story = await runtime.run("F2", [write("new.txt", "new"), done()], { criteria });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
  });

  it("is repeated in a fresh checkout, where nothing of the first run is left", async ({ open }) => {
    const runtime = await open();
    const criteria = [passes("test -f left.txt || { touch left.txt; exit 1; }")];
    const story = await runtime.run("F3", [write("new.txt", "new"), done()], { criteria });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    const started = runtime.told("F3", "check-started").filter(({ on }) => on === "work");
    expect(started).toMatchObject([
      { criteria: ["c1"], log: expect.stringContaining("stdout") },
      { criteria: ["c1"] },
    ]);
  });
});
