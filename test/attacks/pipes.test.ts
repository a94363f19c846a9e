import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../../src/base/run-command.ts";
import { continueDelegation } from "../../src/orchestrator/follow-up.ts";
import { processesWith, until } from "../e2e/project.ts";
import { openOn, useRuntime } from "../orchestrator/open-runtime.ts";
import { done, shell, write } from "../orchestrator/steps.ts";
import { check, criterion, makeCheckout } from "../verification/check-for-test.ts";
import { openAttack, requireSandbox, type Attack } from "./open-attack.ts";

const MODES = ["worktree", "sandbox"] as const;
/** The time within which a stop promises to end. */
const MAX_STOP_MS = 5000;
/** Far below every limit that would end a hanging git. */
const MAX_IMPORT_MS = 45_000;

const socket = (path: string): string =>
  `node -e 'require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))' '${path}' || true`;

/** Everything at which git would wait, under every name that it opens by itself. */
const plants = {
  "pipes at every level": [
    "mkdir -p sub/deep",
    ...[".gitattributes", ".gitignore", ".gitmodules"].flatMap((name) =>
      ["", "sub/", "sub/deep/"].map((folder) => `mkfifo ${folder}${name}`),
    ),
    "echo y > sub/deep/y",
  ],
  "pipes in a repository inside": [
    "git init -q inside",
    "rm inside/.git/HEAD inside/.git/config",
    "for name in HEAD config index packed-refs refs/heads/main info/exclude; do rm -f inside/.git/$name; mkfifo inside/.git/$name; done",
    "echo y > inside/y",
    "mkdir other && mkfifo other/.git && echo y > other/y",
  ],
  "links in a circle, to pipes and to the kernel": [
    "ln -s .gitattributes .gitattributes",
    "mkfifo pipe && ln -s pipe .gitmodules",
    "ln -s /dev/zero .gitignore",
    "mkdir sub && ln -s /proc/kmsg sub/.gitmodules",
  ],
  sockets: [socket(".gitattributes"), `mkdir sub; cd sub; ${socket(".gitignore")}; cd ..`],
} as const;

const clonePlants = [
  "rm -f .git/HEAD .git/config .git/index .git/packed-refs",
  "for name in HEAD config index packed-refs info/attributes info/exclude refs/heads/pipe; do rm -f .git/$name; mkdir -p .git/refs/heads; mkfifo .git/$name; done",
];

async function runPlants(isolation: string, lines: readonly string[]): Promise<Attack> {
  const attack = await openAttack({ settings: "delegation: {}\n" });
  const { runtime, readable } = attack;
  const start = performance.now();
  const script = [shell(lines.join("\n")), write("kept.txt", "kept"), done()];
  const story = await runtime.run("F1", script, { isolation, readable });
  expect(runtime.output("F1", 1)).not.toContain("exit code 1");
  expect(performance.now() - start).toBeLessThan(MAX_IMPORT_MS);
  expect(story.outcome).toBe("completed");
  expect(runtime.file("refs/heads/ambit/F1", "kept.txt")).toBe("kept");
  return attack;
}

const notesOf = ({ runtime }: Attack): string =>
  [...runtime.told("F1", "note-added"), ...runtime.told("F2", "note-added")]
    .map(({ text }) => text)
    .join("\n");

/** Git processes that read something of this project. */
function gitsOf(root: string): readonly string[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const line = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, "utf8") : "";
      const isGit = line.startsWith("git\0") && line.includes(root);
      // The sessions that move refs wait for their next order, and end with the runtime.
      return isGit && !line.includes("update-ref") ? [line.replaceAll("\0", " ")] : [];
    } catch {
      // The process has ended in the meantime.
      return [];
    }
  });
}

