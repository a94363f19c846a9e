import { dropUndefined } from "../../base/json.ts";
import { hardCaps, type Limits } from "../../contract/limits.ts";
import { formatRouteLine, formatStageLine } from "../../routing/route-command.ts";
import { WORKFLOW_ADAPTER } from "../delegation/kind.ts";
import { addNote } from "../delegation/record.ts";
import { keepOrigin } from "../delegation/story-tools.ts";
import { listVariableNames, warnUnset } from "../opening/given-variables.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { renderStatus } from "./markers.ts";
import { listPlannedPhases } from "./proven-phases.ts";
import type { RoutedWorkflow } from "./route-workflow.ts";

/** Stage 4: the story enters the journal with all known facts; the engine's next look delegates its work. */
export async function admitWorkflow(tools: RunTools, routed: RoutedWorkflow) {
  const { story: id, command, facts, limits, origins, subject, budgetMicroUsd, warnings, notes } = routed;
  const title =
    subject === undefined ? facts.description : `${command} ${subject.task.id}: ${subject.task.title}`;
  const continued = facts.continues === null ? undefined : await tools.store.delegation(facts.continues);
  const isOnSandboxedWork = continued !== undefined && (await tools.store.hasSandboxedWork(continued.story));
  await tools.store.openStory({
    id,
    kind: "workflow",
    title: title.slice(0, MAX_TITLE_LENGTH),
    agent: command,
    limits: {
      ...makeRoomForPhases(limits, listPlannedPhases(facts).length),
      timeoutSeconds: facts.timeoutSeconds,
    },
    settings: origins,
    scope: chooseScope(routed),
    work: {
      adapter: WORKFLOW_ADAPTER,
      command: [],
      context: "",
      criteria: [],
      dependsOn: [],
      workflow: facts,
      ...dropUndefined({ env: listVariableNames(routed.env) }),
      ...(isOnSandboxedWork ? { holdsSandboxedWork: true } : {}),
      ...(routed.isProjectTrusted === undefined ? {} : { isProjectTrusted: routed.isProjectTrusted }),
    },
    ...(budgetMicroUsd === undefined ? {} : { budgetMicroUsd }),
  });
  await keepOrigin(tools, id, routed.env);
  const lines = describeStages(routed);
  const told = [...warnings, ...warnUnset(routed.env, tools.environment)];
  for (const text of [...lines, ...told, ...notes]) await addNote(tools, { id, story: id, attempt: 0 }, text);
  const { task, agent, reason, language, timeoutSeconds, plan } = facts;
  const answer = { story: id, command, task, agent, reason, language, timeoutSeconds, lines };
  return { ...answer, warnings: [...told, ...routed.missing], plan: plan?.path ?? null };
}

const MAX_TITLE_LENGTH = 2000;

/** The limits count what agents delegate; the workers of a plan's phases are the command's own, one after the other. */
function makeRoomForPhases(limits: Limits, phases: number): Limits {
  const more = Math.max(0, phases - 1);
  const [depth0, depth1, depth2] = limits.fanOut;
  if (more === 0 || limits.maxDelegations === 0 || depth0 === 0) return limits;
  const maxDelegations = Math.min(limits.maxDelegations + more, hardCaps.maxDelegations);
  return { ...limits, maxDelegations, fanOut: [depth0 + more, depth1, depth2] };
}

/** A document command may change its documents, `meta` the definitions, and no command the task files. */
function chooseScope({ command, facts }: RoutedWorkflow): readonly string[] {
  if (command === "meta") return [".ambit/agents/**", ".ambit/commands/**", ".ambit/templates/**"];
  const own = facts.ownFiles.flatMap((path) => [`!${path}`, `!${path}/**`]);
  return [command === "implement" ? "**" : `${facts.folder}/**`, ...own];
}

function describeStages({
  command,
  subject,
  facts,
  route,
  timeout,
  words,
}: RoutedWorkflow): readonly string[] {
  const about = subject === undefined ? words.trim().slice(0, 80) : subject.task.id;
  const { next = null, phases = 0 } = facts.plan ?? {};
  const plan = next === null || command !== "implement" ? "" : `, phase ${next} of ${phases}`;
  const on = facts.continues === null ? "" : `, continues ${facts.continues}`;
  return [
    formatStageLine(1, `${command}${about === "" ? "" : ` ${about}`}`),
    formatStageLine(
      2,
      subject === undefined ? "no task" : `task ${subject.task.id} is ${renderStatus(subject.task)}`,
    ),
    formatRouteLine(route),
    formatStageLine(4, `${timeout.seconds} s (${timeout.origin})${plan}${on}`),
  ];
}
