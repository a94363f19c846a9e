import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, processesWith, until, userState, type Project } from "./project.ts";
import { runShell } from "./run-cli.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

/** An agent that follows a script. */
function agent(name: string, script: string): void {
  project.write(
    `.ambit/agents/${name}.md`,
    `---\nadapter: scripted\ncommand: [${scriptFile(name, script)}]\n---\nWork.\n`,
  );
}

/** Outside of the project, so that it is not part of the user's files. */
function scriptFile(name: string, script: string): string {
  const file = join("..", `${name}.yaml`);
  project.write(file, script);
  return join(dirname(project.root), `${name}.yaml`);
}

const done = (summary: string): string => `- return: {status: completed, summary: '${summary} It works.'}\n`;
const writes = (path: string): string => `- write: {path: ${path}, text: "${path}\\n"}\n`;

describe("a quick task", () => {
  it("may divide itself with directives; everything lands in one mergeable branch (R6, R132)", async () => {
    agent("helper", `${writes("helped.txt")}${done("Helped.")}`);
    project.write(
      "ambit.yaml",
      "agents:\n  default: helper\ndelegation:\n  windDown:\n    graceSeconds: 1\n",
    );
    project.git("add", "-A");
    project.git("commit", "--quiet", "-m", "agents");
    const script = scriptFile(
      "quick",
      `begin:\n  - delegate: [{description: Help with it, hours: 2}]\nresults:\n  ${writes("own.txt")}  ${done("Divided it.")}`,
    );
    const before = userState(project);
    const quick = await project.json("quick", "Do a lot", "--script", script);
    expect(quick).toMatchObject({
      story: expect.stringMatching(/^Q-[0-9a-z]{6}$/),
      outcome: "completed",
      merged: true,
    });
    const story = String(quick["story"]);
    expect((await project.json("status"))["done"]).toMatchObject([
      { id: `${story}-DEL-001`, status: "completed" },
    ]);
    expect((await project.ambit("diff", "--name-only")).stdout).toBe("helped.txt\nown.txt\n");
    expect(userState(project)).toStrictEqual(before);
    expect((await project.ambit("merge", "--yes")).status).toBe(0);
    expect(readFileSync(join(project.root, "helped.txt"), "utf8")).toBe("helped.txt\n");
    expect((await project.ambit("merge", "--undo", "--yes")).status).toBe(0);
    // Git may note other times of the same files in its index.
    expect(withoutIndex(userState(project))).toStrictEqual(withoutIndex(before));
  });
});

function withoutIndex(state: unknown): unknown {
  return Object.entries(Object(state)).filter(([name]) => name !== "index");
}