describe("a tree that git would wait for", () => {
  beforeAll(requireSandbox);

  it("makes plain git hang (control)", () => {
    const folder = mkdtempSync(join(tmpdir(), "ambit-pipe-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const git = (...words: string[]) =>
      spawnSync("git", ["-C", folder, ...words], { timeout: 2000, killSignal: "SIGKILL" });
    const hangs = (name: string): boolean => {
      execFileSync("mkfifo", [join(folder, name)]);
      const { signal } = git("add", "-A");
      rmSync(join(folder, name));
      rmSync(join(folder, ".git/index.lock"), { force: true });
      return signal === "SIGKILL";
    };
    git("init", "-q");
    execFileSync("sh", [
      "-c",
      `echo x > ${folder}/x; git init -q ${folder}/inside; rm ${folder}/inside/.git/HEAD`,
    ]);
    expect(hangs(".gitattributes")).toBe(true);
    expect(hangs(".gitignore")).toBe(true);
    expect(hangs("inside/.git/HEAD")).toBe(true);
  });

  for (const isolation of MODES)
    describe(`in a ${isolation}`, () => {
      it.each(Object.entries(plants))("is imported: %s", async (_, lines) => {
        const attack = await runPlants(isolation, lines);
        expect(notesOf(attack)).toContain(
          "Moved to .ambit-aside in the workspace, because git would hang on it",
        );
        expect(notesOf(attack)).toMatch(/named pipe|link|socket/);
        // One that hangs stays; the next checkout may be prepared meanwhile.
        await expect.poll(() => gitsOf(attack.runtime.project.root), { timeout: 5000 }).toEqual([]);
      });
    });

  it("is imported from a clone whose own git folder is full of pipes", async () => {
    const attack = await runPlants("sandbox", clonePlants);
    expect(notesOf(attack)).toContain(".git/HEAD (named pipe)");
    expect(notesOf(attack)).toContain(".git/refs/heads/pipe (named pipe)");
  });

  it("is imported with devices, where the worker may make them", async () => {
    const isRoot = process.getuid?.() === 0;
    // Only root can make a device. For another user this test proves that a worker cannot.
    const lines = isRoot
      ? ["mknod .gitattributes c 1 5", "mkdir sub && mknod sub/.gitignore c 5 0"]
      : ["! mknod .gitattributes c 1 5"];
    const attack = await runPlants("worktree", lines);
    if (isRoot) expect(notesOf(attack)).toContain(".gitattributes (device)");
  });

  it("is left alone in the person's own checkout", async () => {
    const attack = await openAttack({ settings: "delegation: {}\n" });
    const { runtime } = attack;
    const { root } = runtime.project;
    execFileSync(
      "sh",
      ["-c", `mkdir own; cd own; ${socket(".gitignore")}; cd ..; ${socket("own/.gitmodules")}`],
      {
        cwd: root,
        stdio: "ignore",
      },
    );
    const story = await runtime.run("F2", [write("kept.txt", "kept"), done()]);
    expect(story.outcome).toBe("completed");
    expect(readdirSync(join(root, "own")).toSorted()).toEqual([".gitignore", ".gitmodules"]);
    expect(readdirSync(root)).not.toContain(".ambit-aside");
    expect(notesOf(attack)).not.toContain(".ambit-aside");
  });

  it("does not include files, folders and links to files of the same names, which stay as they are", async () => {
    const attack = await openAttack({ settings: "delegation: {}\n" });
    const { runtime } = attack;
    const lines = [
      "echo '*.x binary' > .gitattributes",
      "mkdir sub && echo '*.log' > sub/rules && ln -s rules sub/.gitignore",
      "mkdir folder folder/.gitignore && echo z > folder/.gitignore/z",
    ];
    await runtime.command("F2", lines.join("\n"));
    expect(notesOf(attack)).not.toContain(".ambit-aside");
    expect(runtime.file("delegation/F2", ".gitattributes")).toBe("*.x binary\n");
    expect(runtime.file("delegation/F2", "sub/.gitignore")).toBe("rules");
    expect(runtime.file("delegation/F2", "folder/.gitignore/z")).toBe("z\n");
  });
});

describe("a program that waits forever", () => {
  const pipe = (): string => {
    const folder = mkdtempSync(join(tmpdir(), "ambit-pipe-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    return join(folder, "pipe");
  };
  const run = (line: string, timeoutMs: number) =>
    runCommand({
      argv: ["/bin/sh", "-c", line],
      cwd: "/",
      environment: { PATH: "/usr/bin:/bin" },
      timeoutMs,
      stallMs: 1000,
    });

  it("is ended if it makes no progress, and not while it does", async () => {
    const start = performance.now();
    expect(await run(`cat ${pipe()}`, 60_000)).toMatchObject({ stalled: true, timedOut: false });
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(await run("while :; do sleep 0.1; done", 4000)).toMatchObject({ stalled: false, timedOut: true });
  });

  it("is stopped in a check too, and the evidence gives the reason", async () => {
    const checkout = makeCheckout();
    const limits = { stallMs: 1500, timeoutMs: 60_000 };
    const [stalled] = await check(checkout, [criterion({ command: `cat ${pipe()}` })], { limits });
    expect(stalled).toMatchObject({ verdict: "failed" });
    expect(stalled?.evidence).toContain("made no progress for 1.5 s and was stopped");
    const [busy] = await check(
      checkout,
      [criterion({ command: "for i in 1 2 3 4 5 6; do sleep 0.5; done" })],
      {
        limits,
      },
    );
    expect(busy).toMatchObject({ verdict: "passed" });
  });
});

/** Files so large that reading them takes far longer than a stop may take. */
const LARGE = "mkdir large; for i in $(seq 60); do truncate -s 1G large/$i; done";

describe("a stop", () => {
  beforeAll(requireSandbox);

  it.each(MODES)(
    "ends an import from a %s in time, keeps the folder, and its work can be continued",
    async (isolation) => {
      const { runtime, readable } = await openAttack({ settings: "delegation: {}\n" });
      const { engine, project } = runtime;
      await runtime.start("T1", [write("kept.txt", "kept"), shell(LARGE), done()], { isolation, readable });
      await until("the import has begun", () => runtime.history("T1").includes("attempt-ended"));
      const start = performance.now();
      await engine.stop("T1", { reason: "enough", by: "person" });
      expect(performance.now() - start).toBeLessThan(MAX_STOP_MS);
      const story = await runtime.read("T1");
      expect(story.outcome).toBe("cancelled");
      // The import would go on for minutes; the journal's head is noted meanwhile.
      await expect.poll(() => gitsOf(project.root), { timeout: 2000 }).toEqual([]);
      const folder = story.workspace?.path ?? "";
      expect(readFileSync(join(folder, "kept.txt"), "utf8")).toBe("kept");
      rmSync(join(folder, "large"), { recursive: true });
      runtime.agent("next", [done()]);
      const request = { id: "T1", from: "work", note: "", agent: "next" } as const;
      const next = await engine.whenEnded(await continueDelegation(engine, request));
      expect(next.outcome).toBe("completed");
      expect(runtime.file("delegation/T1", "kept.txt")).toBe("kept");
    },
  );

  it.each(MODES)("ends a check of work from a %s in time, and the work is kept", async (isolation) => {
    // No check runs on the base, so the check that this test waits for is the one after the work.
    const { runtime, readable } = await openAttack({ settings: "verification:\n  base: false\n" });
    const criteria = ["`sleep 7391` exits with code 0"];
    await runtime.start("T2", [write("kept.txt", "kept"), done()], { isolation, readable, criteria });
    await until("the check runs", () => processesWith("7391") > 0);
    const start = performance.now();
    await runtime.engine.stop("T2", { reason: "enough", by: "person" });
    expect(performance.now() - start).toBeLessThan(MAX_STOP_MS);
    expect((await runtime.read("T2")).outcome).toBe("cancelled");
    expect(processesWith("7391")).toBe(0);
    expect(runtime.file("delegation/T2", "kept.txt")).toBe("kept");
  });

  it("of the whole runtime ends an import in time, and the next runtime continues the work", async () => {
    const { runtime, readable } = await openAttack({ settings: "delegation: {}\n" });
    const { engine, project } = runtime;
    await runtime.start("T3", [write("kept.txt", "kept"), shell(LARGE), done()], { readable });
    await until("the import has begun", () => runtime.history("T3").includes("attempt-ended"));
    const folder = (await runtime.read("T3")).workspace?.path ?? "";
    const start = performance.now();
    await engine.close();
    expect(performance.now() - start).toBeLessThan(MAX_STOP_MS);
    expect(gitsOf(project.root)).toEqual([]);
    expect(existsSync(join(folder, "kept.txt"))).toBe(true);
    rmSync(join(folder, "large"), { recursive: true });
    await runtime.shut();
    const next = useRuntime(project, await openOn(project));
    onTestFinished(() => next.close());
    expect(await next.engine.whenEnded("T3")).toMatchObject({ outcome: "completed" });
    expect(next.file("refs/heads/ambit/T3", "kept.txt")).toBe("kept");
  });
});
