import type { CommandDefinition } from "../../agents/command-definitions.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
import { workflowErrors } from "../../errors/workflow.ts";
import { runGuards } from "../../guards/run-guards.ts";
import { explainFailure, type Failed } from "../../guards/verdict.ts";
import { chooseCommandTimeout, type CommandTimeout } from "../../routing/command-timeouts.ts";
import { routeCommand, type CommandRoute } from "../../routing/route-command.ts";
import { chooseTaskLanguage } from "../../routing/task-language.ts";
import { findMissingProgram } from "../delegation/find-missing-program.ts";
import { notInstalled } from "../opening/choose-worker.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { CheckedWorkflow } from "./check-workflow.ts";
import { findEarlierRun } from "./earlier-run.ts";
import { findPlan } from "./find-plan.ts";
import { nameNextDocument } from "./task-documents.ts";
import { buildCriteria } from "./workflow-criteria.ts";
import { describeHandover, describeWork } from "./workflow-prompt.ts";

export interface RoutedWorkflow extends CheckedWorkflow {
  /** The id of this command's story. */
  readonly story: string;
  readonly route: CommandRoute;
  readonly timeout: CommandTimeout;
  readonly facts: WorkflowFacts;
  readonly warnings: readonly string[];
}

/** Stage 3: the agent and why, the timeout, the plan and the criteria (R148, R155). Nothing has been made yet. */
export async function routeWorkflow(tools: RunTools, checked: CheckedWorkflow): Promise<RoutedWorkflow> {
  const { command, workflow, subject, dir } = checked;
  const definition = await workflow.readCommand(command);
  if (definition === undefined) throw workflowErrors.commandUndefined(command);
  const folder = subject?.folder ?? `${dir}/reviews`;
  const { story, earlier } = await findEarlierRun(tools, checked);
  const plan = await findPlan(tools, { checked, folder, earlier });
  const language = chooseTaskLanguage({ flag: checked.language, ...subject?.languages });
  const route = routeCommand({
    command,
    routing: definition.routing,
    language,
    plan: plan?.facts.path,
    agent: checked.agent,
  });
  const agent = await findRoutedAgent(tools, definition, route);
  const timeout = chooseTimeout(checked, definition);
  const document = nameNextDocument(workflow.projectRoot, folder, command) ?? null;
  const { criteria, warnings } = await buildCriteria(tools, { command, subject, folder, document });
  const facts: WorkflowFacts = {
    command,
    agent,
    plan: plan?.facts ?? null,
    folder,
    document,
    task: subject?.task.id ?? null,
    reason: route.reason,
    language: language.language,
    timeoutSeconds: timeout.seconds,
    ownFiles: [`${dir}/TODO.md`, `${dir}/state.json`, `${dir}/archive`, `${folder}/state.json`],
    continues: earlier?.continues ?? null,
    description: describeCommand(checked),
    context: describeWork({ checked, definition, plan: plan?.facts ?? null, document }),
    ...(earlier === undefined ? {} : { handover: describeHandover(earlier) }),
    criteria: [...criteria],
  };
  checkLimits(checked, facts);
  return {
    ...checked,
    story,
    route,
    timeout,
    facts,
    warnings: [...(subject?.waitsFor ?? []), ...(plan?.warnings ?? []), ...warnings],
  };
}

async function findRoutedAgent(
  tools: RunTools,
  { name, file }: CommandDefinition,
  { agent }: CommandRoute,
): Promise<string> {
  const where = file === "" ? `the built-in ${name}` : file;
  if (agent === undefined) throw workflowErrors.routesToNoAgent(where);
  const found = await tools.findAgent(agent);
  if (found === undefined) throw workflowErrors.routesToUnknownAgent(where, agent);
  const missing = findMissingProgram(tools, found);
  if (missing !== undefined) throw refuseByLimits([notInstalled(missing)]);
  return agent;
}

function chooseTimeout(
  { command, timeoutSeconds }: CheckedWorkflow,
  definition: CommandDefinition,
): CommandTimeout {
  return chooseCommandTimeout({ command, explicit: timeoutSeconds, definition: definition.timeoutSeconds });
}

const MAX_NAME_LENGTH = 120;

/**
 * `Task: 197, research: Prove the lemma` (R51). The background has titles and words in full; lists and commits use this
 * name, without anything that a limit could refuse (C40).
 */
function describeCommand({ command, words, subject }: CheckedWorkflow): string {
  const text = (subject?.task.title ?? words)
    .replaceAll(/[^\p{L}\p{N}\s,.:()_+-]/gu, "")
    .replaceAll(/\s+/g, " ");
  const name = text.replaceAll("..", ".").trim().slice(0, MAX_NAME_LENGTH);
  const about = name === "" ? command : `${command}: ${name}`;
  return subject === undefined ? about : `Task: ${subject.task.id}, ${about}`;
}

/** Admission checks the limits again; checking them here avoids making a story that they would refuse. */
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
  if (first !== undefined) throw refuseByLimits([first, ...rest]);
}

/** Names every limit that refuses it; the first is the primary reason (C6). */
function refuseByLimits(failures: readonly [Failed, ...Failed[]]): Error {
  const message = failures.map(explainFailure).join("\n");
  return orchestratorErrors.refusedByLimit({ ...failures[0], message });
}

const switchedOff: Failed = {
  ok: false,
  code: "DELEGATION_DISABLED",
  message: "Delegation is switched off",
  details: [],
  suggestion: "Set delegation.enabled to true (ENABLE_DELEGATION=true).",
};
