import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  buildHistory,
  claimCommits,
  type History,
  histories,
  mergeInOrder,
  tryMergeByGit,
} from "./merge-histories.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;

beforeEach(async () => {
  project = await makeRepository();
});

afterEach(() => project.remove());

/** Compares our merges with git's; returns the merged files and the outcome of each tip. */
async function compare(history: History): Promise<{ statuses: readonly string[]; files: readonly string[] }> {
  const built = buildHistory(project, history);
  const expected = tryMergeByGit(project, built);
  if (expected === undefined) throw new Error("git itself crashed");
  const merged = await mergeInOrder(project, built, expected);
  expect(merged).toStrictEqual(expected);
  claimCommits(project, built);
  expect(await mergeInOrder(project, built, expected)).toStrictEqual(expected);
  const files = project.git("ls-tree", "-r", "--name-only", merged.tree).trim().split("\n");
  return { statuses: merged.outcomes.map(({ status }) => status), files };
}

const change = (file: number, line: number, text: number) => ({ kind: "line", file, line, text }) as const;
const tip = (...edits: History["tips"][number]["commits"][number]) => ({ start: 0, commits: [edits] });

describe("merging many tips one after another", () => {
  it(
    "gives the tree and the conflicts of as many git merges in the same order",
    { timeout: 180_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const built = buildHistory(project, history);
          const expected = tryMergeByGit(project, built);
          fc.pre(expected !== undefined);
          expect(await mergeInOrder(project, built, expected)).toStrictEqual(expected);
          claimCommits(project, built);
          expect(await mergeInOrder(project, built, expected)).toStrictEqual(expected);
        }),
        { numRuns: 30 },
      );
    },
  );

  it("merges the tips that fit and leaves out those that conflict", async () => {
    const { statuses } = await compare({
      files: 20,
      into: [],
      tips: [
        tip(change(0, 0, 0)),
        tip(change(1, 0, 0)),
        tip(change(0, 11, 1)),
        tip(change(1, 0, 1)),
        tip({ kind: "add", place: 200, like: 1 }),
        tip(change(0, 0, 2), change(5, 0, 0)),
      ],
    });
    expect(statuses).toStrictEqual(["merged", "merged", "merged", "conflict", "merged", "conflict"]);
  });

  it("follows a rename that two tips make together when a third tip changes the file", async () => {
    // `f1` goes, a file like it comes, and the change to it belongs there.
    const first = { kind: "remove", file: 1 } as const;
    const copy = { kind: "add", place: 17, like: 2 } as const;
    await compare({
      files: 12,
      into: [],
      tips: [tip(first), tip(copy), tip(change(1, 0, 0)), tip(change(2, 5, 0))],
    });
    await compare({ files: 12, into: [[first]], tips: [tip(copy), tip(change(1, 0, 0))] });
  });

  it("puts new files into the renamed folder, as git does", async () => {
    for (let file = 0; file < 12; file += 1)
      await compare({
        files: 12,
        into: [],
        tips: [
          tip({ kind: "move-folder", file, place: 0 }),
          tip({ kind: "add", place: file, like: 1 }),
          tip(change(3, 3, 0)),
        ],
      });
  });

  it("recognises tips that build on each other and tips that are already merged", async () => {
    const { statuses } = await compare({
      files: 12,
      into: [[change(0, 0, 0)], [change(1, 0, 0)]],
      tips: [
        { start: 0, commits: [[change(4, 0, 0)]] },
        { start: 3, commits: [[change(5, 0, 0)], [change(4, 5, 0)]] },
        { start: 1, commits: [[change(6, 0, 0)]] },
      ],
    });
    expect(statuses).toStrictEqual(["merged", "merged", "merged"]);
    const built = buildHistory(project, {
      files: 4,
      into: [[change(0, 0, 0)]],
      tips: [tip(change(1, 0, 0))],
    });
    const [first = ""] = built.tips;
    const base = project.git("rev-parse", `${built.into}~1`).trim();
    expect(
      (await mergeInOrder(project, { into: built.into, tips: [base, first, first] })).outcomes,
    ).toMatchObject([{ status: "contained" }, { status: "merged" }, { status: "contained" }]);
    expect(await mergeInOrder(project, { into: built.into, tips: [] })).toMatchObject({
      tree: project.git("rev-parse", `${built.into}^{tree}`).trim(),
      outcomes: [],
    });
  });

  it("applies the attributes of one tip when it merges the next tips", async () => {
    project.write("notes.md", "start\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Notes");
    const into = project.git("rev-parse", "HEAD").trim();
    const make = (path: string, content: string): string => {
      project.git("checkout", "-q", "-f", "--detach", into);
      project.write(path, content);
      project.git("add", "-A");
      project.git("commit", "-qm", "Tip");
      return project.git("rev-parse", "HEAD").trim();
    };
    const tips = [
      make(".gitattributes", "*.md merge=union\n"),
      make("notes.md", "one\n"),
      make("notes.md", "two\n"),
    ];
    const late = await mergeInOrder(project, { into, tips });
    expect(late.outcomes.map(({ status }) => status)).toStrictEqual(["merged", "merged", "merged"]);
    const early = await mergeInOrder(project, { into, tips: tips.toReversed() });
    expect(early.outcomes.map(({ status }) => status)).toStrictEqual(["merged", "conflict", "merged"]);
  });

  it("can merge a tip that deletes every file", async () => {
    const { into, tips } = buildHistory(project, { files: 4, into: [], tips: [] });
    expect(tips).toStrictEqual([]);
    const empty = project
      .git(
        "commit-tree",
        "-m",
        "Empty",
        "-p",
        into,
        project.git("hash-object", "-t", "tree", "-w", "/dev/null").trim(),
      )
      .trim();
    const merged = await mergeInOrder(project, { into, tips: [empty] });
    expect(project.git("ls-tree", merged.tree)).toBe("");
  });
});
