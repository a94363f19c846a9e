import * as z from "zod";
import type { TodoProblem } from "../../contract/todo-item.ts";
import type { TodoView } from "../../journal/todo-view.ts";
import type { RunTools } from "../ports/run-tools.ts";

const checkedSchema = z.looseObject({
  type: z.literal("criterion-checked"),
  attempt: z.int(),
  data: z.looseObject({
    criterionId: z.string(),
    text: z.string(),
    verdict: z.string(),
    evidence: z.string(),
  }),
});

const MOST_EVENTS = 500;
const LONGEST_EVIDENCE = 600;

/**
 * Why a task that a worker did cannot be completed yet: which criterion, and what was found. Nothing the worker said of
 * itself is looked at. Nothing to say means proven.
 */
export async function whyUnproven(tools: RunTools, todo: TodoView): Promise<readonly TodoProblem[]> {
  const { worker, id } = todo;
  if (worker === null) return [problem(`Task ${id} has not been handed out: nobody has done it yet`)];
  if (worker.outcome === "completed") return [];
  const reasons = await openCriteria(tools, worker.id);
  const standing =
    worker.state === "closed"
      ? `${worker.id} ended ${worker.outcome ?? ""}${worker.code === null ? "" : ` (${worker.code})`}`
      : `${worker.id} is still ${worker.state}`;
  return [problem([`Task ${id} is not proven: ${standing}`, ...reasons].join("\n"))];
}

function problem(message: string): TodoProblem {
  return { code: "TASK_NOT_VERIFIED", message };
}

/** The newest verdict on each criterion, of those that did not pass. */
async function openCriteria(tools: RunTools, worker: string): Promise<readonly string[]> {
  const delegation = await tools.store.delegation(worker);
  const events = await tools.store.newestEvents(MOST_EVENTS, { delegation: worker });
  const verdicts = new Map<string, { readonly verdict: string; readonly line: string }>();
  for (const { body } of events) {
    const event = checkedSchema.safeParse(JSON.parse(body));
    if (!event.success || event.data.attempt !== delegation?.attempt) continue;
    const { criterionId, text, verdict, evidence } = event.data.data;
    const found = evidence.trim() === "" ? "" : `: ${evidence.trim().slice(-LONGEST_EVIDENCE)}`;
    verdicts.set(criterionId, { verdict, line: `- ${verdict}: ${text}${found}` });
  }
  const unchecked = (delegation?.work?.criteria ?? [])
    .filter(({ id }) => !verdicts.has(id))
    .map(({ text }) => `- unverified: ${text}`);
  const red = [...verdicts.values()].filter(({ verdict }) => verdict !== "passed" && verdict !== "waived");
  return [...red.map(({ line }) => line), ...unchecked];
}
