import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commitCandidate } from "../../src/workspace/merge.ts";
import { mergeMany } from "../../src/workspace/merge-many.ts";
import { buildHistory, type History, histories, simplify, tryMergeByGit } from "./merge-histories.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;

beforeEach(async () => {
  project = await makeRepository();
});

afterEach(() => project.remove());

/** Ours must be what as many `git merge` give; answers with the tree's files and what became of each tip. */
async function compare(history: History): Promise<{ statuses: readonly string[]; files: readonly string[] }> {
  const built = buildHistory(project, history);
  const expected = tryMergeByGit(project, built);
  if (expected === undefined) throw new Error("git itself crashed");
  const merged = await mergeMany(project, built);
  expect({ tree: merged.tree, outcomes: simplify(merged.outcomes, expected) }).toStrictEqual(expected);
  const files = project.git("ls-tree", "-r", "--name-only", merged.tree).trim().split("\n");
  return { statuses: merged.outcomes.map(({ status }) => status), files };
}

const change = (file: number, line: number, text: number) => ({ kind: "line", file, line, text }) as const;
const tip = (...edits: History["tips"][number]["commits"][number]) => ({ start: 0, commits: [edits] });

describe("merging many tips at once", () => {
  it(
    "gives the tree and the conflicts of as many git merges in the same order",
    { timeout: 180_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const built = buildHistory(project, history);
          const expected = tryMergeByGit(project, built);
          fc.pre(expected !== undefined);
          const merged = await mergeMany(project, built);
          expect({ tree: merged.tree, outcomes: simplify(merged.outcomes, expected) }).toStrictEqual(
            expected,
          );
        }),
        { numRuns: 30 },
      );
    },
  );

  it("takes what is apart, merges what fits and leaves out what conflicts", async () => {
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

  it("sees the rename that two tips make together, where a third one changes the file", async () => {
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

  it("puts new files where their folder went, as git does", async () => {
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

  it("knows tips that build on one another, and those that are in already", async () => {
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
      (await mergeMany(project, { into: built.into, tips: [base, first, first] })).outcomes,
    ).toMatchObject([{ status: "contained" }, { status: "merged" }, { status: "contained" }]);
    expect(await mergeMany(project, { into: built.into, tips: [] })).toMatchObject({
      tree: project.git("rev-parse", `${built.into}^{tree}`).trim(),
      outcomes: [],
    });
  });

  it("makes the commit that a candidate would be, of what was merged alone", async () => {
    const apart = {
      files: 12,
      into: [],
      tips: [tip(change(0, 0, 0)), tip(change(1, 0, 0)), tip(change(0, 0, 1))],
    };
    const together = { files: 12, into: [], tips: [tip(change(0, 0, 0)), tip(change(0, 11, 0))] };
    for (const history of [apart, together]) {
      const { into, tips } = buildHistory(project, history);
      const commit = {
        message: (merged: readonly string[]) => `Merge ${merged.length} — \u00fc\n`,
        timeSeconds: 7,
      };
      const merged = await mergeMany(project, { into, tips, commit });
      const others = tips.slice(0, 2);
      expect(merged.commit).toBe(
        await commitCandidate(project.repository, {
          tree: merged.tree,
          parents: [into, ...others],
          message: commit.message(others),
          timeSeconds: 7,
        }),
      );
      const conflicting = await mergeMany(project, { into: tips[0] ?? "", tips: tips.slice(2), commit });
      expect(conflicting.commit).toBeUndefined();
    }
  });

  it("heeds attributes that one of the tips brings to the next ones", async () => {
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
    const late = await mergeMany(project, { into, tips });
    expect(late.outcomes.map(({ status }) => status)).toStrictEqual(["merged", "merged", "merged"]);
    const early = await mergeMany(project, { into, tips: tips.toReversed() });
    expect(early.outcomes.map(({ status }) => status)).toStrictEqual(["merged", "conflict", "merged"]);
  });

  it("can end in nothing at all", async () => {
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
    const merged = await mergeMany(project, {
      into,
      tips: [empty],
      commit: { message: () => "x\n", timeSeconds: 1 },
    });
    expect(project.git("ls-tree", merged.tree)).toBe("");
    expect(project.git("rev-parse", `${merged.commit ?? ""}^{tree}`).trim()).toBe(merged.tree);
  });
});
