import * as z from "zod";
import type { Delegation, StoreReader } from "../../journal/store.ts";
import { isExternalManager, readWorkflowFacts } from "../../orchestrator/delegation-kind.ts";

const MAX_STORIES = 200;
const MAX_AGE_MS = 30 * 24 * 3_600_000;

export const blockedSchema = () =>
  z.looseObject({
    story: z.string(),
    description: z.string(),
    summary: z.string(),
    needs: z.array(z.looseObject({ code: z.string(), message: z.string(), recommendation: z.string() })),
    next_steps: z.string().nullable(),
    blocked_at: z.string(),
    answer_with: z.array(z.string()).describe("Commands"),
  });

export type BlockedWork = z.output<ReturnType<typeof blockedSchema>>;

/** Stories that ended because only a person can help, the oldest first, until they are continued (R59). */
export async function readBlockedWork(reader: StoreReader, nowMs: number): Promise<readonly BlockedWork[]> {
  const found: BlockedWork[] = [];
  // Newest first, so a command that was given again is met before the run that it replaces.
  const tasksSeen = new Set<string>();
  for (const { id } of await reader.stories(MAX_STORIES)) {
    const root = await reader.delegation(id);
    if (root === undefined) continue;
    const task = describeTaskCommand(root);
    const isReplaced = task !== undefined && tasksSeen.has(task);
    if (task !== undefined) tasksSeen.add(task);
    if (isReplaced || !isBlocked(root, nowMs) || (await isContinued(reader, id))) continue;
    found.push(describeBlocked(root, await findWorker(reader, root)));
  }
  return found.toReversed();
}

/** The ended story that a reply continues; undefined where the word means something else. */
export function isAnswerable(delegation: Delegation | undefined): delegation is Delegation {
  return (
    delegation !== undefined &&
    delegation.outcome === "blocked" &&
    delegation.parent === null &&
    !isExternalManager(delegation)
  );
}

function isBlocked({ outcome, closedAt }: Delegation, nowMs: number): boolean {
  return outcome === "blocked" && closedAt !== null && nowMs - Date.parse(closedAt) < MAX_AGE_MS;
}

/** A story continues as `<id>.2`, that one as `<id>.3`. */
async function isContinued(reader: StoreReader, id: string): Promise<boolean> {
  const [, stem = id, number = "1"] = /^(.*)\.(\d+)$/.exec(id) ?? [];
  return (await reader.delegation(`${stem}.${Number(number) + 1}`)) !== undefined;
}

/** `implement 12`: giving the command again, with the answer, continues it. */
function describeTaskCommand(root: Delegation): string | undefined {
  const facts = readWorkflowFacts(root);
  return facts === undefined || facts.task === null ? undefined : `${facts.command} ${facts.task}`;
}

/** A command has its work done by workers; the last one says what is missing. */
async function findWorker(reader: StoreReader, root: Delegation): Promise<Delegation> {
  if (readWorkflowFacts(root) === undefined) return root;
  return (await reader.storyTree(root.story)).findLast(({ parent }) => parent === root.id) ?? root;
}

function describeBlocked(root: Delegation, worker: Delegation): BlockedWork {
  const { id, description, closedAt } = root;
  const task = describeTaskCommand(root);
  return {
    story: id,
    description,
    summary: worker.summary,
    needs: worker.errors.map(({ code, message, recommendation }) => ({ code, message, recommendation })),
    next_steps: worker.nextSteps === "" ? null : worker.nextSteps,
    blocked_at: closedAt ?? "",
    answer_with: isAnswerable(root)
      ? [`ambit reply ${id} "…"`, ...(task === undefined ? [] : [`ambit ${task}`])]
      : [`ambit explain ${id}`],
  };
}
