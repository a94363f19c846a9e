import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, processesWith, until, userState, type Project } from "./project.ts";
import { runCli } from "./run-cli.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

describe("ambit run", () => {
  it("runs any program in a workspace of its own and keeps its work on a branch (R77, R84)", async () => {
    project.write("a.txt", "one\nuncommitted\n");
    project.write("untracked.txt", "mine\n");
    project.write(".env", "KEY=secret\n");
    const before = userState(project);
    const run = await project.ambit(
      "run",
      "Add a file",
      "--id",
      "S1",
      "--",
      "sh",
      "-c",
      "cat > seen.txt; cat a.txt untracked.txt > copy.txt; pwd",
    );
    expect(run.status).toBe(3);
    expect(run.stdout).toContain("partial (NOT_JSON)");
    // Its workspace has the project's own path.
    expect(run.stderr).toContain(`${project.root}\n`);
    expect(run.stderr).toContain(
      "starts from HEAD with your uncommitted work (1 changed, 1 untracked); left out: .env (looks like a secret)",
    );
    expect(project.git("ls-tree", "--name-only", "delegation/S1")).not.toContain(".env");
    expect(userState(project)).toEqual(before);
    expect(project.git("show", "delegation/S1:copy.txt")).toBe("one\nuncommitted\nmine\n");
    expect(project.git("show", "delegation/S1:seen.txt")).toContain("# Add a file");
    await until(
      "its folder is gone",
      () => !existsSync(join(`${project.root}.worktrees`, "ambit/workspaces/S1")),
    );
    expect(project.git("rev-parse", "refs/ambit/work/S1")).toBe(project.git("rev-parse", "delegation/S1"));
  });

  it("completes a plain program's work without a return when its check passes", async () => {
    const words = ["run", "Update the licence years", "--id", "S1b", "--check", "grep -q 2026 years.txt"];
    const run = await project.ambit(...words, "--", "sh", "-c", "echo 2026 > years.txt");
    expect(run.status).toBe(0);
    expect(run.stdout).toContain("It left no return, so Ambit wrote this summary.");
    expect(project.git("show", "ambit/S1b:years.txt")).toBe("2026\n");
  });

  it("reports in its verdict and in the tree the files that changed outside the workspace", async () => {
    const planted = join(project.root, "planted.txt");
    project.write("ambit.yaml", "workspace:\n  ownPath: false\n");
    const run = await project.ambit("run", "Plant", "--id", "S1c", "--", "sh", "-c", `echo x > ${planted}`);
    const tree = await project.ambit("tree", "S1c");
    for (const { stdout } of [run, tree])
      expect(stdout).toMatch(/noticed +S1c: CHANGED_OUTSIDE .*planted\.txt/);
    expect((await project.ambit("doctor")).stdout).toMatch(/! outside +S1c: .*planted\.txt/);
    const quiet = await project.ambit("run", "Stay in", "--id", "S1d", "--", "sh", "-c", "echo x > in.txt");
    expect(quiet.stdout).not.toContain("noticed");
  });

  it("completes work that returns by the contract, with usage and files in the journal (R30)", async () => {
    project.write(
      "work.yaml",
      [
        "- write: {path: src/x.ts, text: 'export const x = 1;'}",
        "- spend: {input: 1000, output: 200, usd: 0.05}",
        "- run: [sh, -c, 'echo depth=$DELEGATION_DEPTH parent=$PARENT_STORY_ID']",
        "- return: {status: completed, summary: 'Wrote x. It works.', artifacts: [{type: implementation, path: src/x.ts}]}",
      ].join("\n"),
    );
    const run = await project.ambit("run", "Script", "--id", "S2", "--script", "work.yaml", "--json");
    expect(run.status).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      story: "S2",
      outcome: "completed",
      code: null,
      summary: "Wrote x. It works.",
      starts_from: {
        head: project.git("rev-parse", "HEAD").trim(),
        changed: 0,
        untracked: 1,
        left_out: [],
      },
    });
    expect(run.stderr).toContain("depth=0 parent=S2");
    expect(await project.json("cost", "S2")).toMatchObject({ total_cost_usd: 0.05 });
    expect((await project.ambit("audit", "--verify")).status).toBe(0);
  });

  it("ends a worker that hangs and ignores signals, with its work kept and its whole tree gone (R73, R74)", async () => {
    project.write(
      "hang.yaml",
      "- write: {path: half.txt, text: 'half'}\n- fork: daemon\n- fork: session\n- hang: deaf\n",
    );
    const run = await project.ambit("run", "Hang", "--id", "S3", "--timeout", "1", "--script", "hang.yaml");
    expect(run.status).toBe(124);
    expect(run.stdout).toContain("timed out (TIMEOUT)");
    expect(project.git("show", "delegation/S3:half.txt")).toBe("half");
    expect(processesWith(join(project.root, "hang.yaml"))).toBe(0);
  });

  it("stops a worker at its budget with a limit's exit status", async () => {
    project.write(
      "spend.yaml",
      "- spend: {input: 10, output: 1, usd: 0.6}\n- spend: {input: 10, output: 1, usd: 0.6}\n- hang: quiet\n",
    );
    const run = await project.ambit("run", "Spend", "--id", "S4", "--budget", "1", "--script", "spend.yaml");
    expect(run.status).toBe(5);
    expect(run.stdout).toContain("partial (COST_LIMIT_EXCEEDED)");
  });

  it("caps a flood of output", async () => {
    project.write(
      "ambit.yaml",
      "delegation:\n  output:\n    maxBytes: 200000\n  windDown:\n    graceSeconds: 0\n",
    );
    project.write("flood.yaml", "- flood: {bytes: 400000000, lines: false}\n");
    const run = await project.ambit("run", "Flood", "--id", "S5", "--script", "flood.yaml");
    expect(run.status).toBe(5);
    expect(run.stdout).toContain("OUTPUT_LIMIT_EXCEEDED");
    expect(statSync(join(project.root, ".git/ambit/logs/S5/attempt-1/stdout")).size).toBeLessThan(50_000_000);
  });

  it("ends an attempt that uses more disk than allowed, and keeps its work (R186)", async () => {
    const settings = (bytes: number): string => `delegation:\n  resources:\n    diskBytes: ${bytes}\n`;
    project.write(".gitignore", "junk.bin\n");
    project.write("ambit.yaml", settings(8_000_000));
    project.write(
      "fill.sh",
      "echo kept > kept.txt; head -c 20000000 /dev/zero > junk.bin; i=0; while [ $i -lt $1 ]; do sleep 0.1; i=$((i+1)); done\n",
    );
    project.git("add", "-A");
    project.git("commit", "--quiet", "-m", "fill");
    const over = await project.ambit("run", "Fill", "--id", "D1", "--", "sh", "fill.sh", "3000");
    expect([over.status, over.stdout]).toEqual([5, expect.stringContaining("DISK_LIMIT_EXCEEDED")]);
    expect(project.git("show", "delegation/D1:kept.txt")).toBe("kept\n");
    expect((await project.ambit("explain", "DISK_LIMIT_EXCEEDED")).stdout).toContain("diskBytes");
    // With a higher limit, the same program ends by itself.
    project.write("ambit.yaml", settings(80_000_000));
    const below = await project.ambit("run", "Fill", "--id", "D2", "--", "sh", "fill.sh", "15");
    expect(below.stdout).not.toContain("DISK_LIMIT_EXCEEDED");
  });

  it("does not let a worker start an agent by itself", async () => {
    const run = await project.ambit(
      "run",
      "Nested",
      "--id",
      "S6",
      "--",
      "sh",
      "-c",
      "claude -p hi; echo status=$?; env | grep -c NODE_OPTIONS; exit 0",
    );
    expect(run.stderr).toContain("status=97");
  });

  it("refuses wrong flags and a missing program, and attach and stop refuse an unknown story", async () => {
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [["run", "Nothing"], 2, "No agent was named"],
      [["run", "x", "--budget", "-1", "--", "true"], 2, "--budget"],
      [["run", "x", "--timeout", "1.5", "--", "true"], 2, "--timeout"],
      [["run", "x", "--id", "a/b", "--", "true"], 2, ""],
      [["run", "x", "--id", "S7", "--", "no-such-program-anywhere"], 6, "no-such-program-anywhere"],
      [["attach", "nobody"], 2, "nobody"],
      [["stop", "nobody"], 2, "nobody"],
    ];
    for (const [words, status, text] of cases) {
      const run = await project.ambit(...words);
      expect([words.join(" "), run.status]).toEqual([words.join(" "), status]);
      expect(run.stdout + run.stderr).toContain(text);
    }
  });

  it("is refused outside a repository and in a repository without a commit", async () => {
    const outside = await runCli(["run", "x", "--", "true"], { directory: "/", home: project.root });
    expect(outside.status).toBe(6);
    project.git("checkout", "--quiet", "--orphan", "empty");
    const unborn = await project.ambit("run", "x", "--", "true");
    expect(unborn.status).toBe(6);
    expect(unborn.stderr).toContain("commit");
  });
});

