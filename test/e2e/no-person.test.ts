import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, until, type Project } from "./project.ts";
import { runShell, trustEverything } from "./run-cli.ts";

const question = ["--accept", "It looks nice", "--check", "test -f x.txt"];
const work = ["--", "sh", "-c", "echo x > x.txt"];

describe("a story that asks where no person can answer", () => {
  let project: Project;
  beforeEach(() => {
    project = makeProject();
  });
  afterEach(() => project.remove());

  it.each([
    ["over a pipe", []],
    ["with --no-input", ["--no-input"]],
    ["in this process", ["--in-process"]],
  ])("ends the command at once as blocked, and keeps the work: %s", async (_name, words) => {
    const run = await project.ambit("run", "Work", "--id", "N1", ...question, ...words, ...work);
    expect(run.status).toBe(4);
    expect(run.stdout).toMatch(
      /^blocked \(ANSWER_NEEDED\) {2}N1 waits for you.*[^?.!][?.!] Its work is kept\.$/m,
    );
    expect(run.stdout).toContain("ambit inbox");
    expect(await project.json("status")).toMatchObject({ needs_you: [{ id: "N1" }] });

    expect((await project.ambit("approve", "N1", "--reason", "It does")).status).toBe(0);
    const attached = await project.ambit("attach", "N1");
    expect([attached.status, attached.stdout]).toEqual([0, expect.stringContaining("completed")]);
    expect(project.git("show", "ambit/N1:x.txt")).toBe("x\n");
  });

  it("ends the command in the background, too, where input and messages go nowhere", async () => {
    const place = {
      directory: project.root,
      home: join(project.root, "../home"),
      environment: trustEverything,
    };
    const words = "run Work --id N4 --accept 'It looks nice' --check 'test -f x.txt'";
    const line = `$ambit ${words} -- sh -c 'echo x > x.txt' </dev/null 2>/dev/null; echo "exit $?"`;
    expect((await runShell(line, place)).stdout).toMatch(/blocked \(ANSWER_NEEDED\)[^]*exit 4\n$/);
  });

  it("is reported as blocked in JSON, and no longer when the question was answered", async () => {
    const run = await project.ambit("run", "Work", "--id", "N2", ...question, "--json", ...work);
    expect([run.status, JSON.parse(run.stdout)]).toMatchObject([
      4,
      { outcome: "blocked", code: "ANSWER_NEEDED" },
    ]);
    const again = await project.ambit("attach", "N2");
    expect([again.status, again.stdout]).toEqual([4, expect.stringContaining("ANSWER_NEEDED")]);
    await project.ambit("reject", "N2", "--reason", "No");
    await until("it has ended", async () => (await project.json("status"))["status"] !== "running");
    expect((await project.ambit("attach", "N2")).stdout).not.toContain("ANSWER_NEEDED");
  });

  it("waits for the answer on a terminal (control)", async () => {
    const run = project.start("terminal", "run", "Work", "--id", "N3", ...question, ...work);
    await until("it asks", async () =>
      JSON.stringify(await project.json("status")).includes("It looks nice"),
    );
    const ended = once(run, "exit");
    await project.ambit("approve", "N3", "--reason", "It does");
    expect(await ended).toEqual([0, null]);
  });
});
