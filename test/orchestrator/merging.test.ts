import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { until, userState } from "../e2e/project.ts";
import { it, type TestRuntime } from "./open-runtime.ts";
import { because, delegate, done, returns, shell, together, waitFor, write } from "./steps.ts";

const passes = (command: string): string => `\`${command}\` exits with code 0`;
const handsOut = (...agents: string[]) => ({
  begin: [delegate(agents.map((agent) => ({ description: `Part of ${agent}`, agent })))],
  results: [done()],
});
const ended = (runtime: TestRuntime, id: string): Promise<unknown> =>
  until(`${id} ends`, async () => (await runtime.engine.tools.store.delegation(id))?.state === "closed");

describe.concurrent("a conflict", () => {
  it("goes back to its worker once, with both sides in its folder, and is merged when resolved (R196)", async ({
    open,
  }) => {
    const runtime = await open();
    const both = together(runtime.signal("both"), 2);
    runtime.agent("first", [both, write("a.txt", "first\n"), done()]);
    runtime.agent("second", {
      begin: [
        both,
        write("a.txt", "second\n"),
        write("other.txt", "other"),
        waitFor(runtime.signal("merged")),
        done(),
      ],
      conflict: [shell("cat a.txt"), write("a.txt", "first and second\n"), done("Resolved. Both are in.")],
    });
    const story = runtime.run("M1", handsOut("first", "second"));
    await ended(runtime, "M1-DEL-001");
    runtime.open(runtime.signal("merged"));
    expect((await story).outcome).toBe("completed");
    expect(await runtime.read("M1-DEL-002")).toMatchObject({ outcome: "completed", attempt: 2 });
    expect(runtime.file("refs/heads/ambit/M1", "a.txt")).toBe("first and second\n");
    expect(runtime.file("refs/heads/ambit/M1", "other.txt")).toBe("other");
    expect(runtime.output("M1-DEL-002", 2)).toMatch(/<<<<<<<[^]*first[^]*=======[^]*second[^]*>>>>>>>/);
    expect(runtime.prompt("M1-DEL-002", 2)).toContain("conflict markers in: a.txt");
    expect(runtime.told("M1-DEL-002", "merge-refused")).toMatchObject([
      { code: "MERGE_CONFLICT", files: ["a.txt"] },
    ]);
    expect(runtime.project.git("log", "-S<<<<<<<", "--oneline", "ambit/M1")).toBe("");
  });

  it("ends its worker as partial if it occurs a second time, with the files named and the work kept", async ({
    open,
  }) => {
    const runtime = await open();
    const all = together(runtime.signal("all"), 3);
    const first = runtime.signal("first");
    const shown = runtime.signal("shown");
    const second = runtime.signal("second");
    runtime.agent("a", [all, write("a.txt", "a\n"), done()]);
    runtime.agent("b", {
      begin: [all, write("a.txt", "b\n"), waitFor(first), done()],
      conflict: [waitFor(shown), write("a.txt", "a and b\n"), done()],
    });
    runtime.agent("c", {
      begin: [all, write("a.txt", "c\n"), waitFor(first), done()],
      conflict: [shell(`touch ${shown}`), waitFor(second), write("a.txt", "a and c\n"), done()],
    });
    const story = runtime.run("M2", handsOut("a", "b", "c"));
    await ended(runtime, "M2-DEL-001");
    runtime.open(first);
    await ended(runtime, "M2-DEL-002");
    runtime.open(second);
    expect((await story).outcome).toBe("completed");
    expect((await runtime.read("M2-DEL-002")).outcome).toBe("completed");
    const last = await runtime.read("M2-DEL-003");
    expect(last).toMatchObject({ outcome: "partial", code: "MERGE_CONFLICT", attempt: 2 });
    expect(last.summary).toContain("a.txt");
    expect(runtime.prompt("M2", 2)).toMatch(/M2-DEL-003[^]*MERGE_CONFLICT/);
    expect(runtime.file("delegation/M2-DEL-003", "a.txt")).toBe("a and c\n");
    expect(runtime.file("refs/heads/ambit/M2", "a.txt")).toBe("a and b\n");
  });

  it("is not merged with its markers if its worker only claims to have resolved it", async ({ open }) => {
    const runtime = await open();
    const both = together(runtime.signal("both"), 2);
    runtime.agent("first", [both, write("a.txt", "first\n"), done()]);
    runtime.agent("lazy", {
      begin: [both, write("a.txt", "lazy\n"), waitFor(runtime.signal("merged")), done()],
      conflict: [done("Resolved. Trust me.")],
    });
    const story = runtime.run("M3", handsOut("first", "lazy"));
    await ended(runtime, "M3-DEL-001");
    runtime.open(runtime.signal("merged"));
    await story;
    expect(await runtime.read("M3-DEL-002")).toMatchObject({ outcome: "partial", code: "MERGE_CONFLICT" });
    expect(runtime.file("refs/heads/ambit/M3", "a.txt")).toBe("first\n");
  });

  it("between a manager's own changes and those of its workers loses neither", async ({ open }) => {
    const runtime = await open();
    runtime.agent("first", [write("a.txt", "worker\n"), done()]);
    const merged = runtime.signal("merged");
    await runtime.start("M4", {
      begin: [
        delegate([{ description: "Change it", agent: "first" }]),
        waitFor(merged),
        write("a.txt", "manager\n"),
        write("own.txt", "own"),
      ],
      results: [shell("cat a.txt"), write("a.txt", "both\n"), done()],
    });
    await ended(runtime, "M4-DEL-001");
    runtime.open(merged);
    const story = await runtime.engine.whenEnded("M4");
    expect(runtime.prompt("M4", 2)).toContain("a.txt conflict");
    expect(runtime.output("M4", 2)).toContain("worker");
    expect(story.outcome).toBe("completed");
    expect(runtime.file("refs/heads/ambit/M4", "a.txt")).toBe("both\n");
    const kept = runtime.told("M4", "work-kept").find(({ filesChanged }) => filesChanged.includes("own.txt"));
    expect(runtime.file(kept?.tip ?? "", "own.txt")).toBe("own");
    expect(runtime.project.git("for-each-ref", "--contains", kept?.tip ?? "").trim()).not.toBe("");
  });
});

