import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Project } from "../../e2e/project.ts";
import { commitAll, makeTaskProject, statusOf } from "../../e2e/workflow-project.ts";
import type { Random } from "../random.ts";

/** On a busy machine a command that runs several workers takes minutes. */
const COMMAND_TIMEOUT_MS = 15 * 60_000;

/** A project with one task for each case, and an executor that does what the case wants. */
export function makePlanProject(count: number): Project {
  const tasks = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    name: `case_${index + 1}`,
    status: "planned",
  }));
  const project = makeTaskProject(tasks, "specs", COMMAND_TIMEOUT_MS);
  const outside = dirname(project.root);
  project.write(
    "../work.sh",
    [
      "prompt=$(cat)",
      String.raw`task=$(printf '%s\n' "$prompt" | sed -n 's/^# Task: \([0-9]*\),.*/\1/p' | head -1)`,
      String.raw`phase=$(printf '%s\n' "$prompt" | sed -n 's/^Your work is phase \([0-9]*\).*/\1/p' | tail -1)`,
      `cd "$PWD"; name=$task-$phase; echo "$phase" >> ${outside}/starts-$task`,
      // A liar: it claims every phase.
      "sed -i 's/NOT STARTED/COMPLETED/' specs/*_case_$task/plans/*.md",
      `for turn in 1 2 3; do if [ -e ${outside}/hang-$name-$turn ]; then rm ${outside}/hang-$name-$turn; echo half >> case-$name.txt; sleep 600; fi; done`,
      "echo done >> case-$name.txt",
      `printf '{"status":"completed","summary":"Did it.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`,
      "",
    ].join("\n"),
  );
  project.write(
    ".ambit/agents/task-executor.md",
    `---\nadapter: command\ncommand: [sh, ${outside}/work.sh]\n---\nYou are the executor.\n`,
  );
  commitAll(project);
  return project;
}

export interface PlanResult {
  readonly phases: number;
  readonly timeouts: number;
  readonly runs: number;
  /** Empty when everything is as it must be. */
  readonly faults: readonly string[];
}

interface PlanChoice {
  readonly random: Random;
  /** For each phase: on a loaded machine a worker needs some of it to start. */
  readonly timeoutSeconds: number;
}

/** One plan with timeouts at random phases: run it again and again until it is completed, then merge it. */
export async function runPlanCase(
  project: Project,
  task: number,
  { random, timeoutSeconds }: PlanChoice,
): Promise<PlanResult> {
  const phases = 1 + random.below(5);
  const plan = `specs/${task}_case_${task}/plans/implementation-001.md`;
  const headings = Array.from(
    { length: phases },
    (_, index) => `### Phase ${index + 1}: P${index + 1} [NOT STARTED]\n`,
  );
  project.write(plan, `# Plan\n\n${headings.join("\n")}`);
  const isCommitted = random.below(2) === 0;
  if (isCommitted) {
    project.git("add", plan);
    project.git("commit", "--quiet", "-m", `plan ${task}`);
  }
  const hangs = Array.from({ length: phases }, () => (random.below(3) === 0 ? 1 + random.below(2) : 0));
  for (const [index, count] of hangs.entries())
    for (let turn = 1; turn <= count; turn += 1) project.write(`../hang-${task}-${index + 1}-${turn}`, "");
  const faults: string[] = [];
  const expected = hangs.reduce((sum, count) => sum + count, 0) + 1;
  let runs = 0;
  let timeouts = 0;
  let story = "";
  while (runs < expected + MAX_SPURIOUS && statusOf(task, (path) => read(project, path)) !== "completed") {
    if (runs > 0) editMeanwhile(project, plan, random);
    runs += 1;
    const run = await project.json("implement", String(task), "--timeout", String(timeoutSeconds));
    story = typeof run["story"] === "string" ? run["story"] : "";
    if (run["outcome"] === "timed_out") timeouts += 1;
    else if (run["outcome"] !== "completed") faults.push(`run ${runs} ended ${JSON.stringify(run)}`);
  }
  faults.push(...checkStarts(project, { task, phases, hangs, timeouts }));
  if (runs !== timeouts + 1) faults.push(`${runs} runs for ${timeouts} timeouts`);
  const merged = await project.ambit("merge", story, "--yes");
  if (merged.status !== 0) faults.push(`merge: ${merged.stderr}`);
  faults.push(...checkMerged(project, { task, phases, plan }));
  // What the person has left is committed, so that the next case starts clean.
  commitAll(project);
  return { phases, timeouts, runs, faults };
}

/** A loaded machine may let other phases time out too. */
const MAX_SPURIOUS = 4;

interface Case {
  readonly task: number;
  readonly phases: number;
}

/** Each phase starts once, and once more for each timeout; none starts again after a later one has started. */
function checkStarts(
  project: Project,
  { task, phases, hangs, timeouts }: Case & { readonly hangs: readonly number[]; readonly timeouts: number },
): readonly string[] {
  if (!existsSync(join(dirname(project.root), `starts-${task}`)))
    return [`no phase started, ${timeouts} timeouts`];
  const starts = read(project, `../starts-${task}`).trim().split("\n").map(Number);
  const faults = starts.some((phase, index) => phase < (starts[index - 1] ?? 0))
    ? [`order ${starts.join(" ")}`]
    : [];
  if (starts.length !== phases + timeouts)
    faults.push(`${starts.length} starts for ${phases} phases, ${timeouts} timeouts`);
  const planned = hangs.reduce((sum, count) => sum + count, 0);
  if (timeouts < planned) faults.push(`${timeouts} timeouts, not ${planned}`);
  return faults;
}

function checkMerged(
  project: Project,
  { task, phases, plan }: Case & { readonly plan: string },
): readonly string[] {
  const faults: string[] = [];
  for (let phase = 1; phase <= phases; phase += 1) {
    const text = project.git("show", `main:case-${task}-${phase}.txt`);
    if (text.split("\n").filter((line) => line === "done").length !== 1)
      faults.push(`phase ${phase}: ${text}`);
  }
  const open = read(project, plan).match(/NOT STARTED/g) ?? [];
  if (open.length > 0) faults.push(`the plan has ${open.length} open phases:\n${read(project, plan)}`);
  if (existsSync(join(project.root, ".git/MERGE_HEAD"))) faults.push("a merge is open");
  rmSync(join(dirname(project.root), `starts-${task}`), { force: true });
  return faults;
}

/** What a person does between two runs. */
function editMeanwhile(project: Project, plan: string, random: Random): void {
  const what = random.below(4);
  if (what === 0) project.write("a.txt", `mine ${random.below(1000)}\n`);
  if (what === 1) project.write(plan, `${read(project, plan)}\nA note.\n`);
  if (what === 2) {
    project.write("b.txt", `${random.below(1000)}\n`);
    project.git("add", "b.txt");
    project.git("commit", "--quiet", "--allow-empty", "-m", "meanwhile");
  }
}

function read(project: Project, path: string): string {
  return readFileSync(join(project.root, path), "utf8");
}