describe("questions", () => {
  it("wait in the inbox without a supervisor; the printed commands answer them and the work continues", async () => {
    agent(
      "asker",
      `begin:\n  - run: [ambit, ask, "uuid or bigint?", --wait, "0"]\nanswer:\n  ${writes("ids.txt")}  ${done("Used it.")}`,
    );
    agent("locker", `${writes("package-lock.json")}${done("Locked.")}`);
    const script = scriptFile(
      "manager",
      [
        "begin:",
        '  - run: [ambit, delegate, "Choose ids", --agent, asker, --wait, "0"]',
        '  - run: [ambit, delegate, "Lock versions", --agent, locker, --wait, "0"]',
        "results:",
        `  ${done("Both are done.")}`,
      ].join("\n"),
    );
    await project.ambit("run", "Manage", "--id", "S1", "--script", script, "--detach");
    await until("both questions wait", async () => questions().then((found) => found.length === 2));
    const commands = (await questions()).flatMap((question) => question.answer_with[0] ?? []).toSorted();
    expect(commands).toStrictEqual(["ambit approve S1-DEL-002", 'ambit reply S1-DEL-001 "…"']);
    expect(await project.json("status", "S1")).toMatchObject({
      interrupted: false,
      needs_you: [
        { id: "S1-DEL-001", question: "uuid or bigint?", answer_with: ['ambit reply S1-DEL-001 "…"'] },
        { id: "S1-DEL-002", answer_with: ["ambit approve S1-DEL-002", expect.stringContaining("reject")] },
      ],
    });
    expect((await project.ambit("status", "S1")).stdout).toMatch(
      /Needs you \(2\)\n.*S1-DEL-001 {2}asks.*\n +"uuid or bigint\?" \(expires in .*\)\n +S1 waits for it\n +ambit reply S1-DEL-001/,
    );
    const inside = await runShell("AMBIT_TOKEN=x $ambit approve S1-DEL-002", {
      directory: project.root,
      home: dirname(project.root),
    });
    expect(inside).toMatchObject({ stdout: "", stderr: expect.stringContaining("NOT_A_PERSON") });
    expect((await project.ambit("explain", "1")).stdout).toContain("It waits for you: uuid or bigint?");
    expect(await project.ambit("reply", "S1-DEL-001", "use", "uuid")).toMatchObject({ status: 0 });
    expect(await project.ambit("approve", "2", "--reason", "is meant")).toMatchObject({ status: 0 });
    expect((await project.ambit("attach", "S1")).status).toBe(0);
    expect((await project.ambit("diff", "--name-only")).stdout).toBe("ids.txt\npackage-lock.json\n");
    expect((await project.ambit("inbox")).stdout).toBe("Nothing waits for you.\n");
    const prompt = join(project.root, ".git/ambit/logs/S1-DEL-001/attempt-2/prompt.md");
    expect(readFileSync(prompt, "utf8")).toContain("use uuid");
  });

  it("that are rejected keep the work unmerged, with the reason", async () => {
    const script = scriptFile("locker", `${writes("package-lock.json")}${done("Locked.")}`);
    await project.ambit("run", "Lock", "--id", "S2", "--script", script, "--detach");
    await until("the question waits", async () => questions().then((found) => found.length === 1));
    expect((await project.ambit("reject", "S2", "--reason", "not now")).status).toBe(0);
    expect((await project.ambit("attach", "S2")).status).not.toBe(0);
    const explained = await project.ambit("explain", "S2");
    expect(explained.stdout).toContain("SENSITIVE_PATHS");
    expect(explained.stdout).toContain("not now");
    expect((await project.ambit("merge", "S2", "--yes")).status).toBe(1);
    expect(project.git("show", "delegation/S2:package-lock.json")).toBe("package-lock.json\n");
  });

  async function questions(): Promise<readonly { readonly answer_with: readonly string[] }[]> {
    return JSON.parse((await project.ambit("inbox", "--json")).stdout).questions;
  }
});

describe("work that did not finish", () => {
  it("continues where it was after its supervisor was killed", async () => {
    const script = scriptFile(
      "slow",
      `attempts:\n  - [{write: {path: half.txt, text: half}}, {sleep: 60}]\n  - [{write: {path: rest.txt, text: rest}}, {return: {status: completed, summary: 'All of it. Done.'}}]\n`,
    );
    await project.ambit("run", "Slow", "--id", "S3", "--script", script, "--detach");
    await until("it works", async () => (await project.json("status", "S3"))["status"] === "running");
    await until(
      "it has begun",
      async () => (await project.json("logs", "S3", "--events"))["events"] !== undefined,
    );
    process.kill(await project.supervisorPid(), "SIGKILL");
    const changed = await project.ambit("resume", "S3", "--note", "faster");
    expect(changed.status).toBe(2);
    expect(changed.stderr).toContain("has not ended");
    expect((await project.ambit("retry", "S3")).stderr).toContain("STORY_EXISTS");
    const resumed = await project.json("resume", "S3");
    expect(resumed).toMatchObject({ story: "S3", outcome: "completed" });
    expect(project.git("show", "ambit/S3:rest.txt")).toBe("rest");
  });

  it("is resumed from the kept work, or started over, as a new story with the same contract", async () => {
    const script = scriptFile("part", `${writes("part.txt")}${done("A part.")}`);
    const accept = "`test -f part.txt && test -f missing.txt` exits with code 0";
    const first = await project.json(
      "run",
      "Both files",
      "--id",
      "S4",
      "--script",
      script,
      "--accept",
      accept,
    );
    expect(first).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect((await project.ambit("verify", "S4")).status).toBe(1);
    scriptFile("part", `${writes("missing.txt")}${done("The rest.")}`);
    const retried = await project.json("retry", "S4", "--note", "both, please");
    expect(retried).toMatchObject({ story: "S4.2", outcome: "partial", code: "CRITERION_FAILED" });
    const resumed = await project.json("resume", "S4", "--note", "only the other one is missing");
    expect(resumed).toMatchObject({ story: "S4.3", outcome: "completed", merged: true });
    const prompt = readFileSync(join(project.root, ".git/ambit/logs/S4.3/attempt-1/prompt.md"), "utf8");
    expect(prompt).toContain("only the other one is missing");
    expect(project.git("show", "delegation/S4:part.txt")).toBe("part.txt\n");
    expect((await project.ambit("verify", "S4.3", "--rerun")).status).toBe(0);
    expect((await project.ambit("merge", "S4.3", "--yes")).status).toBe(0);
    expect(project.git("show", "main:part.txt")).toBe("part.txt\n");
    expect(await project.ambit("resume", "S4.3")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("S4.3 is completed"),
    });
  });
});

