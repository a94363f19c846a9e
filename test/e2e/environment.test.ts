import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findLiveFilesWith } from "../live-files.ts";
import { makeProject, until, type Project } from "./project.ts";
import { cli, runCli, type CliResult } from "./run-cli.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

const SECRET = "postgres://user:s3kr1t-9f8e7d6c@db/app";

/** A worker that writes down its variables. Its check writes down its own. */
const worker = [
  "- run: [sh, -c, 'env | sort > env.txt']",
  "- return: {status: completed, summary: 'Wrote the variables.', artifacts: [{type: implementation, path: env.txt}]}",
].join("\n");

/** The supervisor must outlive the pause between two commands. */
function ambitIn(shell: Readonly<Record<string, string>>, ...words: string[]): Promise<CliResult> {
  const environment = { AMBIT_IDLE_MS: "20000", TERM: "xterm", ...shell };
  return runCli(words, { directory: project.root, home: join(dirname(project.root), "home"), environment });
}

function runStory(
  shell: Readonly<Record<string, string>>,
  id: string,
  ...words: string[]
): Promise<CliResult> {
  const seen = join(dirname(project.root), `${id}.check`);
  const accepted = ["--accept", `\`env > ${seen}\` passes`];
  return ambitIn(shell, "run", "Write", "--id", id, "--script", "work.yaml", ...words, ...accepted);
}

function readVariables(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n").filter((line) => line.includes("="));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

const seenByWorker = (id: string): ReadonlyMap<string, string> =>
  readVariables(project.git("show", `ambit/${id}:env.txt`));

const seenByCheck = (id: string): ReadonlyMap<string, string> =>
  readVariables(readFileSync(join(dirname(project.root), `${id}.check`), "utf8"));

/** Every file of the state folder that contains a text. */
const filesWith = (text: string): readonly string[] =>
  findLiveFilesWith(join(project.root, ".git/ambit"), text);

describe("the environment of workers and checks", () => {
  it("has the variables that the settings and --env name, and no others of the shell", async () => {
    project.write("work.yaml", worker);
    project.write(
      "ambit.yaml",
      'workspace:\n  env:\n    pass: [DATABASE_URL, "CLOUD_*"]\n    set:\n      NODE_ENV: test\n      PORT: 3000\n',
    );
    const shell = { DATABASE_URL: SECRET, CLOUD_REGION: "eu", GIVEN: "yes", OTHER: "no" };
    const run = await runStory(shell, "S1", "--env", "GIVEN", "--env", "FLAG=a=b", "--env", "MISSING");
    expect(run.stderr).toContain("MISSING is not set in your shell");
    expect(run.status).toBe(0);
    for (const seen of [seenByWorker("S1"), seenByCheck("S1")]) {
      expect(seen.get("DATABASE_URL")).toBe(SECRET);
      expect(seen.get("CLOUD_REGION")).toBe("eu");
      expect(seen.get("NODE_ENV")).toBe("test");
      expect(seen.get("PORT")).toBe("3000");
      expect(seen.get("GIVEN")).toBe("yes");
      expect(seen.get("FLAG")).toBe("a=b");
      expect(seen.has("OTHER")).toBe(false);
      expect(seen.has("MISSING")).toBe(false);
    }
    expect(seenByCheck("S1").get("CI")).toBe("1");
    // Names are recorded, values are not.
    expect(filesWith("s3kr1t-9f8e7d6c")).toEqual([]);
    expect(filesWith('"env":["GIVEN","MISSING","FLAG"]').join(" ")).toContain("ambit.db");
  });

  it("has the variables of agents.environment for agents, and not for checks", async () => {
    project.write("work.yaml", worker);
    project.write("ambit.yaml", 'agents:\n  environment: [GATEWAY_KEY, "GATEWAY_URL_*"]\n');
    const shell = { GATEWAY_KEY: "key-9f8e7d6c", GATEWAY_URL_EU: "https://eu", OTHER: "no" };
    expect((await runStory(shell, "S1")).status).toBe(0);
    const [agent, check] = [seenByWorker("S1"), seenByCheck("S1")];
    expect([agent.get("GATEWAY_KEY"), agent.get("GATEWAY_URL_EU")]).toEqual(["key-9f8e7d6c", "https://eu"]);
    for (const seen of [agent, check]) expect(seen.has("OTHER")).toBe(false);
    for (const name of ["GATEWAY_KEY", "GATEWAY_URL_EU"]) expect(check.has(name)).toBe(false);
  });

  it("may have another value of CI, and cannot have a variable of Ambit", async () => {
    project.write("work.yaml", worker);
    project.write("ambit.yaml", 'workspace:\n  env:\n    set: { CI: "" }\n');
    expect((await runStory({}, "S2")).status).toBe(0);
    expect(seenByCheck("S2").get("CI")).toBe("");
    const refused = await runStory({}, "S3", "--env", "AMBIT_TOKEN=x");
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("AMBIT_TOKEN")]);
    project.write("ambit.yaml", "workspace:\n  env:\n    pass: [AMBIT_TOKEN]\n");
    expect((await ambitIn({}, "config", "check")).status).toBe(2);
  });

  it("has no variable of an untrusted project, whose story is refused if its settings name one", async () => {
    project.write("work.yaml", worker);
    for (const [name, value] of [
      ["pass", "[DATABASE_URL]"],
      ["set", "{ LD_PRELOAD: ./a.so }"],
    ] as const) {
      project.write("ambit.yaml", `workspace:\n  env:\n    ${name}: ${value}\n`);
      const run = await runStory({ AMBIT_TRUST: "", DATABASE_URL: SECRET }, "S9");
      expect(run.status).not.toBe(0);
      expect(run.stderr).toContain(`workspace.env.${name}`);
    }
    project.write("ambit.yaml", "workspace:\n  env:\n    pass: []\n");
    expect((await runStory({ AMBIT_TRUST: "" }, "S10")).status).toBe(0);
  });

  it("is that of each story's own shell, with one supervisor for several stories", async () => {
    project.write("work.yaml", worker);
    project.write("ambit.yaml", "workspace:\n  env:\n    pass: [DATABASE_URL]\n");
    const path = process.env["PATH"] ?? "";
    expect((await runStory({ DATABASE_URL: "first" }, "S4")).status).toBe(0);
    const pid = await project.supervisorPid();
    expect((await runStory({ DATABASE_URL: "second", PATH: `/second/bin:${path}` }, "S5")).status).toBe(0);
    expect((await runStory({}, "S6")).status).toBe(0);
    expect(await project.supervisorPid()).toBe(pid);
    expect(seenByWorker("S4").get("DATABASE_URL")).toBe("first");
    for (const seen of [seenByWorker("S5"), seenByCheck("S5")]) {
      expect(seen.get("DATABASE_URL")).toBe("second");
      expect(seen.get("PATH")).toContain("/second/bin:");
    }
    expect(seenByWorker("S6").has("DATABASE_URL")).toBe(false);
    expect(seenByCheck("S6").get("PATH")).not.toContain("/second/bin");
  });

  it("is kept for an open story after its supervisor was killed, in a file that only the owner can read", async () => {
    const began = join(dirname(project.root), "began");
    project.write(
      "work.yaml",
      `- run: [sh, -c, 'test -e ${began} || { touch ${began}; sleep 300; }']\n${worker}`,
    );
    const home = join(dirname(project.root), "home");
    const whole = { PATH: process.env["PATH"] ?? "", HOME: home, AMBIT_IDLE_MS: "20000" };
    const words = [
      "run",
      "Write",
      "--id",
      "S7",
      "--script",
      "work.yaml",
      "--env",
      "TOKEN_URL",
      "--env",
      "B=c",
    ];
    spawn(process.execPath, [cli, ...words], {
      cwd: project.root,
      env: { ...whole, TOKEN_URL: SECRET },
      stdio: "ignore",
    });
    await until("the worker has begun", () => existsSync(began));
    const [kept = ""] = filesWith("s3kr1t-9f8e7d6c");
    expect(kept).toBe("environments/S7.json");
    expect(statSync(join(project.root, ".git/ambit", kept)).mode & 0o777).toBe(0o600);
    process.kill(await project.supervisorPid(), "SIGKILL");
    const resumed = await ambitIn({ TOKEN_URL: "another" }, "resume", "S7");
    expect(resumed.stdout + resumed.stderr).toContain("completed");
    expect(seenByWorker("S7").get("TOKEN_URL")).toBe(SECRET);
    expect(seenByWorker("S7").get("B")).toBe("c");
    expect(filesWith("s3kr1t-9f8e7d6c")).toEqual([]);
  });

  it("is read from the shell when ended work is started again, and missing variables are named", async () => {
    project.write("work.yaml", worker);
    expect((await runStory({ GIVEN: "one" }, "S8", "--env", "GIVEN", "--env", "SET=two")).status).toBe(0);
    const again = await ambitIn({ GIVEN: "three" }, "retry", "S8");
    expect(again.stderr).toContain("SET is not set in your shell");
    expect(seenByWorker("S8.2").get("GIVEN")).toBe("three");
    expect(seenByWorker("S8.2").has("SET")).toBe(false);
  });
});

