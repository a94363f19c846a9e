import { isDriver, type AgentDefinition } from "../../agents/definitions.ts";
import type { Criterion } from "../../contract/task.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
import type { Failed } from "../../guards/verdict.ts";
import type { Delegation, NewDelegation } from "../../journal/store.ts";
import { describePlan, nameDecider } from "../../verification/describe-plan.ts";
import { readCriteria, type CriterionSource } from "../../verification/read-criteria.ts";
import { checkStoryBudget, checkWorkerBudget } from "./budget-check.ts";
import { findMissingProgram } from "../delegation/find-missing-program.ts";
import { chooseWorker, notInstalled, unknownAgent, type Wish } from "./choose-worker.ts";
import { adviseBatch } from "../split/batch.ts";
import { estimateContext } from "./estimate-context.ts";
import { isLedWithoutAgent, OUTSIDE_ADAPTER } from "../delegation/kind.ts";
import { findAdapterLike, nameExternalManager } from "../external-manager/rules.ts";
import { listVariableNames, warnUnset } from "./given-variables.ts";
import { checkReach } from "./reach-check.ts";
import { modelWarnings, programWarnings } from "./program-warnings.ts";
import { readManagerWishes, routeIsolation } from "./route-isolation.ts";
import type { RunSettings, RunTools } from "../ports/run-tools.ts";
import type { DelegationsRequest } from "./parse.ts";
import type { CheckedStory } from "./preflight.ts";

export interface RoutedStory extends CheckedStory {
  /** The second name on every path below the story. */
  readonly agentName: string;
  readonly work: WorkSpec;
  /** Why this agent was chosen: shown and recorded. */
  readonly reason: string;
  readonly warnings: readonly string[];
}

/** Chooses the agent, and says why; a flag takes precedence over the project's setting. */
export async function routeStory(tools: RunTools, story: CheckedStory): Promise<RoutedStory> {
  const { settings } = story;
  const { agentName, how, reason } = await chooseAgent(tools, story);
  // This refuses an unknown adapter before anything is made.
  if (how.adapter !== OUTSIDE_ADAPTER) tools.findAdapter(how.adapter);
  const missing = findMissingProgram(tools, how);
  if (missing !== undefined) throw refuseStory(notInstalled(missing));
  const { criteria, warnings } = readCriteria(listCriteria(story), {
    testCommand: settings.testCommand,
    description: story.title,
  });
  const place = routeIsolation([settings, story, how]);
  const work: WorkSpec = {
    ...how,
    ...place.work,
    ...omitUndefined({
      readable: story.readable,
      env: listVariableNames(story.env),
      base: story.base,
      holdsSandboxedWork: story.holdsSandboxedWork,
      isProjectTrusted: story.isProjectTrusted,
      template: story.template,
      ways: story.ways,
      allowRedBase: story.allowRedBase,
      allowUnmetered: story.allowUnmetered,
      proveRed: story.proveRed,
      task: story.task,
    }),
    ...omitUndefined({ model: story.model ?? how.model }),
    context: [how.context, story.context ?? ""].filter((part) => part !== "").join("\n\n"),
    criteria: [...criteria],
    dependsOn: [],
  };
  const budget = await checkStoryBudget(tools, story, work);
  for (const refusal of [...budget.refusals, ...(await checkReach(tools, work))]) throw refuseStory(refusal);
  const told = [
    ...budget.warnings,
    ...(await programWarnings(tools, how)),
    ...modelWarnings(story.model, how),
    ...place.warnings,
    ...warnUnset(story.env, tools.environment),
    ...warnings.map(({ message }) => message),
    ...describePlan(criteria, { notices: warnings, decider: nameDecider(settings.reviewer, "You") }),
  ];
  return { ...story, agentName, work, reason, warnings: told };
}

export interface RoutedDelegation extends NewDelegation {
  /** Criteria that are too vague, and other advice. */
  readonly warnings: readonly string[];
}

