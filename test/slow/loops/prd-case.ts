import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeProject, type Project } from "../../e2e/project.ts";
import type { Random } from "../random.ts";

/** On a busy machine a command that runs several stories takes minutes. */
const COMMAND_TIMEOUT_MS = 15 * 60_000;

/** A project, and a program that writes the file of its story and what it saw of the others. */
export function makePrdProject(): Project {
  const project = makeProject({}, COMMAND_TIMEOUT_MS);
  project.write(
    "../work.sh",
    [
      String.raw`id=$(sed -n 's/.*Write \(P[0-9]*-[a-z]*\).*/\1/p' | head -1)`,
      `ls P*.txt 2>/dev/null | tr '\\n' ' ' > ${dirname(project.root)}/seen-$id`,
      `[ -e ${dirname(project.root)}/fail-$id ] && echo x > other-$id.log || echo $id > $id.txt`,
      `printf '{"status":"completed","summary":"Wrote it.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`,
      "",
    ].join("\n"),
  );
  return project;
}

interface Story {
  readonly id: string;
  readonly priority: number | string;
  readonly rank: number;
  readonly dependencies: readonly string[];
  readonly isFailing: boolean;
}

export interface PrdResult {
  readonly stories: number;
  readonly failed: number;
  readonly skipped: number;
  readonly faults: readonly string[];
}

const words = ["critical", "high", "medium", "low"] as const;

/** One file with random dependencies, priorities and failing stories; everything about its run is compared. */
export async function runPrdCase(project: Project, number: number, random: Random): Promise<PrdResult> {
  const stories = makeStories(number, random);
  const file = `prd-${number}.json`;
  const branchName = random.chance(0.5) ? `feature/prd-${number}` : undefined;
  const userStories = stories.map(({ id, priority, dependencies }) => ({
    id,
    title: `Write ${id}`,
    priority,
    dependencies,
    acceptanceCriteria: [`file ${id}.txt exists`],
  }));
  project.write(file, `${JSON.stringify({ project: "p", branchName, userStories }, null, 2)}\n`);
  for (const { id, isFailing } of stories) if (isFailing) project.write(`../fail-${id}`, "");
  const before = listFiles(project, "main");
  const expected = predictRun(stories);
  const script = join(dirname(project.root), "work.sh");
  const { stdout } = await project.ambit("run", file, "--json", "--", "sh", script);
  const run: Readonly<Record<string, unknown>> = JSON.parse(stdout);
  const faults = compareRun(project, { run, expected, before });
  faults.push(...(await compareEnd(project, { run, expected, before, file, branchName })));
  const failed = expected.filter(({ outcome }) => outcome === "partial").length;
  const skipped = expected.filter(({ outcome }) => outcome === "skipped").length;
  return { stories: stories.length, failed, skipped, faults };
}

function makeStories(number: number, random: Random): readonly Story[] {
  const count = 2 + random.below(4);
  const made: Story[] = [];
  for (let index = 0; index < count; index += 1) {
    const isWord = random.chance(0.4);
    const rank = random.below(4);
    const dependencies = made.filter(() => random.chance(0.35)).map(({ id }) => id);
    made.push({
      id: `P${number}-${"abcdefgh".charAt(index)}`,
      priority: isWord ? (words[rank] ?? "low") : rank,
      rank,
      dependencies,
      isFailing: random.chance(0.25),
    });
  }
  return made.toSorted(() => random.next() - 0.5);
}

interface Expected {
  readonly id: string;
  readonly outcome: "completed" | "partial" | "skipped";
}

/** The same rules, written as simply as possible. */
function predictRun(stories: readonly Story[]): readonly Expected[] {
  const left = [...stories];
  const expected: Expected[] = [];
  const over = new Set<string>();
  while (left.length > 0) {
    const ready = left.filter(({ dependencies }) => dependencies.every((id) => over.has(id)));
    const first = Math.min(...ready.map(({ rank }) => rank));
    const next = ready.find(({ rank }) => rank === first);
    if (next === undefined) throw new Error("a cycle");
    left.splice(left.indexOf(next), 1);
    over.add(next.id);
    const isBlocked = next.dependencies.some(
      (id) => expected.find((one) => one.id === id)?.outcome !== "completed",
    );
    const outcome = next.isFailing ? "partial" : "completed";
    expected.push({ id: next.id, outcome: isBlocked ? "skipped" : outcome });
  }
  return expected;
}

interface Run {
  readonly run: Readonly<Record<string, unknown>>;
  readonly expected: readonly Expected[];
  readonly before: readonly string[];
}

/** The order, the outcomes, and what each worker found in its folder. */
function compareRun(project: Project, { run, expected, before }: Run): string[] {
  const rows: readonly { id: string; outcome: string }[] = JSON.parse(JSON.stringify(run["stories"] ?? []));
  const told = rows.map(({ id, outcome }) => `${id} ${outcome}`).join(", ");
  const wanted = expected.map(({ id, outcome }) => `${id} ${outcome}`).join(", ");
  const faults = told === wanted ? [] : [`ran ${told}, not ${wanted}; ${JSON.stringify(run)}`];
  const proven = [...before];
  for (const { id, outcome } of expected) {
    if (outcome === "skipped") continue;
    const file = join(dirname(project.root), `seen-${id}`);
    const seen = existsSync(file) ? readFileSync(file, "utf8").trim() : "(it did not start)";
    const there = proven.toSorted().join(" ");
    if (seen !== there) faults.push(`${id} started from "${seen}", not "${there}"`);
    if (outcome === "completed") proven.push(`${id}.txt`);
  }
  return faults;
}

/** The file, the branch, and the one merge. */
async function compareEnd(
  project: Project,
  {
    run,
    expected,
    before,
    file,
    branchName,
  }: Run & { readonly file: string; readonly branchName: string | undefined },
): Promise<readonly string[]> {
  const faults: string[] = [];
  const branch = typeof run["branch"] === "string" ? run["branch"] : null;
  const prd: { userStories: { id: string; passes?: boolean }[] } = JSON.parse(
    readFileSync(join(project.root, file), "utf8"),
  );
  const passed = expected.filter(({ outcome }) => outcome === "completed").map(({ id }) => id);
  const marked = prd.userStories.filter(({ passes }) => passes === true).map(({ id }) => id);
  if (marked.toSorted().join() !== passed.toSorted().join()) faults.push(`passes: ${marked.join()}`);
  const last = passed.at(-1);
  if (last === undefined) {
    if (branch !== null) faults.push(`branch ${branch} without work`);
    return faults;
  }
  if (branch !== (branchName ?? `ambit/${last}`)) faults.push(`branch ${branch}`);
  if (run["merge"] !== last) faults.push(`merge ${JSON.stringify(run["merge"])}, not ${last}`);
  const whole = [...before, ...passed.map((id) => `${id}.txt`)].toSorted().join();
  if (listFiles(project, branch ?? "main").join() !== whole) faults.push("the branch has other files");
  const merged = await project.ambit("merge", last, "--yes");
  if (merged.status !== 0) faults.push(`merge: ${merged.stderr}`);
  if (listFiles(project, "main").join() !== whole) faults.push("main has other files after the merge");
  return faults;
}

function listFiles(project: Project, branch: string): readonly string[] {
  const names = project.git("ls-tree", "--name-only", branch).trim().split("\n");
  return names.filter((name) => /^P\d+-[a-z]\.txt$/.test(name)).toSorted();
}
