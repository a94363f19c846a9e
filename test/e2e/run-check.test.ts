import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, until, type Project } from "./project.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
  project.write(
    "work.yaml",
    "- write: {path: new.txt, text: new}\n- return: {status: completed, summary: 'Wrote it. All of it.'}\n",
  );
});
afterEach(() => project.remove());

describe("ambit run --check", () => {
  it("accepts any command as a check, as often as it is given", async () => {
    const words = ["run", "Write it", "--id", "Z1", "--script", "work.yaml"];
    const checks = ["--check", "test -f new.txt", "--check", "(cd . && grep -q new new.txt)"];
    const run = await project.ambit(...words, ...checks);
    expect(run.stdout).toContain("completed");
    const { criteria } = await project.json("verify", "Z1");
    expect(criteria).toMatchObject([
      { text: "`test -f new.txt` exits with code 0", verdict: "passed" },
      { text: "`(cd . && grep -q new new.txt)` exits with code 0", verdict: "passed" },
    ]);
  });

  it.each([
    ["proven", "test -f new.txt", ["--script", "work.yaml"], "proven   branch"],
    ["no-regression", "test -f a.txt", ["--script", "work.yaml"], "shows no regression"],
    ["nothing", "test -f a.txt", ["--", "true"], "proves nothing"],
    ["unchecked", undefined, ["--script", "work.yaml"], "it has no check"],
  ])("says at the end that green means %s (SPEC 8)", async (proof, check, worker, told) => {
    const words = [
      "run",
      "Do it",
      "--id",
      "P1",
      ...(check === undefined ? [] : ["--check", check]),
      ...worker,
    ];
    const run = await project.ambit(...words);
    expect(run.stdout).toContain(told);
    expect(run.stdout.includes("proven   branch")).toBe(proof === "proven");
    const again = [...words.slice(0, 3), "P2", "--json", ...words.slice(4)];
    expect(JSON.parse((await project.ambit(...again)).stdout)).toMatchObject({ proof });
  });

  it("shows default criteria as advice and calls a story without a check not proven (R79)", async () => {
    await project.ambit("run", "Do it", "--id", "A1", "--script", "work.yaml");
    const shown = (await project.ambit("explain", "A1")).stdout;
    expect(shown).toContain("It is completed, but not proven: no check ran.");
    expect(shown).not.toContain("every required criterion was met");
    expect(shown.match(/\(advice only\)/g)).toHaveLength(3);
    project.write("ambit.yaml", "verification:\n  test: test -f new.txt\n");
    await project.ambit("run", "Do it", "--id", "A2", "--script", "work.yaml");
    expect((await project.ambit("explain", "A2")).stdout).toContain("every required criterion was met");
    expect(await project.json("verify", "A2")).toMatchObject({
      criteria: expect.arrayContaining([
        expect.objectContaining({ text: "All tests pass", required: true, verdict: "passed" }),
      ]),
    });
  });

  it("reports a vague criterion at once with advice, the commands to run and the questions to expect (R177)", async () => {
    const words = ["run", "Do it", "--id", "V1", "--script", "work.yaml", "--detach"];
    const run = await project.ambit(...words, "--accept", "Looks good", "--check", "test -f new.txt");
    expect(run.stderr).toContain('Criterion "Looks good" cannot be measured. Name a command');
    expect(run.stderr).toContain("Will be run: `test -f new.txt`");
    expect(run.stderr).toContain("You will be asked about: Looks good.");
    const predicted = await project.ambit("run", "Do it", "--dry-run", "--accept", "Looks good");
    expect(predicted.stderr).toContain('Criterion "Looks good" cannot be measured. Name a command');
    expect(predicted.stderr).toContain("Nothing will be run. You will be asked about: Looks good.");
    const clear = await project.ambit(
      "run",
      "Do it",
      "--id",
      "V2",
      "--script",
      "work.yaml",
      "--check",
      "true",
    );
    expect(clear.stderr).not.toContain("Will be run");
    await project.ambit("stop", "V1");
  });

  it("is shown by status while it runs, with its newest line", async () => {
    const wait = 'echo almost there; until [ -e "$HOME/go" ]; do sleep 0.1; done';
    const words = ["run", "Wait", "--id", "Z2", "--script", "work.yaml", "--check", wait, "--detach"];
    await project.ambit(...words);
    await until("the check runs", async () =>
      (await project.ambit("status", "Z2")).stdout.includes("almost"),
    );
    const shown = (await project.ambit("status", "Z2")).stdout;
    expect(shown).toContain("checking Z2: `echo almost there");
    expect(await project.json("status", "Z2")).toMatchObject({
      checking: [{ id: "Z2", check: wait, last: "almost there" }],
    });
    project.write("../home/go", "");
    await until("it has ended", async () => (await project.json("status", "Z2"))["is_over"] === true);
  });
});
