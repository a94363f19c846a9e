import { writeFileSync } from "node:fs";
import * as z from "zod";
import { readErrorMessage } from "../../base/delegation-error.ts";
import { depthOfId } from "../../contract/child-id.ts";
import { callAsWorker } from "../../supervisor/worker-client.ts";
import { buildPlanner, readProposal, removeProposal, splitSchema, type Split } from "./propose-parts.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const planSchema = z.union([
  z.object({ tasks: z.array(z.record(z.string(), z.unknown())).min(1) }),
  z.object({ split: splitSchema }),
]);

const answerSchema = z.object({
  tasks: z.array(z.looseObject({ admitted: z.boolean(), explanation: z.string().optional() })),
});

const statusSchema = z.object({
  workers: z.array(
    z.looseObject({
      delegation_id: z.string(),
      title: z.string(),
      status: z.string(),
      outcome: z.string().nullable(),
    }),
  ),
});

type Worker = z.infer<typeof statusSchema>["workers"][number];

const EXIT_OK = 0;
const EXIT_FAILED = 1;

/**
 * The manager of a story whose parts are known, or are to be proposed: a program, not a model. It hands the parts out and
 * ends its turn; when it is resumed, it reports how they ended. It claims only what the runtime has proven.
 */
export async function handOutParts(text: string, environment: Environment): Promise<number> {
  try {
    const plan = planSchema.parse(JSON.parse(text));
    const workers = await waitForWorkers(environment, await readWorkers(environment));
    if ("split" in plan) return await continueSplit(environment, plan.split, workers);
    const { tasks } = plan;
    return workers.length > 0
      ? reportParts(environment, workers, tasks.length)
      : await handOut(environment, tasks);
  } catch (error) {
    process.stderr.write(`${readErrorMessage(error)}\n`);
    return EXIT_FAILED;
  }
}

/** First one worker proposes the parts, then all of them are handed out, then their ends are reported (R191). */
async function continueSplit(
  environment: Environment,
  split: Split,
  [planner, ...parts]: readonly Worker[],
): Promise<number> {
  if (planner === undefined) return handOut(environment, [buildPlanner(split)]);
  const proposal = readProposal(split);
  if (parts.length > 0) {
    removeProposal();
    return reportParts(environment, parts, Math.max(proposal.tasks.length, parts.length));
  }
  if (proposal.problem !== undefined)
    process.stdout.write(`One worker does all of it, because ${proposal.problem}.\n`);
  return handOut(environment, proposal.tasks);
}

async function handOut(environment: Environment, tasks: readonly object[]): Promise<number> {
  const { tasks: told } = answerSchema.parse(
    await callRuntime(environment, "delegate", { tasks, waitSeconds: 0 }),
  );
  const refusals = told.filter(({ admitted }) => !admitted);
  for (const { explanation = "" } of refusals) process.stdout.write(`refused: ${explanation}\n`);
  if (refusals.length === told.length)
    writeReturn(environment, {
      status: "failed",
      summary: "No part of the story could be delegated.",
      problems: refusals,
    });
  return EXIT_OK;
}

async function readWorkers(environment: Environment): Promise<readonly Worker[]> {
  return statusSchema.parse(await callRuntime(environment, "status", {})).workers.filter(isDirect);
}

const MAX_WAIT_SECONDS = 600;

/**
 * Usually all parts have ended when it is resumed. After an interruption right after the first turn they have not, and
 * they must not be handed out twice: it waits for them.
 */
async function waitForWorkers(
  environment: Environment,
  workers: readonly Worker[],
): Promise<readonly Worker[]> {
  let now = workers;
  while (now.some(({ outcome }) => outcome === null)) {
    await callRuntime(environment, "wait", { waitSeconds: MAX_WAIT_SECONDS });
    now = await readWorkers(environment);
  }
  return now;
}

/** Workers of workers do not count. */
function isDirect({ delegation_id: id }: Worker): boolean {
  return depthOfId(id) === 1;
}

function reportParts(environment: Environment, workers: readonly Worker[], parts: number): number {
  const open = workers.filter(({ outcome }) => outcome !== "completed");
  const missing = parts - workers.length;
  if (open.length === 0 && missing <= 0) {
    const all = parts === 1 ? "The one part is" : `All ${parts} parts are`;
    const summary = `${all} completed and merged. Nothing is left.`;
    writeReturn(environment, { status: "completed", summary, problems: [] });
    return EXIT_OK;
  }
  const done = workers.length - open.length;
  const summary = `${done} of ${parts} parts are completed and merged. The others are not; what they did is on their branches.`;
  const refused =
    missing > 0
      ? [{ explanation: `${missing} of its parts ${missing === 1 ? "was" : "were"} refused by a limit` }]
      : [];
  const unfinished = open.map(({ delegation_id, title, outcome }) => ({
    explanation: `${delegation_id} (${title}) ended ${outcome ?? "open"}`,
  }));
  const status = done === 0 ? "failed" : "partial";
  writeReturn(environment, { status, summary, problems: [...unfinished, ...refused] });
  return EXIT_OK;
}

interface Conclusion {
  readonly status: "completed" | "partial" | "failed";
  readonly summary: string;
  readonly problems: readonly { readonly explanation?: string | undefined }[];
}

function writeReturn(environment: Environment, { status, summary, problems }: Conclusion): void {
  const metadata: unknown = JSON.parse(environment["AMBIT_RETURN_METADATA"] ?? "{}");
  const errors = problems.map(({ explanation = "" }) => ({
    type: "execution",
    message: explanation,
    recoverable: true,
    recommendation: "See why with ambit explain, then ambit retry.",
  }));
  const text = JSON.stringify({ status, summary, artifacts: [], errors, metadata });
  writeFileSync(environment["AMBIT_RETURN_FILE"] ?? "return.json", text);
  process.stdout.write(`${summary}\n`);
}

function callRuntime(
  environment: Environment,
  method: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const token = environment["AMBIT_TOKEN"] ?? "";
  return callAsWorker(environment["AMBIT_SOCKET"] ?? "", { method, parameters: { ...parameters, token } });
}