describe("--isolation sandbox", () => {
  it("names the program that it does not have, and exits as for an environment that is not ready", async () => {
    const words = ["run", "Probe", "--id", "B0", "--isolation", "sandbox"];
    const run = await project.ambit(...words, "--", "/opt/nosuch/py");
    expect([run.status, run.stdout]).toEqual([
      6,
      expect.stringContaining("Its sandbox has no such program (/opt/nosuch/py: No such file"),
    ]);
    expect(run.stdout).toContain("Nothing was changed.");
    const missing = await project.ambit("run", "Probe", "--id", "B4", "--", "nosuchprogram");
    expect([missing.status, missing.stdout]).toEqual([
      6,
      expect.stringContaining('"nosuchprogram" does not exist or is not executable. Nothing was changed.'),
    ]);
  });

  it("hides the user's files and the network, and hands the work over as a pack", async () => {
    project.write("secret.txt", "untracked secret\n");
    const before = userState(project);
    const probe = [
      `cat ${project.root}/secret.txt || echo hidden`,
      `echo x > ${project.root}/a.txt; true`,
      "git remote; ls $HOME | wc -l; echo made > made.txt; git log --oneline | wc -l",
      'node -e \'require("net").connect(1, "127.0.0.1").on("error", (e) => console.log(e.code))\'',
    ].join("; ");
    const run = await project.ambit(
      "run",
      "Probe",
      "--id",
      "B1",
      "--isolation",
      "sandbox",
      "--timeout",
      "40",
      "--",
      "sh",
      "-c",
      probe,
    );
    expect(run.status).toBe(3);
    expect(run.stderr).toContain("hidden");
    // Its write to that path went into the sandbox's own memory, which is gone.
    expect(userState(project)).toEqual(before);
    expect(project.git("show", "delegation/B1:made.txt")).toBe("made\n");
    await until(
      "its clone is gone",
      () => !existsSync(join(`${project.root}.worktrees`, "ambit/sandboxes/B1")),
    );
  });

  it("accepts a contract return from inside, and survives a kill of the supervisor", async () => {
    project.write(
      "work.yaml",
      "- write: {path: x.txt, text: x}\n- return: {status: completed, summary: 'Wrote x. Done.'}\n",
    );
    const done = await project.json(
      "run",
      "In",
      "--id",
      "B2",
      "--isolation",
      "sandbox",
      "--script",
      "work.yaml",
    );
    expect(done).toMatchObject({ outcome: "completed", files_changed: 1 });
    const run = project.start(
      "pipe",
      "run",
      "Long",
      "--id",
      "B3",
      "--isolation",
      "sandbox",
      "--",
      "sh",
      "-c",
      "echo hi > kept.txt; exec sleep 7386",
    );
    await until(
      "it runs",
      () =>
        processesWith("7386") > 0 &&
        existsSync(join(`${project.root}.worktrees`, "ambit/sandboxes/B3/clone/kept.txt")),
    );
    process.kill(await project.supervisorPid(), "SIGKILL");
    await once(run, "exit");
    await until("the tree is dead", () => processesWith("7386") === 0);
    expect((await project.ambit("doctor", "--fix")).status).toBe(0);
    expect(project.git("show", "delegation/B3:kept.txt")).toBe("hi\n");
  });
});

