import { join } from "node:path";
import { readRefCommit } from "../git/read-head.ts";
import type { Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { readSettings } from "../git/settings.ts";
import type { MergeIntent } from "./intent.ts";
import { type MergeRefusal, refuseMerge } from "./refusal.ts";
import type { UndoRecord } from "./undo-record.ts";

/** Moves the ref by compare-and-swap, with a line in its log; undefined on success. */
export async function moveUserBranch(
  repository: Repository,
  intent: MergeIntent,
): Promise<MergeRefusal | undefined> {
  const { branch, from, to } = intent;
  const settings = await readSettings(repository);
  const { exitCode, stderr } = await runGit({
    // The git directory of the checkout, whose own log records its HEAD.
    place: { searchPath: repository.host.searchPath, gitDirectory: repository.gitDirectory },
    arguments: ["update-ref", "-m", formatLogLine(intent), branch, to, from],
    environment: {
      GIT_COMMITTER_NAME: settings.userName || "ambit",
      GIT_COMMITTER_EMAIL: settings.userEmail || "ambit@localhost",
    },
    accept: [1, 128],
  });
  if (exitCode === 0) return undefined;
  const now = await readRefCommit(repository, branch);
  if (now === to) return undefined;
  if (now !== from) return refuseMovedBranch(branch);
  return refuseMerge("ref-locked", {
    message: `Git refused to move ${branch}: ${stderr.trim()}`,
    recommendation: `If no git command runs, remove ${join(repository.commonDirectory, `${branch}.lock`)}`,
  });
}

/** Trying again would never help: what came later is the person's, so git has to take the merge out of it. */
export function refuseLateUndo({ branch, from, to, way }: UndoRecord): MergeRefusal {
  const [first, last] = [from.slice(0, 12), to.slice(0, 12)];
  const commits = { "fast-forward": `${first}..${last}`, "merge-commit": `-m 1 ${last}`, squash: last }[way];
  return refuseMerge("branch-moved", {
    message: `${branch.replace("refs/heads/", "")} has moved since this merge`,
    recommendation: `Nothing was changed. Take the merge back with a new commit: git revert ${commits}`,
  });
}

function refuseMovedBranch(branch: string): MergeRefusal {
  return refuseMerge("branch-moved", {
    message: `${branch} has moved in the meantime`,
    recommendation: "Nothing was changed. Look at it, then try again.",
  });
}

function formatLogLine({ story, direction, way }: MergeIntent): string {
  return direction === "undo" ? `ambit merge --undo ${story}` : `ambit merge ${story}: ${way}`;
}