describe("logs", () => {
  it("are followed until the work ends", async () => {
    const script = scriptFile("talk", `- say: first\n- sleep: 1\n- say: second\n${done("Talked.")}`);
    await project.ambit("run", "Talk", "--id", "S5", "--script", script, "--detach");
    const follower = project.start("pipe", "logs", "S5", "-f");
    const [output] = await Promise.all([
      follower.stdout === null ? "" : text(follower.stdout),
      once(follower, "exit"),
    ]);
    expect(output).toBe("S5 | first\nS5 | second\n");
    expect(follower.exitCode).toBe(0);
    expect((await project.json("status", "S5"))["status"]).toBe("completed");
  });

  it("--raw gives every byte to a pipe, and a reader that leaves early is not a failure", async () => {
    await project.ambit(
      "run",
      "Bytes",
      "--id",
      "S6",
      "--",
      "sh",
      "-c",
      String.raw`printf '\033[31m\377\000x'`,
    );
    const call = { directory: project.root, home: dirname(project.root) };
    const { stdout } = await runShell("$ambit logs S6 --raw | od -An -tx1", call);
    expect(stdout.trim()).toBe("1b 5b 33 31 6d ff 00 78");
    expect(
      (await runShell("set -o pipefail; $ambit logs S6 --raw | head -c 1 >/dev/null", call)).status,
    ).toBe(0);
    expect((await project.ambit("logs", "S6")).stdout).toContain(String.raw`\u{1b}[31m`);
  });
});

describe("verify --rerun", () => {
  it("stops on Ctrl-C: the check ends and its checkout is removed", async () => {
    const script = scriptFile("part", `${writes("part.txt")}${done("A part.")}`);
    const slow = join(project.root, "../slow");
    const accept = `\`test ! -f ${slow} || sleep 4242\` exits with code 0`;
    await project.ambit("run", "Slow check", "--id", "S8", "--script", script, "--accept", accept);
    project.write("../slow", "");
    const checking = project.start("pipe", "verify", "S8", "--rerun");
    await until("the check runs", () => processesWith("4242") > 0);
    checking.kill("SIGINT");
    await once(checking, "exit");
    expect(checking.exitCode).toBe(130);
    expect(processesWith("4242")).toBe(0);
    // The supervisor of the run keeps one checkout for its next check until it leaves.
    await until("no checkout is left", () => project.git("worktree", "list").trim().split("\n").length === 1);
  });

  it("runs checks in a folder of another name if workspace.ownPath is off", async () => {
    project.write("ambit.yaml", "workspace:\n  ownPath: false\n");
    const script = scriptFile("elsewhere", `${writes("part.txt")}${done("A part.")}`);
    // The check does not name the project's path, because it could then run the user's files and would be refused.
    const accept = '`test "$(basename "$PWD")" != project` exits with code 0';
    const ran = await project.ambit("run", "Elsewhere", "--id", "S9", "--script", script, "--accept", accept);
    expect(ran.status).toBe(0);
    expect((await project.ambit("verify", "S9", "--rerun")).status).toBe(0);
  });

  it("checks a story's branch against the criteria accepted for its workers", async () => {
    agent("one", `${writes("one.txt")}${done("One.")}`);
    const script = scriptFile(
      "manager",
      `begin:\n  - run: [ambit, delegate, "Write one", --agent, one, --accept, "\`test -f one.txt\` exits with code 0", --wait, "0"]\nresults:\n  ${done("All.")}`,
    );
    expect((await project.ambit("run", "Manage", "--id", "S7", "--script", script)).status).toBe(0);
    const good = await project.json("verify", "S7", "--rerun");
    expect(good).toMatchObject({
      met: true,
      criteria: expect.arrayContaining([
        expect.objectContaining({ id: "kept-S7-DEL-001-c1", verdict: "passed", required: true }),
      ]),
    });
    project.git("update-ref", "refs/heads/ambit/S7", project.git("rev-parse", "main").trim());
    const before = userState(project);
    const broken = await project.ambit("verify", "S7", "--rerun");
    expect(broken.status).toBe(1);
    expect(broken.stdout).toMatch(/✖ failed +kept-S7-DEL-001-c1/);
    expect(userState(project)).toStrictEqual(before);
  });
});