describe("signals", () => {
  const longRun = [
    "run",
    "Long",
    "--id",
    "L1",
    "--",
    "sh",
    "-c",
    "echo hi > kept.txt; exec sleep 7381",
  ] as const;
  const running = (): Promise<void> =>
    until(
      "the worker runs",
      () =>
        processesWith("7381") > 0 &&
        existsSync(join(`${project.root}.worktrees`, "ambit/workspaces/L1/kept.txt")),
    );

  it("on a terminal Ctrl-C detaches with 130 and the work continues; attach and stop find it again", async () => {
    const run = project.start("terminal", ...longRun);
    await running();
    run.stdin?.write("\u0003");
    const [status] = await once(run, "exit");
    expect(status).toBe(130);
    expect(processesWith("7381")).toBeGreaterThan(0);
    const attached = project.start("pipe", "attach", "L1");
    const exited = once(attached, "exit");
    expect((await project.ambit("stop", "L1")).stdout).toContain("has stopped (cancelled)");
    const [attachStatus] = await exited;
    expect(attachStatus).toBe(3);
    expect(processesWith("7381")).toBe(0);
    expect(project.git("show", "delegation/L1:kept.txt")).toBe("hi\n");
  });

  it("a second Ctrl-C stops the work", async () => {
    const run = project.start("terminal", ...longRun);
    await running();
    run.stdin?.write("\u0003");
    let shown = "";
    run.stdout?.on("data", (chunk) => (shown += String(chunk)));
    await until("the first press is answered", () => shown.includes("again within 2 s"));
    run.stdin?.write("\u0003");
    const [status] = await once(run, "exit");
    expect(status).toBe(130);
    expect(processesWith("7381")).toBe(0);
    expect(project.git("show", "delegation/L1:kept.txt")).toBe("hi\n");
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "without a terminal %s stops the work gracefully and ends with %i",
    async (signal, expected) => {
      const run = project.start("pipe", ...longRun);
      await running();
      run.kill(signal);
      const [status] = await once(run, "exit");
      expect(status).toBe(expected);
      expect(processesWith("7381")).toBe(0);
      expect(project.git("show", "delegation/L1:kept.txt")).toBe("hi\n");
    },
  );
});

describe("the supervisor", () => {
  it("exits by itself when idle, and removes lock, socket and note", async () => {
    const state = join(project.root, ".git/ambit");
    const socket = join(state, "supervisor.sock");
    const run = project.start("pipe", "run", "x", "--", "sleep", "1");
    await until("it listens", () => existsSync(socket));
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    await once(run, "exit");
    await until("it is gone", () => !existsSync(socket));
    await until("its note is gone", () => !existsSync(join(state, "supervisor.json")));
    expect((await project.json("supervisor", "status"))["running"]).toBe(false);
  });

  it("is unique per project: a second one names the owner and exits", async () => {
    const run = project.start("pipe", "run", "Long", "--id", "L2", "--", "sh", "-c", "exec sleep 7382");
    await until("it runs", () => processesWith("7382") > 0);
    const pid = await project.supervisorPid();
    const second = await project.ambit("__supervisor", project.root);
    expect(second.status).toBe(75);
    expect(second.stderr).toContain(`process ${pid}`);
    run.kill("SIGTERM");
    await once(run, "exit");
  });

  it("leaves nothing running after SIGKILL; the next one keeps its work and continues", async () => {
    const before = userState(project);
    const run = project.start(
      "pipe",
      "run",
      "Long",
      "--id",
      "L3",
      "--",
      "sh",
      "-c",
      "echo hi > kept.txt; setsid sleep 7383 & exec sleep 7383",
    );
    await until("it runs", () => processesWith("7383") > 1);
    await until("it wrote", () =>
      existsSync(join(`${project.root}.worktrees`, "ambit/workspaces/L3/kept.txt")),
    );
    process.kill(await project.supervisorPid(), "SIGKILL");
    await once(run, "exit");
    await until("the tree is dead", () => processesWith("7383") === 0);
    const sick = await project.ambit("doctor");
    expect(sick.status).toBe(6);
    expect(sick.stdout).toContain("1 open, supervisor not running");
    const healed = await project.ambit("doctor", "--fix");
    expect(healed.status).toBe(0);
    expect(project.git("show", "delegation/L3:kept.txt")).toBe("hi\n");
    await until("it runs again", () => processesWith("7383") > 1);
    expect((await project.ambit("stop", "L3")).stdout).toContain("has stopped (cancelled)");
    expect(processesWith("7383")).toBe(0);
    expect(readFileSync(join(project.root, ".git/ambit/logs/supervisor.log"), "utf8")).toContain(
      "recovered L3",
    );
    expect(userState(project)).toEqual(before);
    expect((await project.ambit("audit", "--verify")).status).toBe(0);
    expect(await project.json("clean")).toMatchObject({ left: [] });
  });
});

describe("--in-process", () => {
  it("runs a story without a supervisor, and leaves none behind", async () => {
    project.write(
      "work.yaml",
      "- write: {path: x.txt, text: x}\n- return: {status: completed, summary: 'Wrote x. Done.'}\n",
    );
    const run = await project.ambit(
      "run",
      "Here",
      "--id",
      "P1",
      "--in-process",
      "--script",
      "work.yaml",
      "--json",
    );
    expect(run.status).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: "completed",
      files_changed: 1,
      branch: "ambit/P1",
    });
    expect((await project.json("supervisor", "status"))["running"]).toBe(false);
  });

  it("stops on SIGTERM with 143 and keeps the work", async () => {
    const run = project.start(
      "pipe",
      "run",
      "Here",
      "--id",
      "P2",
      "--in-process",
      "--",
      "sh",
      "-c",
      "echo hi > kept.txt; exec sleep 7384",
    );
    await until(
      "it runs",
      () =>
        processesWith("7384") > 0 &&
        existsSync(join(`${project.root}.worktrees`, "ambit/workspaces/P2/kept.txt")),
    );
    run.kill("SIGTERM");
    const [status] = await once(run, "exit");
    expect(status).toBe(143);
    expect(processesWith("7384")).toBe(0);
    expect(project.git("show", "delegation/P2:kept.txt")).toBe("hi\n");
  });

  it("is refused next to a supervisor, which it names", async () => {
    const run = project.start("pipe", "run", "Long", "--id", "P3", "--", "sh", "-c", "exec sleep 7385");
    await until("it runs", () => processesWith("7385") > 0);
    const second = await project.ambit("run", "Here", "--in-process", "--", "true");
    expect(second.status).toBe(6);
    expect(second.stderr).toContain(`process ${await project.supervisorPid()}`);
    run.kill("SIGTERM");
    await once(run, "exit");
  });
});