/** The same for a manager's requests. An unknown agent refuses that one request, not the batch. */
export async function routeDelegations(
  tools: RunTools,
  manager: Delegation,
  requests: DelegationsRequest,
): Promise<readonly RoutedDelegation[]> {
  const settings = await tools.settings();
  const batch = { ...tools, findAgent: cacheAgents(tools.findAgent) };
  const above = await listManagers(tools, manager);
  const routed = await Promise.all(
    requests.map((request) => routeDelegation(batch, { manager, above, request, settings })),
  );
  const [first, ...others] = routed;
  if (first === undefined) return [];
  return [{ ...first, warnings: [...first.warnings, ...adviseBatch(requests)] }, ...others];
}

/** A hundred requests for one agent read its file once. */
function cacheAgents(findAgent: RunTools["findAgent"]): RunTools["findAgent"] {
  const asked = new Map<string, ReturnType<RunTools["findAgent"]>>();
  return (name) => {
    const answer = asked.get(name) ?? findAgent(name);
    asked.set(name, answer);
    return answer;
  };
}

/** The manager and every manager above it. */
async function listManagers(tools: RunTools, manager: Delegation): Promise<readonly Delegation[]> {
  const above = manager.parent === null ? undefined : await tools.store.delegation(manager.parent);
  return above === undefined ? [manager] : [manager, ...(await listManagers(tools, above))];
}

async function routeDelegation(
  tools: RunTools,
  wish: Wish & { readonly above: readonly Delegation[] },
): Promise<RoutedDelegation> {
  const { manager, above, request, settings } = wish;
  const { name, definition, notes, refusals } = await chooseWorker(tools, wish);
  const how = definition === undefined ? inheritSetup(tools, manager) : readSetup(definition);
  const { criteria, warnings } = readCriteria(request.accept ?? [], {
    testCommand: settings.testCommand,
    description: request.description,
  });
  const place = routeIsolation([settings, how, ...above.flatMap(readManagerWishes)]);
  const microUsd = request.budget_usd === undefined ? undefined : Math.round(request.budget_usd * 1_000_000);
  const work: WorkSpec = {
    ...how,
    ...place.work,
    ...omitUndefined({
      readable: manager.work?.readable,
      isProjectTrusted: manager.work?.isProjectTrusted,
      allowUnmetered: manager.work?.allowUnmetered,
    }),
    context: [how.context, request.context ?? ""].filter((part) => part !== "").join("\n\n"),
    criteria: isLedWithoutAgent(manager) ? [...criteria] : criteria.map(markFromWorker(request.accept)),
    dependsOn: request.depends_on ?? [],
    ...((microUsd ?? 0) > settings.limits.autoApproveMicroUsd ? { needsApproval: true } : {}),
  };
  const budget = await checkWorkerBudget(tools, wish, work);
  const told = describeNotices(criteria, warnings, settings);
  return {
    description: request.description,
    work,
    criteria: criteria.map((criterion) => criterion.text),
    warnings: [...notes, ...budget.warnings, ...place.warnings, ...told],
    // A manager cannot give away more room than it has itself.
    scope: request.file_scope ?? manager.scope,
    ...omitUndefined({
      agent: name,
      isDriver: definition === undefined ? undefined : isDriver(definition),
      todo: request.todo,
      estimatedHours: request.estimated_hours,
      contextTokens: estimateContext(tools.workflow.projectRoot, { request, work }),
      priority: request.priority,
      timeoutSeconds: request.timeout_seconds,
      budgetMicroUsd: microUsd,
      budgetTokens: request.budget_tokens,
    }),
    ...listRefusals([...refusals, ...budget.refusals, ...(await checkReach(tools, work))], how),
  };
}

function describeNotices(
  criteria: readonly Criterion[],
  notices: ReturnType<typeof readCriteria>["warnings"],
  settings: Pick<RunSettings, "reviewer">,
): readonly string[] {
  const decider = nameDecider(settings.reviewer, "The manager or a person");
  const plan = describePlan(criteria, { notices, decider });
  return [...notices.map(({ message }) => message), ...plan];
}

function listCriteria({ criteria = [] }: CheckedStory): readonly (string | CriterionSource)[] {
  return criteria.map((source) =>
    typeof source === "string"
      ? source
      : {
          text: source.text,
          ...omitUndefined({ check: source.check, required: source.required, origin: source.origin }),
        },
  );
}

