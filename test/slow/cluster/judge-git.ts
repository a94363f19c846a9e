import { execFileSync } from "node:child_process";
import type { JournalEvent } from "../../../src/contract/journal-event.ts";
import { PARTS } from "./make-project.ts";
import { idsOf, type RunFacts } from "./run-facts.ts";

const MAX_OUTPUT = 2 ** 28;
/** More of one kind say nothing new. */
const MAX_NAMED = 3;

/** Merged work is in its branch, pushed work is reachable, and nothing but Ambit's refs was touched anywhere. */
export function judgeGit(facts: RunFacts): readonly string[] {
  return [
    ...judgeBranches(facts),
    ...judgeTips(facts),
    ...judgeRefs(facts.root, /^refs\/(ambit\/|heads\/(main$|ambit\/|delegation\/))/),
    ...facts.clones.flatMap((clone) => judgeRefs(clone, /^refs\/(ambit\/|heads\/main$|remotes\/origin\/)/)),
    ...[facts.root, ...facts.clones].flatMap(judgeCheckout),
    ...judgeHub(facts.hub),
  ];
}

function judgeBranches({ events, root }: RunFacts): readonly string[] {
  return idsOf(events, ["story-opened"]).flatMap((story) => {
    const names = tryGit(root, "ls-tree", "--name-only", `ambit/${story}`, "parts/") ?? "";
    const missing = PARTS - listLines(names).length;
    return missing === 0 ? [] : [`${story}: ${missing} parts are not in its branch`];
  });
}

/** Whatever the journal names as kept was pushed before, also by attempts that were lost later. */
function judgeTips({ events, root }: RunFacts): readonly string[] {
  const reachable = new Set(listLines(git(root, "rev-list", "--all")));
  const kept = events.filter((event): event is Extract<JournalEvent, { type: "work-kept" }> => {
    return event.type === "work-kept";
  });
  return kept
    .filter(({ data }) => !reachable.has(data.tip))
    .map(({ delegation, data }) => `${delegation}: its commit ${data.tip} is not here`);
}

function judgeRefs(folder: string, ours: RegExp): readonly string[] {
  return listRefs(folder)
    .filter((ref) => !ours.test(ref))
    .map((ref) => `the ref ${ref} in ${folder} is not ours`);
}

/** A person's files and branch. */
function judgeCheckout(folder: string): readonly string[] {
  const changed = listLines(git(folder, "status", "--porcelain"));
  const commits = git(folder, "rev-list", "--count", "main").trim();
  return [
    ...(changed.length === 0 ? [] : [`${changed.length} files of the checkout ${folder} were touched`]),
    ...(commits === "1" ? [] : [`the branch main of ${folder} has ${commits} commits`]),
  ];
}

function judgeHub(hub: string): readonly string[] {
  return listRefs(hub)
    .filter((ref) => ref !== "refs/ambit/project")
    .slice(0, MAX_NAMED)
    .map((ref) => `the hub still keeps ${ref}`);
}

function listRefs(folder: string): readonly string[] {
  return listLines(git(folder, "for-each-ref", "--format=%(refname)"));
}

function listLines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

function git(folder: string, ...words: string[]): string {
  return execFileSync("git", words, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT,
    stdio: "pipe",
  });
}

function tryGit(folder: string, ...words: string[]): string | undefined {
  try {
    return git(folder, ...words);
  } catch {
    return undefined;
  }
}
