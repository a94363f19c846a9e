import type { CommandDefinition } from "../../agents/command-definitions.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import { runGuards } from "../../guards/run-guards.ts";
import type { Failed } from "../../guards/verdict.ts";
import { commandTimeout, type CommandTimeout } from "../../routing/command-timeouts.ts";
import { routeCommand, type CommandRoute } from "../../routing/route-command.ts";
import { taskLanguage } from "../../routing/task-language.ts";
import { missingProgram, notInstalled } from "../opening/choose-worker.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { CheckedWorkflow } from "./check-workflow.ts";
import { findEarlier } from "./earlier-run.ts";
import { planOf } from "./find-plan.ts";
import { limitsRefused, nobodyRouted, unknownCommand } from "./refusals.ts";
import { nextDocument } from "./task-documents.ts";
import { workflowCriteria } from "./workflow-criteria.ts";
import { describeWork } from "./workflow-prompt.ts";

export interface RoutedWorkflow extends CheckedWorkflow {
  /** What the story of this command will be called. */
  readonly story: string;
  readonly route: CommandRoute;
  readonly timeout: CommandTimeout;
  readonly facts: WorkflowFacts;
  readonly warnings: readonly string[];
}

/** Stage 3: who, why, for how long, with which plan and which proofs (R148, R155). Nothing has been made yet. */
export async function routeWorkflow(tools: RunTools, checked: CheckedWorkflow): Promise<RoutedWorkflow> {
  const { command, workflow, subject, dir } = checked;
  const definition = await workflow.readCommand(command);
  if (definition === undefined) throw unknownCommand(command);
  const folder = subject?.folder ?? `${dir}/reviews`;
  const { story, earlier } = await findEarlier(tools, checked);
  const plan = await planOf(workflow, { command, folder, earlier });
  const language = taskLanguage({ flag: checked.language, ...subject?.languages });
  const route = routeCommand({
    command,
    routing: definition.routing,
    language,
    plan: plan?.path,
    agent: checked.agent,
  });
  const agent = await findRouted(tools, definition, route);
  const timeout = timeoutOf(checked, definition);
  const document = nextDocument(workflow.projectRoot, folder, command) ?? null;
  const { criteria, warnings } = await workflowCriteria(tools, { command, subject, folder, document });
  const facts: WorkflowFacts = {
    command,
    agent,
    plan,
    folder,
    document,
    task: subject?.task.id ?? null,
    reason: route.reason,
    language: language.language,
    timeoutSeconds: timeout.seconds,
    ownFiles: [`${dir}/TODO.md`, `${dir}/state.json`, `${dir}/archive`, `${folder}/state.json`],
    continues: earlier?.worker ?? null,
    description: describe(checked),
    context: describeWork({ checked, definition, plan, earlier, document }),
    criteria: [...criteria],
  };
  checkLimits(checked, facts);
  return { ...checked, story, route, timeout, facts, warnings: [...(subject?.waitsFor ?? []), ...warnings] };
}

async function findRouted(
  tools: RunTools,
  { name, file }: CommandDefinition,
  { agent }: CommandRoute,
): Promise<string> {
  if (agent === undefined) throw nobodyRouted(name, file, undefined);
  const found = await tools.findAgent(agent);
  if (found === undefined) throw nobodyRouted(name, file, agent);
  const missing = missingProgram(found, tools.environment);
  if (missing !== undefined) throw limitsRefused([notInstalled(missing)]);
  return agent;
}

function timeoutOf(
  { command, timeoutSeconds }: CheckedWorkflow,
  definition: CommandDefinition,
): CommandTimeout {
  return commandTimeout({ command, explicit: timeoutSeconds, definition: definition.timeoutSeconds });
}

const LONGEST_NAME = 120;

/**
 * `Task: 197, research: Prove the lemma` (R51). Titles and words stand in the background in full; here, where they name
 * the work in lists and commits, only as far as no limit could object to them (C40).
 */
function describe({ command, words, subject }: CheckedWorkflow): string {
  const text = (subject?.task.title ?? words)
    .replaceAll(/[^\p{L}\p{N}\s,.:()_+-]/gu, "")
    .replaceAll(/\s+/g, " ");
  const name = text.replaceAll("..", ".").trim().slice(0, LONGEST_NAME);
  const about = name === "" ? command : `${command}: ${name}`;
  return subject === undefined ? about : `Task: ${subject.task.id}, ${about}`;
}

/** The limits are checked again when the work is admitted; here so that nothing is made which they would refuse. */
function checkLimits({ limits, command }: CheckedWorkflow, { description, agent }: WorkflowFacts): void {
  const facts = {
    callerDepth: 0,
    agentPath: ["ambit", command],
    idPath: [],
    storyDelegations: 0,
    callerWorkers: 0,
    batchSize: 1,
    callerContextTokens: 0,
    availableMicroUsd: null,
  };
  const { failures } = runGuards({ description, agent, contextTokens: 0 }, facts, limits);
  const [first, ...rest] = limits.enabled ? failures : [switchedOff, ...failures];
  if (first !== undefined) throw limitsRefused([first, ...rest]);
}

const switchedOff: Failed = {
  ok: false,
  code: "DELEGATION_DISABLED",
  message: "Delegating is switched off",
  details: [],
  suggestion: "Set delegation.enabled to true (ENABLE_DELEGATION=true).",
};
