import { describe, expect, it } from "vitest";
import { isAncestor, recordParents } from "../../src/workspace/git/ancestry.ts";
import { ObjectFacts } from "../../src/workspace/git/object-facts.ts";
import { changeRefs } from "../../src/workspace/git/refs.ts";
import { closeRefSession } from "../../src/workspace/git/ref-sessions.ts";
import { readRefCommit } from "../../src/workspace/git/read-head.ts";
import { makeRepository } from "./temporary-repository.ts";

async function open() {
  const temporary = await makeRepository();
  const commit = (...parents: string[]): string =>
    temporary
      .git(
        "commit-tree",
        ...parents.flatMap((parent) => ["-p", parent]),
        "-m",
        String(Math.random()),
        "HEAD^{tree}",
      )
      .trim();
  return { temporary, repository: temporary.repository, commit };
}

function isAncestorForGit(
  { git }: { git: (...words: string[]) => string },
  pair: readonly [string, string],
): boolean {
  try {
    git("merge-base", "--is-ancestor", ...pair);
    return true;
  } catch {
    // Exit code 1 is git's no.
    return false;
  }
}

describe("ancestry", () => {
  it("matches git's answer for every pair of a history with branches and merges", async () => {
    const { temporary, repository, commit } = await open();
    const root = commit();
    const [left, right] = [commit(root), commit(root)];
    const merge = commit(left, right);
    // Half of it is known beforehand, as if we had made it.
    recordParents(repository, merge, [left, right]);
    recordParents(repository, left, [root]);
    const all = [root, left, right, merge, commit(merge), commit()];
    for (const ancestor of all)
      for (const descendant of all) {
        const said = isAncestorForGit(temporary, [ancestor, descendant]);
        expect(await isAncestor(repository, ancestor, descendant)).toBe(said);
      }
    temporary.remove();
  });
});

describe("facts about objects", () => {
  const ids = ["a".repeat(40), "b".repeat(40)];

  it("are requested once, and again after the oldest were forgotten", async () => {
    const { temporary, repository } = await open();
    const facts = new ObjectFacts<number>(2);
    let asked = 0;
    const ask = (): Promise<number> => Promise.resolve((asked += 1));
    expect([await facts.askOnce(repository, ids, ask), await facts.askOnce(repository, ids, ask)]).toEqual([
      1, 1,
    ]);
    for (const digit of "123") await facts.askOnce(repository, [digit.repeat(40)], ask);
    expect(await facts.askOnce(repository, ids, ask)).toBe(5);
    temporary.remove();
  });

  it("are not kept for names, or if the request failed", async () => {
    const { temporary, repository } = await open();
    const facts = new ObjectFacts<number>(10);
    let asked = 0;
    const ask = (): Promise<number> => Promise.resolve((asked += 1));
    await facts.askOnce(repository, ["HEAD"], ask);
    expect(await facts.askOnce(repository, ["HEAD"], ask)).toBe(2);
    await expect(facts.askOnce(repository, ids, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await facts.askOnce(repository, ids, ask)).toBe(3);
    temporary.remove();
  });
});

describe("ref changes", () => {
  it("hold if the waiting git died in between, and refuse unexpected values", async () => {
    const { temporary, repository, commit } = await open();
    const [one, two] = [commit(), commit()];
    const ref = "refs/ambit/work/X";
    await changeRefs(repository, [{ ref, to: one }]);
    closeRefSession(repository);
    await changeRefs(repository, [{ ref, to: two, from: one }]);
    expect(await readRefCommit(repository, ref)).toBe(two);
    await expect(changeRefs(repository, [{ ref, to: one, from: one }])).rejects.toMatchObject({
      code: "REF_CHANGE_REFUSED",
    });
    // All or nothing: the first of these alone would be possible.
    const both = [
      { ref: "refs/ambit/work/Y", to: one },
      { ref, to: one, from: one },
    ];
    await expect(changeRefs(repository, both)).rejects.toMatchObject({ code: "REF_CHANGE_REFUSED" });
    expect(await readRefCommit(repository, "refs/ambit/work/Y")).toBeUndefined();
    await changeRefs(repository, [{ ref, to: undefined }]);
    expect(await readRefCommit(repository, ref)).toBeUndefined();
    closeRefSession(repository);
    temporary.remove();
  });
});
