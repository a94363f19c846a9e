import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countTests } from "../slow/repositories/count-tests.ts";
import { gateProjects } from "../slow/repositories/gate-projects.ts";
import { tryProject } from "../slow/repositories/try-project.ts";
import { removeFolder } from "./remove-folder.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-repositories-")));
});
afterEach(() => removeFolder(folder));

// `npm run test:repositories` does the same with many more, which it downloads.
describe("a real project", () => {
  it.each(gateProjects)(
    "gives the same result at home, in a workspace and at home again: $name ($tools)",
    async (project) => {
      const { faults, home } = await tryProject(project, folder);
      expect(faults).toStrictEqual([]);
      expect(home).toBeGreaterThan(1);
    },
  );

  it("does not count as tested if its command is green without a test", async () => {
    const project = gateProjects.find(({ name }) => name === "commander");
    if (project === undefined) throw new Error("commander is gone");
    const { faults } = await tryProject({ ...project, command: "true", breaks: "true" }, folder);
    expect(faults).toStrictEqual([
      expect.stringMatching(/^ran no test at home/),
      expect.stringMatching(/^a worker that breaks it: exit 0, proves-nothing instead of exit 3, broken/),
    ]);
  });
});

describe("the number of tests", () => {
  it.each([
    ["mocha", "\n  \u{1b}[32m 10 passing\u{1b}[0m (2s)\n  3 failing\n", 10],
    ["jest", "Tests:       1 failed, 4 passed, 5 total\nSnapshots:   0 total\n", 5],
    ["vitest", "      Tests  1 failed | 8 passed (9)\n", 9],
    ["node", "# tests 3\n# pass 3\nℹ tests 4\n", 7],
    ["pytest", "450 passed, 1 warning in 0.40s\n", 450],
    ["go", "--- PASS: TestA (0.00s)\n    --- PASS: TestA/x (0.00s)\n--- FAIL: TestB\n", 2],
    ["prove", "All tests successful.\nFiles=3, Tests=20,  1 wallclock secs\n", 20],
    ["cargo", "test result: ok. 3 passed; 0 failed\ntest result: ok. 1 passed; 0 failed\n", 4],
  ] as const)("is read from the output of %s", (runner, output, count) => {
    expect(countTests(runner, output)).toBe(count);
  });
});
