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

const MAX_EVENTS = 500;
const MAX_EVIDENCE_LENGTH = 600;

/**
 * The reasons why a task that a worker did cannot be completed yet: the criterion, and the finding about it. The worker's
 * own claims do not count. An empty list means that it is proven.
 */
export async function listUnproven(tools: RunTools, todo: TodoView): Promise<readonly TodoProblem[]> {
  const { worker, id } = todo;
  if (worker === null) return [describeProblem(`Task ${id} was not delegated, so no worker has done it`)];
  if (worker.outcome === "completed") return [];
  const reasons = await listOpenCriteria(tools, worker.id);
  const status =
    worker.state === "closed"
      ? `${worker.id} ended ${worker.outcome ?? ""}${worker.code === null ? "" : ` (${worker.code})`}`
      : `${worker.id} is still ${worker.state}`;
  return [describeProblem([`Task ${id} is not proven: ${status}`, ...reasons].join("\n"))];
}

function describeProblem(message: string): TodoProblem {
  return { code: "TASK_NOT_VERIFIED", message };
}

/** The newest verdict on each criterion that did not pass. */
async function listOpenCriteria(tools: RunTools, worker: string): Promise<readonly string[]> {
  const delegation = await tools.store.delegation(worker);
  const events = await tools.store.newestEvents(MAX_EVENTS, { delegation: worker });
  const verdicts = new Map<string, { readonly verdict: string; readonly line: string }>();
  for (const { body } of events) {
    const event = checkedSchema.safeParse(JSON.parse(body));
    if (!event.success || event.data.attempt !== delegation?.attempt) continue;
    const { criterionId, text, verdict, evidence } = event.data.data;
    const found = evidence.trim() === "" ? "" : `: ${evidence.trim().slice(-MAX_EVIDENCE_LENGTH)}`;
    verdicts.set(criterionId, { verdict, line: `- ${verdict}: ${text}${found}` });
  }
  const unchecked = (delegation?.work?.criteria ?? [])
    .filter(({ id }) => !verdicts.has(id))
    .map(({ text }) => `- unverified: ${text}`);
  const red = [...verdicts.values()].filter(({ verdict }) => verdict !== "passed" && verdict !== "waived");
  return [...red.map(({ line }) => line), ...unchecked];
}