describe.concurrent("a merge", () => {
  it("is proven again if the branch moved meanwhile, and keeps the commit that moved it", async ({
    open,
  }) => {
    const runtime = await open();
    const gate = runtime.signal("gate");
    const started = runtime.signal("started");
    runtime.agent("worker", [write("w.txt", "w"), done()]);
    const wait = `touch ${started}; until [ -e ${gate} ]; do sleep 0.02; done`;
    // Not on the tree that the story starts from.
    const check = { command: `test ! -f w.txt || { ${wait}; }` };
    const story = runtime.run("M5", [write("w.txt", "w"), done()], { criteria: [{ text: "Slow", check }] });
    await until("the check runs", () => existsSync(started));
    const { base } = await runtime.read("M5");
    const tree = runtime.project.git("rev-parse", `${base ?? ""}^{tree}`).trim();
    const theirs = runtime.project.git("commit-tree", tree, "-p", base ?? "", "-m", "by hand").trim();
    runtime.project.git("update-ref", "refs/heads/ambit/M5", theirs);
    runtime.open(gate);
    expect((await story).outcome).toBe("completed");
    expect(runtime.history("M5")).toContain("merge-repeated");
    expect(runtime.told("M5", "criterion-checked")).toHaveLength(2);
    expect(runtime.project.git("log", "--format=%s", "ambit/M5")).toContain("by hand");
    expect(runtime.file("refs/heads/ambit/M5", "w.txt")).toBe("w");
  });

  it("never moves a branch that is checked out", async ({ open }) => {
    const runtime = await open();
    runtime.agent("first", [write("one.txt", "one"), done()]);
    runtime.agent("second", [waitFor(runtime.signal("switched")), write("two.txt", "two"), done()]);
    const story = runtime.run("M6", handsOut("first", "second"));
    await ended(runtime, "M6-DEL-001");
    const elsewhere = join(dirname(runtime.project.root), "elsewhere");
    runtime.project.git("worktree", "add", "--quiet", elsewhere, "ambit/M6");
    const before = runtime.ref("refs/heads/ambit/M6");
    runtime.open(runtime.signal("switched"));
    await story;
    expect(await runtime.read("M6-DEL-002")).toMatchObject({ outcome: "partial", code: "MERGE_REFUSED" });
    expect((await runtime.read("M6-DEL-002")).summary).toContain("ambit retry M6-DEL-002");
    expect(runtime.ref("refs/heads/ambit/M6")).toBe(before);
    expect(runtime.file("delegation/M6-DEL-002", "two.txt")).toBe("two");
    expect(existsSync(join(elsewhere, "two.txt"))).toBe(false);
  });

  it("leaves everything of the user's unchanged: files, index, stash, branches (R196)", async ({ open }) => {
    const runtime = await open();
    const { project } = runtime;
    project.write("a.txt", "stashed\n");
    project.git("stash", "push", "--quiet");
    project.write("staged.txt", "staged\n");
    project.git("add", "staged.txt");
    project.write("a.txt", "one\nuncommitted\n");
    project.write("untracked.txt", "mine\n");
    project.git("branch", "elsewhere");
    runtime.agent("first", [
      shell("cat a.txt staged.txt untracked.txt > seen.txt"),
      write("a.txt", "x\n"),
      done(),
    ]);
    runtime.agent("unlucky", [
      write("b.txt", "b"),
      shell("git add -A; git commit -qm mine; git reset -q --hard HEAD; git clean -fdx"),
      returns("failed", "Broke it. Sorry.", because("Clumsy.")),
    ]);
    const before = userState(project);
    expect((await runtime.run("M7", handsOut("first", "unlucky"))).outcome).toBe("completed");
    expect(runtime.file("refs/heads/ambit/M7", "seen.txt")).toBe("one\nuncommitted\nstaged\nmine\n");
    expect(userState(project)).toEqual(before);
  });

  it("frees the folder and the branch of merged work, keeps the branch of unmerged work, and every log (R89, R101, C33)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("good", [write("good.txt", "good"), shell("echo for the record"), done()]);
    runtime.agent("bad", [write("bad.txt", "bad"), returns("failed", "No. Sorry.", because("No."))]);
    await runtime.run("M8", handsOut("good", "bad"));
    for (const id of ["M8", "M8-DEL-001", "M8-DEL-002"]) {
      expect(runtime.told(id, "workspace-removed")).toHaveLength(1);
      expect((await runtime.read(id)).workspace).toBeNull();
    }
    // One of the pool is cleaned soon after, for the next.
    const [removed] = runtime.told("M8-DEL-002", "workspace-removed");
    await until("it is clean", () => !existsSync(join(removed?.path ?? "", "bad.txt")));
    expect(runtime.project.git("branch", "--list", "delegation/*").trim()).toBe("delegation/M8-DEL-002");
    expect(runtime.output("M8-DEL-001", 1)).toContain("for the record");
    expect(runtime.prompt("M8-DEL-002", 1)).toContain("Part of bad");
  });

  it("keeps the folders if the project says so (R89, R111)", async ({ open }) => {
    const runtime = await open("delegation:\n  logging:\n    saveWorktrees: true\n");
    const story = await runtime.run("M9", [write("x.txt", "x"), done()]);
    expect(existsSync(join(story.workspace?.path ?? "", "x.txt"))).toBe(true);
    expect(runtime.file("refs/heads/ambit/M9", "x.txt")).toBe("x");
  });

  it("proves the work of a manager together with that of its workers (R87)", async ({ open }) => {
    const runtime = await open();
    runtime.agent("good", [write("good.txt", "good"), done()]);
    const accept = passes("cat good.txt own.txt");
    const story = await runtime.run(
      "M10",
      {
        begin: [delegate([{ description: "Help", agent: "good", accept: [passes("cat good.txt")] }])],
        results: [write("own.txt", "own"), { remove: "good.txt" }, done()],
      },
      { criteria: [accept] },
    );
    expect(story).toMatchObject({ outcome: "partial" });
    expect(story.summary).toContain("M10-DEL-001");
    expect(runtime.file("refs/heads/ambit/M10", "good.txt")).toBe("good");
  });
});
