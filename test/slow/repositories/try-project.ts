import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { countTests } from "./count-tests.ts";
import { makeCheckout, type Checkout } from "./make-checkout.ts";
import type { RealProject } from "./real-project.ts";

/** What was seen of one project. Everything that is not as it must be is a fault, in a sentence. */
export interface Trial {
  readonly project: RealProject;
  readonly home: number | null;
  readonly workspace: number | null;
  readonly again: number | null;
  readonly broken: string;
  readonly nothing: string;
  readonly seconds: number;
  readonly faults: readonly string[];
}

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  /** Both streams. */
  readonly output: string;
}

const cli = resolve("dist/cli/main.cjs");
const MAX_RUN_MS = 180_000;

/** Runs the project's own command at home, in a workspace, below a breaking and an idle worker, and at home again. */
export async function tryProject(project: RealProject, folder: string): Promise<Trial> {
  const start = performance.now();
  const checkout = await makeCheckout(project, folder);
  const atHome = () => run(["sh", "-c", project.command], checkout);
  try {
    const home = await atHome();
    const before = await describeCheckout(checkout);
    const edited = await delegate(checkout, project, { id: "EDIT", work: "echo Edited. > edited.txt" });
    const idle = await delegate(checkout, project, { id: "IDLE", work: "true" });
    const broken = await delegate(checkout, project, { id: "BREAK", work: project.breaks });
    const again = await atHome();
    const after = await describeCheckout(checkout);
    const count = (output: string): number => countTests(project.runner, output);
    return {
      project,
      home: home.status === 0 ? count(home.output) : null,
      workspace: edited.meaning === "no-regression" ? count(edited.log) : null,
      again: again.status === 0 ? count(again.output) : null,
      broken: broken.meaning,
      nothing: idle.meaning,
      seconds: (performance.now() - start) / 1000,
      faults: [
        ...(home.status === 0 ? [] : [`is red at home: ${tail(home.output)}`]),
        ...(count(home.output) > 0 ? [] : [`ran no test at home: ${tail(home.output)}`]),
        ...listFaults("a harmless edit", edited, { status: 0, meaning: "no-regression" }),
        ...listFaults("a worker that does nothing", idle, { status: 0, meaning: "proves-nothing" }),
        ...(/prove[sn]? nothing/.test(idle.output)
          ? []
          : [`a worker that does nothing: run says ${tail(idle.output)}`]),
        ...listFaults("a worker that breaks it", broken, { status: 3, meaning: "broken" }),
        ...compareCounts("in a workspace", count(home.output), count(edited.log)),
        ...(again.status === 0 ? [] : [`is red at home afterwards: ${tail(again.output)}`]),
        ...compareCounts("at home afterwards", count(home.output), count(again.output)),
        ...(before === after ? [] : [`the checkout differs afterwards: ${before} before, now ${after}`]),
      ],
    };
  } finally {
    await run([process.execPath, cli, "supervisor", "stop"], checkout);
  }
}

interface Delegated extends Run {
  readonly meaning: string;
  /** What the check wrote. */
  readonly log: string;
}

const verified = z.object({
  criteria: z.tuple([
    z.object({ verdict: z.string(), meaning: z.string().optional(), evidence: z.string() }),
  ]),
});

/** A story whose worker is a shell line and whose check is the project's own command. */
async function delegate(
  checkout: Checkout,
  project: RealProject,
  { id, work }: { readonly id: string; readonly work: string },
): Promise<Delegated> {
  const ambit = [process.execPath, cli];
  const words = ["run", `Try ${id}`, "--id", id, "--check", project.command, "--", "sh", "-c", work];
  const ran = await run([...ambit, ...words], checkout);
  const told = await run([...ambit, "verify", id, "--json"], checkout);
  const parsed = verified.safeParse(parseJson(told.stdout));
  const [criterion] = parsed.data?.criteria ?? [];
  return {
    ...ran,
    meaning: criterion?.meaning ?? criterion?.verdict ?? "none",
    log: readChecks(checkout.root, id),
  };
}

function parseJson(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    // The text of an error; the caller reports the meaning that is missing.
    return undefined;
  }
}

function readChecks(root: string, id: string): string {
  const attempt = join(root, ".git/ambit/logs", id, "attempt-1");
  const files = readdirSync(attempt, { recursive: true, encoding: "utf8" });
  return files
    .filter((path) => /^checks\/.*\/std(?:out|err)$/.test(path))
    .map((path) => readFileSync(join(attempt, path), "utf8"))
    .join("\n");
}

/** Everything git knows of the person's files, and the names of all others. */
async function describeCheckout(checkout: Checkout): Promise<string> {
  const line =
    "git rev-parse HEAD; git branch --show-current; git stash list; git status --porcelain=v2 -uall";
  return JSON.stringify([
    (await run(["sh", "-c", line], checkout)).output,
    readdirSync(checkout.root).toSorted(),
  ]);
}

function listFaults(
  what: string,
  ended: Delegated,
  expected: { readonly status: number; readonly meaning: string },
): readonly string[] {
  if (ended.status === expected.status && ended.meaning === expected.meaning) return [];
  const wanted = `instead of exit ${expected.status}, ${expected.meaning}`;
  return [`${what}: exit ${ended.status}, ${ended.meaning} ${wanted}: ${tail(ended.output)}`];
}

function compareCounts(where: string, home: number, found: number): readonly string[] {
  return home === found ? [] : [`${where} it runs ${found} tests, not ${home}`];
}

function tail(output: string): string {
  return output.trim().split("\n").slice(-12).join("\n    ");
}

async function run([file = "", ...words]: readonly string[], { root, environment }: Checkout): Promise<Run> {
  const child = spawn(file, words, {
    cwd: root,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: MAX_RUN_MS,
  });
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { status: child.exitCode, stdout, output: `${stdout}\n${stderr}` };
}
