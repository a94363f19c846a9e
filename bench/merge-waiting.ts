import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type BenchManager, MANAGER, RETURN, withManager } from "./bench-manager.ts";
import type { Result } from "./measure.ts";
import { mergeOneByOne } from "./merge-workers.ts";

/** Each worker writes a file of its own. */
const NAME = `edited-$(printf %s "$AMBIT_RETURN_FILE$AMBIT_RETURN_METADATA" | cksum | cut -d ' ' -f 1).txt`;
const agents = { edit: `echo "$AMBIT_RETURN_METADATA" > "${NAME}"; ${RETURN}` };
const MIN_TIMES = 20;

interface Waiting {
  readonly files: number;
  readonly workers: number;
  readonly checkSeconds: number;
}

/**
 * From the first return of many workers to the last merge, with a check that each of them needs, as `ambit run` does it.
 * One by one, the same work is merged with `git merge`, and the check runs after each merge.
 */
export async function mergeWaiting(waiting: Waiting): Promise<Result> {
  const { files, workers, checkSeconds } = waiting;
  const { ours, git, groups } = await withManager({ files, slots: 10, agents }, (manager) =>
    compare(manager, waiting),
  );
  const theirs = git + workers * checkSeconds * 1000;
  const times = theirs / ours;
  return {
    what: `${workers} workers that wait with a check of ${checkSeconds} s, ${files} files: git merge and check one by one / Ambit`,
    value: `${theirs.toFixed(0)} ms (${git.toFixed(0)} of them merging) / ${ours.toFixed(0)} ms in ${groups} checks, ${times.toFixed(1)}×, same tree`,
    goal: `≥ ${MIN_TIMES}×`,
    met: times >= MIN_TIMES,
  };
}

interface Compared {
  readonly ours: number;
  readonly git: number;
  /** How often the check ran on a candidate. */
  readonly groups: number;
}

async function compare({ bench, runtime }: BenchManager, waiting: Waiting): Promise<Compared> {
  const { engine } = runtime;
  let [first, last] = [0, 0];
  const checks = new Set<string>();
  const leave = engine.tools.store.onEvent(({ type, delegation, data }) => {
    if (type === "delegation-returned" && first === 0) first = performance.now();
    if (type === "delegation-merged") last = performance.now();
    if (type === "check-started" && data.on !== "base") checks.add((data.together ?? [delegation]).join(" "));
  });
  const accept = [`\`sleep ${waiting.checkSeconds}\` exits with code 0`];
  const tasks = Array.from({ length: waiting.workers }, (_, index) => ({
    description: `Part ${index}`,
    agent: "edit",
    accept,
  }));
  const admitted = await engine.delegate({ id: MANAGER, attempt: 1 }, { tasks });
  const ids = admitted.flatMap((one) => (one.admitted ? [one.delegation.id] : []));
  const ended = await Promise.all(ids.map((id) => engine.whenEnded(id)));
  leave();
  const failed = ended.find(({ outcome }) => outcome !== "completed");
  if (ids.length < waiting.workers || failed !== undefined)
    throw new Error(`not all were merged: ${failed?.summary ?? JSON.stringify(admitted)}`);
  const tips = ids.map((id) => bench.git("rev-parse", `refs/ambit/work/${id}`).trim());
  const checkout = join(bench.folder, "merging-waiting");
  execFileSync("git", ["worktree", "add", "-q", "--detach", checkout, bench.head], { cwd: bench.root });
  const theirs = mergeOneByOne(checkout, bench, { tips });
  const tree = bench.git("rev-parse", `ambit/${MANAGER}^{tree}`).trim();
  if (theirs.tree !== tree) throw new Error(`not the tree that git merge gives: ${tree}, ${theirs.tree}`);
  return { ours: last - first, git: theirs.ms, groups: checks.size };
}
