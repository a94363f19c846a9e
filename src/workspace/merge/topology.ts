import { runGit } from "../git.ts";
import { refPlace, type Repository } from "../repository.ts";

/** How one tip stands to the commit it is to be merged into. */
export type TipPlace =
  /** All of it is there already. */
  | { readonly kind: "contained" }
  /** Its own commits are nobody else's and all stand on one commit of the target: the merge base, whatever else is merged. */
  | { readonly kind: "simple"; readonly base: string }
  | { readonly kind: "complex" };

/** Reads the commits that are not yet in `into`, by one git for all tips. */
export async function readTopology(
  repository: Repository,
  into: string,
  tips: readonly string[],
): Promise<readonly TipPlace[]> {
  const { stdout } = await runGit({
    place: refPlace(repository),
    arguments: ["rev-list", "--parents", "--stdin"],
    stdin: [`^${into}`, ...tips].map((word) => `${word}\n`).join(""),
  });
  return placeTips(parseParents(stdout.toString("latin1")), tips);
}

type Parents = ReadonlyMap<string, readonly string[]>;

/** `<commit> <parent>…` per line. */
function parseParents(text: string): Parents {
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [commit = "", ...parents] = line.split(" ");
      return [commit, parents];
    }),
  );
}

function placeTips(fresh: Parents, tips: readonly string[]): readonly TipPlace[] {
  const walks = tips.map((tip) => walk(fresh, tip));
  const uses = new Map<string, number>();
  for (const { commits } of walks)
    for (const commit of commits) uses.set(commit, (uses.get(commit) ?? 0) + 1);
  return walks.map(({ commits, boundary }) => {
    if (commits.size === 0) return { kind: "contained" };
    const [base, ...others] = boundary;
    const isAlone = [...commits].every((commit) => uses.get(commit) === 1);
    if (!isAlone || base === undefined || others.length > 0) return { kind: "complex" };
    return { kind: "simple", base };
  });
}

interface Walk {
  readonly commits: ReadonlySet<string>;
  /** Commits of the target that it stands on. */
  readonly boundary: ReadonlySet<string>;
}

function walk(fresh: Parents, tip: string): Walk {
  const commits = new Set<string>();
  const boundary = new Set<string>();
  const waiting = [tip];
  for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
    const parents = fresh.get(commit);
    if (parents === undefined) boundary.add(commit);
    else if (!commits.has(commit)) {
      commits.add(commit);
      waiting.push(...parents);
    }
  }
  return { commits, boundary };
}
