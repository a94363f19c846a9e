import { routeLine, stageLine } from "../../routing/route-command.ts";
import { OUTSIDE_ADAPTER } from "../external-manager/rules.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { markerOf } from "./markers.ts";
import type { RoutedWorkflow } from "./route-workflow.ts";

/** What whoever asked is told at once. */
export interface OpenedWorkflow {
  readonly story: string;
  readonly command: string;
  readonly task: string | null;
  readonly agent: string;
  readonly reason: string;
  readonly language: string;
  readonly timeoutSeconds: number;
  readonly plan: string | null;
  /** The first four stages in words. */
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
}

/** Stage 4: the story enters the journal with all that is known; its worker is handed out by whoever looks at it next. */
export async function admitWorkflow(tools: RunTools, routed: RoutedWorkflow): Promise<OpenedWorkflow> {
  const { story: id, command, facts, limits, subject, budgetMicroUsd, warnings, notes } = routed;
  const title =
    subject === undefined ? facts.description : `${command} ${subject.task.id}: ${subject.task.title}`;
  await tools.store.openStory({
    id,
    kind: "workflow",
    title: title.slice(0, LONGEST_TITLE),
    agent: command,
    limits: { ...limits, timeoutSeconds: facts.timeoutSeconds },
    scope: scopeOf(routed),
    work: {
      adapter: OUTSIDE_ADAPTER,
      command: [],
      context: "",
      criteria: [],
      dependsOn: [],
      workflow: facts,
    },
    ...(budgetMicroUsd === undefined ? {} : { budgetMicroUsd }),
  });
  const lines = stageLines(routed);
  for (const text of [...lines, ...warnings, ...notes])
    await tools.store.record({ type: "note-added", story: id, delegation: id, attempt: 0, data: { text } });
  const { task, agent, reason, language, timeoutSeconds, plan } = facts;
  const told = { story: id, command, task, agent, reason, language, timeoutSeconds, lines, warnings };
  return { ...told, plan: plan?.path ?? null };
}

const LONGEST_TITLE = 2000;

/** A document command may change its documents, a definition command the definitions, and nobody the task files. */
function scopeOf({ command, facts }: RoutedWorkflow): readonly string[] {
  if (command === "meta") return [".ambit/agents/**", ".ambit/commands/**", ".ambit/templates/**"];
  const own = facts.ownFiles.flatMap((path) => [`!${path}`, `!${path}/**`]);
  return [command === "implement" ? "**" : `${facts.folder}/**`, ...own];
}

function stageLines({ command, subject, facts, route, timeout, words }: RoutedWorkflow): readonly string[] {
  const about = subject === undefined ? words.trim().slice(0, 80) : subject.task.id;
  const { next = null, phases = 0 } = facts.plan ?? {};
  const plan = next === null || command !== "implement" ? "" : `, phase ${next} of ${phases}`;
  const on = facts.continues === null ? "" : `, goes on from ${facts.continues}`;
  return [
    stageLine(1, `${command}${about === "" ? "" : ` ${about}`}`),
    stageLine(2, subject === undefined ? "no task" : `task ${subject.task.id} is ${markerOf(subject.task)}`),
    routeLine(route),
    stageLine(4, `${timeout.seconds} s (${timeout.origin})${plan}${on}`),
  ];
}
