import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { end, start } from "../../reports/fill-store.ts";
import { ask, criterion, filledRepository, json, openWork, run } from "./filled-repository.ts";
import { completedStory, keepWork, storyRepository, type StoryRepository } from "./story-repository.ts";

/** Everything in the user's repository that a merge may change. */
function userState({ directory, git }: StoryRepository): unknown {
  return {
    refs: git("for-each-ref", "refs/heads"),
    head: git("rev-parse", "HEAD"),
    status: git("status", "--porcelain"),
    file: readFileSync(join(directory, "a.txt"), "utf8"),
  };
}

describe("ambit merge", () => {
  it("--dry-run shows the plan with its files and changes nothing", async () => {
    const repository = await completedStory();
    const before = userState(repository);
    const { exitCode, stdout } = await run(repository.directory, ["merge", "--dry-run"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("S-1: Work S-1\n  from    ambit/S-1\n  into    main at ");
    expect(stdout).toContain("fast-forward");
    expect(stdout).toContain("M  a.txt    +1 −0\nA  new.txt  +1 −0\n2 files, +2 −0");
    expect(await json(repository.directory, ["merge", "S-1", "--dry-run"])).toMatchObject({
      story: "S-1",
      merged: false,
      dry_run: true,
      status: "ready",
      way: "fast-forward",
      branch: "main",
      is_checked_out: true,
      files: [
        { path: "a.txt", kind: "changed", old_path: null, added: 1, removed: 0 },
        { path: "new.txt", kind: "added", old_path: null, added: 1, removed: 0 },
      ],
      unproven: [],
    });
    expect(userState(repository)).toStrictEqual(before);
  });

  it("reports if the story's branch contains more than was proven", async () => {
    const repository = await completedStory();
    const proven = repository.git("rev-parse", "ambit/S-1");
    const more = repository.commitOn("ambit/S-1", { "by-hand.txt": "mine\n" });
    repository.git("branch", "--force", "ambit/S-1", more);
    const { stdout } = await run(repository.directory, ["merge", "--dry-run"]);
    expect(stdout).toContain(`unproven  ambit/S-1 was moved since it was proven at ${proven.slice(0, 12)}`);
  });

  it("reports in its preview that no check ran, and merges nonetheless", async () => {
    const { directory } = await completedStory("S-1", "unchecked");
    const plan = await run(directory, ["merge", "--dry-run"]);
    expect(plan.stdout).toContain("unproven  no check ran for this work");
    expect(await json(directory, ["merge", "--dry-run"])).toMatchObject({
      unproven: ["no check ran for this work"],
    });
    expect((await run(directory, ["merge", "--yes"])).stdout).toContain("S-1 is in main");
  });

  it("asks on a terminal: after no it changes nothing and fails, after yes it merges and names the undo command", async () => {
    const repository = await completedStory();
    const before = userState(repository);
    const no = await run(repository.directory, ["merge"], { input: "n\n", isTty: true });
    expect(no.exitCode).toBe(1);
    expect(no.stderr).toContain("Merge it? [y/N]");
    // The plan has colours on a terminal, and they are colours, not escaped text.
    expect(no.stderr).toContain("\u001B[1mS-1: ");
    expect(no.stderr).not.toContain(String.raw`\u{1b}`);
    expect(userState(repository)).toStrictEqual(before);
    const yes = await run(repository.directory, ["merge"], { input: "y\n", isTty: true });
    expect(yes.exitCode).toBe(0);
    expect(yes.stdout).toContain("S-1 is in main (fast-forward)");
    expect(yes.stdout).toContain("undo  ambit merge S-1 --undo");
    expect(repository.git("rev-parse", "main")).toBe(repository.git("rev-parse", "ambit/S-1"));
    expect(repository.git("status", "--porcelain")).toBe("");
    expect(readFileSync(join(repository.directory, "new.txt"), "utf8")).toBe("new\n");
  });

  it("is reverted by --undo, and reports if everything is already merged", async () => {
    const repository = await completedStory();
    const before = userState(repository);
    expect(await json(repository.directory, ["merge", "--yes"])).toMatchObject({
      merged: true,
      branch: "main",
    });
    const again = await run(repository.directory, ["merge", "--yes"]);
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("main has all of S-1 already"),
    });
    const undone = await json(repository.directory, ["merge", "--undo", "--yes"]);
    expect(undone).toMatchObject({ story: "S-1", merged: false, status: "undone", branch: "main" });
    expect(userState(repository)).toStrictEqual(before);
    const nothing = await run(repository.directory, ["merge", "--undo", "--yes"]);
    expect(nothing.exitCode).toBe(1);
    expect(nothing.stderr).toContain("✖ MERGE_REFUSED");
  });

  it.each([[["merge"]], [["merge", "--undo"]], [["merge", "--no-input"]]])(
    "%j needs --yes if no person can be asked, exit 2, and changes nothing",
    async (words) => {
      const repository = await completedStory();
      const before = userState(repository);
      const { exitCode, stderr } = await run(repository.directory, words);
      expect(exitCode).toBe(2);
      expect(stderr).toContain("Add --yes");
      expect(userState(repository)).toStrictEqual(before);
    },
  );

  it("leaves a conflict to the person: it exits with 7, names the files and changes nothing", async () => {
    const repository = await completedStory();
    repository.write("a.txt", "one\nmine\n");
    repository.git("commit", "--quiet", "-am", "mine");
    const before = userState(repository);
    const { exitCode, stdout } = await run(repository.directory, ["merge", "--yes"]);
    expect(exitCode).toBe(7);
    expect(stdout).toContain(
      "MERGE_CONFLICT  S-1 conflicts with main in 1 file:\n  a.txt\nNothing was changed.",
    );
    const document = await json(repository.directory, ["merge", "--dry-run"]);
    expect(document).toMatchObject({
      status: "conflict",
      code: "MERGE_CONFLICT",
      files: ["a.txt"],
      merged: false,
    });
    expect(userState(repository)).toStrictEqual(before);
  });

  it("makes one commit with --squash, and leaves the user's files alone with --into another branch", async () => {
    const repository = await completedStory();
    repository.git("branch", "release");
    const here = readFileSync(join(repository.directory, "a.txt"), "utf8");
    const { exitCode } = await run(repository.directory, ["merge", "--into", "release", "--squash", "--yes"]);
    expect(exitCode).toBe(0);
    expect(repository.git("rev-list", "--count", "main..release")).toBe("1");
    expect(repository.git("rev-parse", "release^")).toBe(repository.git("rev-parse", "main"));
    expect(repository.git("log", "-1", "--format=%B", "release")).toContain("Work S-1\n\nStory: S-1");
    expect(repository.git("diff", "--name-only", "release", "ambit/S-1")).toBe("");
    expect(readFileSync(join(repository.directory, "a.txt"), "utf8")).toBe(here);
  });

  it("refuses to overwrite edits of the user, and names their files", async () => {
    const repository = await completedStory();
    repository.write("a.txt", "not committed\n");
    const { exitCode, stderr } = await run(repository.directory, ["merge", "--yes"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/✖ MERGE_REFUSED[^]*a\.txt/);
    expect(readFileSync(join(repository.directory, "a.txt"), "utf8")).toBe("not committed\n");
  });

  it.each([
    [["--into", "no such"], "is not a branch name"],
    [["--into", "../x"], "is not a branch name"],
    [["--into", ""], "is not a branch name"],
    [["--undo", "--squash"], "--undo takes the newest merge back"],
    [["--undo", "--dry-run"], "--undo takes the newest merge back"],
  ])("refuses %j with exit 2", async (words, message) => {
    const { directory } = await completedStory();
    const { exitCode, stderr } = await run(directory, ["merge", "--yes", ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it("refuses a branch that does not exist", async () => {
    const { directory } = await completedStory();
    const { exitCode, stderr } = await run(directory, ["merge", "--yes", "--into", "nowhere"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("The branch refs/heads/nowhere does not exist");
  });
});

describe("a story that is not completed", () => {
  async function halfDone(): Promise<StoryRepository> {
    const repository = storyRepository();
    const base = repository.git("rev-parse", "main");
    const tip = repository.commitOn(base, { "half.txt": "half\n" });
    await repository.withStore(async (store) => {
      const criteria = [criterion("c1", { text: "npm test passes" })];
      await openWork(store, "S-1", {
        work: { adapter: "command", command: [], context: "", criteria, dependsOn: [] },
      });
      await keepWork(store, "S-1", { base, tip, files: ["half.txt"] });
      const worker = await start(store, "S-1", { description: "a part" });
      await end(store, worker.id, { outcome: "failed", summary: "No." });
      await end(store, "S-1", { outcome: "partial", code: "CRITERION_UNVERIFIED", summary: "Not proven." });
    });
    return repository;
  }

  it("is not merged, and its unproven criteria are named", async () => {
    const repository = await halfDone();
    const before = userState(repository);
    const { exitCode, stderr } = await run(repository.directory, ["merge", "--yes"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("✖ MERGE_REFUSED  S-1 is not completed (partial).");
    expect(stderr).toContain("unverified: npm test passes");
    expect(stderr).toContain("failed: S-1-DEL-001 (a part)");
    expect(stderr).toContain("ambit merge S-1 --partial");
    expect(userState(repository)).toStrictEqual(before);
  });

  it("is merged with --partial, which lists its unproven criteria", async () => {
    const repository = await halfDone();
    const { exitCode, stderr } = await run(repository.directory, ["merge", "--partial", "--yes"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("from    delegation/S-1");
    expect(stderr).toContain("unproven  none of it was merged into the story's branch");
    expect(stderr).toContain("unproven  unverified: npm test passes");
    expect(repository.git("show", "main:half.txt")).toBe("half");
  });

  it("is not merged while it waits for an answer, and the command that gives it is named", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1");
      await ask(store, "S-1", { kind: "sensitive-paths", question: "Accept the workflow?" });
    });
    const { exitCode, stderr } = await run(directory, ["merge", "--yes"]);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      '✖ MERGE_REFUSED  S-1 is not completed: it waits for your answer.\n        Accept the workflow?\n  next  Look at it with ambit inbox, then answer: ambit approve S-1, or ambit reject S-1 --reason "…"\n',
    );
  });

  it("can be merged only as a whole, not in parts", async () => {
    const { directory } = await halfDone();
    const { exitCode, stderr } = await run(directory, ["merge", "1", "--yes"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("S-1-DEL-001 is a part of S-1");
  });
});
