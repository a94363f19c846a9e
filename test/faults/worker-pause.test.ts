import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, processesWith, type Project } from "../e2e/project.ts";
import { endsOf } from "./journal-facts.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
  project.write(
    "ambit.yaml",
    "delegation:\n  idle:\n    warnSeconds: 1\n    stopSeconds: 2\n  windDown:\n    graceSeconds: 1\n",
  );
});
afterEach(() => project.remove());

/** The shell stops itself. A process in the background wakes it after this time. */
const stopFor = (seconds: number): string =>
  `echo kept > kept.txt; (sleep ${seconds}; kill -CONT $$) & kill -STOP $$; exit 4`;

describe("a paused worker", () => {
  it("continues after a moment as if nothing had happened", async () => {
    const run = await project.ambit("run", "Short", "--id", "W1", "--", "sh", "-c", stopFor(1.2));
    expect(run.stderr).toContain("exited with code 4");
    expect(endsOf(project, "W1")).toMatchObject([{ outcome: "partial", code: "NOT_JSON" }]);
  });

  it("that never continues is ended as silent, and its work is kept", async () => {
    const run = await project.ambit("run", "Long", "--id", "W2", "--", "sh", "-c", stopFor(7401));
    expect(run.status).toBe(124);
    expect(endsOf(project, "W2")).toMatchObject([{ outcome: "timed_out", code: "STALLED" }]);
    expect(project.git("show", "delegation/W2:kept.txt")).toBe("kept\n");
    expect(processesWith("7401")).toBe(0);
  });
});