/** The default criteria are the runtime's own; the manager wrote all others. */
function markFromWorker(accept: readonly string[] = []): (criterion: Criterion) => Criterion {
  return (criterion) => (accept.length === 0 ? criterion : { ...criterion, origin: "worker" });
}

type How = Pick<WorkSpec, "adapter" | "command" | "model" | "tools" | "isolation" | "context">;

async function chooseAgent(
  tools: RunTools,
  story: CheckedStory,
): Promise<{ agentName: string; how: How; reason: string }> {
  const { adapter, command = [], agent } = story;
  if (adapter === OUTSIDE_ADAPTER)
    return {
      agentName: agent ?? nameExternalManager(""),
      how: { adapter, command: [], context: "" },
      reason: "An external manager leads it: an agent that Ambit did not start",
    };
  if (adapter !== undefined)
    return {
      agentName: adapter,
      how: { adapter, command: [...command], context: "", ...omitUndefined({ tools: story.tools }) },
      reason: `${adapter} was asked for`,
    };
  const name = story.agent ?? story.settings.defaultAgent;
  if (name === null) throw orchestratorErrors.noAgentNamed();
  const definition = await tools.findAgent(name);
  if (definition === undefined) throw refuseStory(unknownAgent(name));
  const origin = story.agent === undefined ? "is the project's default agent" : "was asked for";
  return { agentName: name, how: readSetup(definition), reason: `${name} ${origin}` };
}

function readSetup(definition: AgentDefinition): How {
  const { adapter, command, model, isolation, instructions, tools } = definition;
  const held = tools === undefined ? {} : { tools: [...tools] };
  return {
    adapter,
    command: [...command],
    context: instructions,
    ...held,
    ...omitUndefined({ model, isolation }),
  };
}

/**
 * A worker without a named agent inherits its manager's adapter (an external manager has none, so the adapter of the same
 * program is used), and never a tool that its manager lacks.
 */
function inheritSetup(tools: RunTools, manager: Delegation): How {
  const work: How = manager.work ?? { adapter: "command", command: [], context: "" };
  const { adapter, command, model, tools: held } = work;
  const like = isLedWithoutAgent(manager) ? findKnownAdapter(tools, findAdapterLike(manager)) : adapter;
  const same = omitUndefined({ model, tools: held });
  return { adapter: like, command: [...command], context: "", ...same };
}

function findKnownAdapter(tools: RunTools, name: string | undefined): string {
  try {
    return name === undefined ? OUTSIDE_ADAPTER : tools.findAdapter(name).name;
  } catch {
    // Ambit has no adapter for that program.
    return OUTSIDE_ADAPTER;
  }
}

function listRefusals(
  refusals: readonly Failed[],
  { adapter }: How,
): { readonly refusals?: readonly Failed[] } {
  if (refusals.length > 0) return { refusals };
  return adapter === OUTSIDE_ADAPTER ? { refusals: [noAgentNamed] } : {};
}

const noAgentNamed: Failed = {
  ok: false,
  code: "AGENT_NOT_FOUND",
  message: "No agent was named to do the work",
  details: [],
  suggestion: "Name an agent that list_agents shows, or set agents.default in ambit.yaml.",
};

function refuseStory({ message, ...failed }: Failed): Error {
  return orchestratorErrors.refusedByLimit({ ...failed, message: `${message}.` });
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Leaves out undefined fields: the journal distinguishes absent from undefined. */
function omitUndefined<Fields extends object>(fields: Fields): Present<Fields> {
  const present: Present<Fields> = {};
  for (const key of listKeys(fields)) {
    const value = fields[key];
    if (isPresent(value)) present[key] = value;
  }
  return present;
}

function listKeys<Fields extends object>(fields: Fields): (keyof Fields)[] {
  return Object.keys(fields).filter((key): key is keyof Fields & string => key in fields);
}

function isPresent<Value>(value: Value): value is Exclude<Value, undefined> {
  return value !== undefined;
}
