import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { journalEventSchema, type JournalEvent } from "../../../src/contract/journal-event.ts";
import { openReader } from "../../../src/journal/open-reader.ts";
import { storeFile } from "../../../src/journal/store-file.ts";
import { verifyJournal } from "../../../src/journal/verify-journal.ts";
import { describeOrphan, findLeftovers } from "../../../src/orchestrator/find-leftovers.ts";
import { openRepository } from "../../../src/workspace/repository.ts";
import { STORY } from "./make-story.ts";

/** Everything that must be true once a story has ended, however often its runtime was killed. Answers what is not. */
export async function findFaults(root: string, before: string): Promise<readonly string[]> {
  const faults: string[] = [];
  const verdict = verifyJournal(storeFile(root));
  if (verdict.firstBad !== undefined) faults.push(`chain broken at ${verdict.firstBad.seq}`);
  if (verdict.differingProjections.length > 0)
    faults.push(`projections differ: ${verdict.differingProjections.join()}`);
  const events = await readEvents(root);
  faults.push(...judgeEvents(events), ...judgeBranch(root, events));
  if (userState(root) !== before) faults.push("the user's files, index, refs or configuration changed");
  faults.push(...(await findOrphans(root)), ...findProcesses(events));
  return faults;
}

function judgeEvents(events: readonly JournalEvent[]): readonly string[] {
  const faults: string[] = [];
  const ids = new Set(events.flatMap(({ delegation }) => (delegation === null ? [] : [delegation])));
  for (const id of ids) {
    const own = events.filter((event) => event.delegation === id);
    const count = (type: JournalEvent["type"]): number => own.filter((event) => event.type === type).length;
    if (count("delegation-closed") !== 1) faults.push(`${id} has ${count("delegation-closed")} ends`);
    if (count("delegation-merged") > 1) faults.push(`${id} was merged ${count("delegation-merged")} times`);
    const closedAt = own.findIndex(({ type }) => type === "delegation-closed");
    const after = own
      .slice(closedAt + 1)
      .filter(({ type }) => type !== "workspace-removed" && type !== "note-added");
    if (after.length > 0) faults.push(`${id}: ${after.map(({ type }) => type).join()} after its end`);
    const closed = own[closedAt];
    if (closed?.type === "delegation-closed" && closed.data.outcome !== "completed")
      faults.push(`${id} ended ${closed.data.outcome} (${closed.data.code ?? ""}): ${closed.data.summary}`);
  }
  return faults;
}

/** The story branch has the work of every worker exactly once, and only commits that were announced as proven. */
function judgeBranch(root: string, events: readonly JournalEvent[]): readonly string[] {
  const git = (...words: string[]): string =>
    execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
  const branch = `refs/heads/ambit/${STORY}`;
  const faults: string[] = [];
  for (const path of ["one.txt", "two.txt", "deep.txt", "plan.txt"]) {
    try {
      git("cat-file", "-e", `${branch}:${path}`);
    } catch {
      faults.push(`${path} is not on the story branch`);
    }
  }
  if (faults.length > 0) return faults;
  const list = git("show", `${branch}:list.txt`).split("\n").toSorted().join();
  if (list !== "mine,one,two,zero") faults.push(`list.txt holds ${list}`);
  const proven = new Set(
    events.flatMap((event) => (event.type === "delegation-merged" ? [event.data.commit] : [])),
  );
  const moves = git("log", "-g", "--format=%H", branch, "--")
    .split("\n")
    .filter((line) => line !== "");
  if (moves.length === 0) faults.push("the branch has no log to be judged by");
  for (const commit of moves)
    if (!proven.has(commit)) faults.push(`the branch was at ${commit}, which no check proved`);
  return faults;
}

async function readEvents(root: string): Promise<readonly JournalEvent[]> {
  const reader = openReader(storeFile(root));
  const page = await reader?.eventsAfter(0, 100_000);
  await reader?.close();
  return page?.events.map(({ body }) => journalEventSchema.parse(JSON.parse(body))) ?? [];
}

async function findOrphans(root: string): Promise<readonly string[]> {
  const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home: root });
  const reader = openReader(storeFile(root));
  const orphans = await findLeftovers({ repository, stateDirectory: join(root, ".git/ambit") }, reader);
  await reader?.close();
  return orphans.map((orphan) => `left behind: ${describeOrphan(orphan)}`);
}

function findProcesses(events: readonly JournalEvent[]): readonly string[] {
  const marks = new Set(
    events.flatMap((event) => (event.type === "attempt-started" ? [event.data.executionId] : [])),
  );
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const environment = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      const mark = environment
        .find((line) => line.startsWith("AMBIT_RUN_ID="))
        ?.slice("AMBIT_RUN_ID=".length);
      return mark !== undefined && marks.has(mark.replace(/-check-\d+$/, ""))
        ? [`process ${name} of ${mark} still runs`]
        : [];
    } catch {
      // Gone, or not ours to read.
      return [];
    }
  });
}

/** Files, index, refs but ours, stash and configuration, as one text. */
export function userState(root: string): string {
  const git = (...words: string[]): string => execFileSync("git", words, { cwd: root, encoding: "utf8" });
  const refs = git("for-each-ref")
    .split("\n")
    .filter((line) => !/refs\/(?:ambit|heads\/(?:ambit|delegation))\//.test(line));
  const files = ["list.txt", "untracked.txt", "ambit.yaml", ".git/config", ".git/HEAD"].map((path) =>
    readFileSync(join(root, path), "utf8"),
  );
  return JSON.stringify([
    refs,
    files,
    git("status", "--porcelain=v2"),
    readFileSync(join(root, ".git/index")).toString("base64"),
  ]);
}
