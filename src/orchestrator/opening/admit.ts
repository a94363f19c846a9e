import type { Admission, Delegation } from "../../journal/store.ts";
import { addNote } from "../delegation/record.ts";
import { keepOrigin, pickStoryTools } from "../delegation/story-tools.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { parseDelegations, type DelegationsRequest } from "./parse.ts";
import { routeDelegations, type RoutedStory } from "./route.ts";

/** The story enters the journal; nothing else has happened yet. */
export async function admitStory(tools: RunTools, story: RoutedStory): Promise<void> {
  const { id, title, agentName, settings, work, fileScope, budgetMicroUsd, budgetTokens } = story;
  await tools.store.openStory({
    id,
    kind: "story",
    title,
    agent: agentName,
    limits: settings.limits,
    settings: settings.origins,
    work: { ...work, context: [work.context, ...story.notes].filter((part) => part !== "").join("\n") },
    ...(fileScope === undefined ? {} : { scope: fileScope }),
    ...(budgetMicroUsd === undefined ? {} : { budgetMicroUsd }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  });
  await keepOrigin(tools, id, story.env);
  await addNotes(tools, { id, story: id }, [story.reason, ...story.warnings, ...story.notes]);
}

/** A manager delegates parts of its work; each is admitted, or refused with its codes. */
export function delegateWork(
  tools: RunTools,
  manager: Delegation,
  input: unknown,
): Promise<readonly Admission[]> {
  return admitDelegations(tools, manager, { tasks: parseDelegations(input) });
}

export interface RequestedWork {
  readonly tasks: DelegationsRequest;
  /** The requests were written as `[delegate:…]` in the manager's message. */
  readonly isDirective?: boolean;
}

/** One transaction checks every limit for the whole batch, so that no interleaving of managers exceeds one. */
export async function admitDelegations(
  tools: RunTools,
  manager: Delegation,
  { tasks, isDirective = false }: RequestedWork,
): Promise<readonly Admission[]> {
  const routed = await routeDelegations(await pickStoryTools(tools, manager.story), manager, tasks);
  const requests = isDirective
    ? routed.map((request) => Object.assign({}, request, { isDirective }))
    : routed;
  const parentContextTokens = tools.contexts.read(manager.id);
  const batch = { parent: manager.id, parentAttempt: manager.attempt, parentContextTokens, requests };
  const admissions = await tools.store.admit(batch);
  // All are recorded at once: the store writes concurrent events in one transaction.
  await Promise.all(
    admissions.map((admission, index) =>
      admission.admitted
        ? addNotes(tools, admission.delegation, requests[index]?.warnings ?? [])
        : Promise.resolve(),
    ),
  );
  return admissions;
}

async function addNotes(
  tools: RunTools,
  { id, story }: Pick<Delegation, "id" | "story">,
  texts: readonly string[],
): Promise<void> {
  for (const text of texts) await addNote(tools, { id, story, attempt: 0 }, text);
}
