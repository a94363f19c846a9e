import { describe, expect } from "vitest";
import { it } from "./open-runtime.ts";
import { done, write } from "./steps.ts";

/** Fails as long as a file beside the project does not exist, which it makes itself. */
const failsOnce = (root: string): string => `test -f '${root}.seen' || { touch '${root}.seen'; exit 1; }`;
const passes = (command: string) => ({ text: "It passes", check: { command } });

describe.concurrent("a check that fails and then passes on the same tree", () => {
  it("is flaky: it counts, is shown as such, and no second attempt is made", async ({ open }) => {
    const runtime = await open();
    const criteria = [passes(failsOnce(runtime.project.root))];
    const story = await runtime.run("F1", [write("a.txt", "new"), done()], { criteria });
    expect(story).toMatchObject({ outcome: "completed", attempt: 1 });
    const [checked] = runtime.told("F1", "criterion-checked");
    expect(checked).toMatchObject({ verdict: "passed", flaky: true });
    expect(checked?.evidence).toMatch(/^Flaky: .*ended with exit code 1[^]*ended with exit code 0/);
    expect(runtime.told("F1", "check-ended").map(({ on, verdict }) => `${on} ${verdict}`)).toStrictEqual([
      "work failed",
      "work passed",
    ]);
  });

  it("is red where the project wants no repetition", async ({ open }) => {
    const runtime = await open("verification:\n  retries: 0\n");
    const criteria = [passes(failsOnce(runtime.project.root))];
    const story = await runtime.run("F2", [write("a.txt", "new"), done()], { criteria });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
  });

  it("is repeated in a fresh checkout, where nothing of the first run is left", async ({ open }) => {
    const runtime = await open();
    const criteria = [passes("test -f left.txt || { touch left.txt; exit 1; }")];
    const story = await runtime.run("F3", [write("a.txt", "new"), done()], { criteria });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect(runtime.told("F3", "check-started")).toMatchObject([
      { on: "work", criteria: ["c1"], log: expect.stringContaining("stdout") },
      { on: "work", criteria: ["c1"] },
    ]);
  });
});
