import { withPrivateGit } from "./git/private-directory.ts";
import { readCheckoutHead } from "./git/read-head.ts";
import type { Repository } from "./git/repository.ts";
import { runGit } from "./git/run-git.ts";

export interface LineDatesQuestion {
  readonly repository: Repository;
  readonly stateDirectory: string;
  /** The path relative to the checkout, with `/`. */
  readonly path: string;
  /** The file's current content. The answer is about this text, even if the file changes in the meantime. */
  readonly text: string;
}

const TIMEOUT_MS = 30_000;
/** Git's exit code for a path that HEAD does not have; then every line is new. */
const NO_SUCH_PATH = 128;

/**
 * Returns the commit time of each line of a file in ISO format; null for a line that is in no commit. The list is
 * empty if the file has no history yet. Changes nothing and starts no filter.
 */
export async function readLineDates(question: LineDatesQuestion): Promise<readonly (string | null)[]> {
  const { repository, stateDirectory, path, text } = question;
  const { commit } = await readCheckoutHead(repository, repository.gitDirectory);
  if (commit === undefined) return [];
  const answer = await withPrivateGit(
    { repository, stateDirectory, workTree: repository.workTree, head: commit },
    ({ place }) =>
      runGit({
        place,
        arguments: ["blame", "--porcelain", "--no-textconv", "--contents", "-", "--", path],
        stdin: text,
        accept: [NO_SUCH_PATH],
        timeoutMs: TIMEOUT_MS,
      }),
  );
  return answer.exitCode === 0 ? parsePorcelain(answer.stdout.toString("latin1")) : [];
}

/**
 * Each entry is `<commit> <old line> <new line> [<count>]`, then headers at the commit's first line, then TAB and the
 * text.
 */
function parsePorcelain(output: string): readonly (string | null)[] {
  const dates: (string | null)[] = [];
  const known = new Map<string, string>();
  let commit = "";
  let isEntry = true;
  for (const line of output.split("\n")) {
    if (isEntry) commit = line.slice(0, line.indexOf(" "));
    else if (line.startsWith("committer-time ")) known.set(commit, formatIsoTime(line.slice(COMMITTER_TIME)));
    isEntry = line.startsWith("\t");
    if (isEntry) dates.push(isUncommitted(commit) ? null : (known.get(commit) ?? null));
  }
  return dates;
}

const COMMITTER_TIME = "committer-time ".length;

function formatIsoTime(seconds: string): string {
  return new Date(Number(seconds) * 1000).toISOString();
}

/** Git gives uncommitted lines a commit of zeros, with the present as its time. */
function isUncommitted(commit: string): boolean {
  return !/[1-9a-f]/.test(commit);
}