describe("settings that change while the supervisor runs", () => {
  it("apply to each story that starts later, here the setup, its variables and the included files", async () => {
    const read = "cat made.txt local.txt > seen.txt 2>/dev/null; true";
    project.write(
      "work.yaml",
      `- run: [sh, -c, '${read}']\n- return: {status: completed, summary: 'Read them.', artifacts: [{type: implementation, path: seen.txt}]}\n`,
    );
    project.write(".gitignore", "made.txt\nlocal.txt\n");
    project.write("local.txt", "mine\n");
    const run = (id: string, expected: string): Promise<CliResult> => {
      const check = `\`test "$(cat made.txt)" = "${expected}"\` passes`;
      const words = ["run", "Read", "--id", id, "--script", "work.yaml", "--accept", check];
      return ambitIn({ FROM_SHELL: id }, ...words);
    };
    project.write("ambit.yaml", "workspace:\n  setup: echo one > made.txt\n");
    expect((await run("S20", "one")).status).toBe(0);
    const pid = await project.supervisorPid();
    expect(project.git("show", "ambit/S20:seen.txt")).toBe("one\n");
    project.write(
      "ambit.yaml",
      "workspace:\n  setup: echo two $FROM_SHELL > made.txt\n  env: { pass: [FROM_SHELL] }\n",
    );
    project.write(".worktreeinclude", "local.txt\n");
    expect((await run("S21", "two S21")).status).toBe(0);
    expect((await run("S22", "two S22")).status).toBe(0);
    expect(project.git("show", "ambit/S21:seen.txt")).toBe("two S21\nmine\n");
    expect(project.git("show", "ambit/S22:seen.txt")).toBe("two S22\nmine\n");
    expect(await project.supervisorPid()).toBe(pid);
    const again = await ambitIn({ FROM_SHELL: "S22" }, "verify", "S22", "--rerun", "--json");
    expect(again.stdout).toContain('"verdict":"passed"');
  });
});
