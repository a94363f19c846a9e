import { exitCode } from "../../../contract/exit-code.ts";
import { formatUsd } from "../../../ledger/money.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { predictionDocument, renderPrediction } from "../../render/split-report.ts";
import { visibleText } from "../../../base/visible-text.ts";
import type { PlannedStory } from "./plan-story.ts";

/** `ambit run --dry-run`: what would be started, and what the gate says about dividing it. Nothing is made. */
export function dryRunOutcome(context: CommandContext, plan: PlannedStory): CommandOutcome {
  const { request, template, agent, limits, parts } = plan;
  const criteria = listOf(request["criteria"]);
  const by = agent ?? programOf(plan) ?? "nobody is named yet: --agent, or agents.default";
  const text = [
    `${request.id}: ${String(request["title"])}`,
    `  by        ${by}`,
    ...(template === undefined ? [] : [`  template  ${template.name}: ${template.template.title}`]),
    ...criteria.map((criterion) => `  accept    ${criterion}`),
    `  limits    ${limitsText(plan)}`,
    "",
    ...renderPrediction(plan.prediction),
    ...(parts.length === 0 ? [] : ["", ...partLines(plan)]),
    "",
    "Nothing was started.",
  ].join("\n");
  return {
    exitCode: exitCode.completed,
    json: {
      story: request.id,
      dry_run: true,
      title: request["title"] ?? null,
      agent,
      template: template?.name ?? null,
      criteria,
      limits: {
        max_depth: limits.maxDepth,
        max_delegations: limits.maxDelegations,
        max_concurrent: limits.maxConcurrent,
        timeout_seconds: limits.timeoutSeconds,
      },
      parts: parts.map(({ name, hours, after, scope }) => ({ name, hours, after, scope })),
      prediction: predictionDocument(plan.prediction),
    },
    text: context.ascii ? visibleText(text).replaceAll("·", "-") : visibleText(text),
  };
}

function limitsText({ limits, request }: PlannedStory): string {
  const budget = request["budgetMicroUsd"];
  const money = typeof budget === "number" ? budget : limits.storyMicroUsd;
  return [
    `depth ${limits.maxDepth}`,
    `${limits.maxDelegations} workers`,
    `${limits.maxConcurrent} at once`,
    `${limits.timeoutSeconds} s each`,
    ...(money === null ? [] : [formatUsd(money)]),
  ].join(" · ");
}

function programOf({ request, template }: PlannedStory): string | undefined {
  if (template !== undefined && request["adapter"] === "command") return undefined;
  const command = listOf(request["command"]);
  return command.length === 0 ? undefined : command.join(" ");
}

function partLines({ parts, origin }: PlannedStory): readonly string[] {
  const heading = origin === "example" ? "Parts of the example" : "Parts";
  return [
    heading,
    ...parts.map(({ name, hours, after, scope }, index) => {
      const facts = [
        ...(hours === null ? [] : [`${hours} h`]),
        ...(after.length === 0 ? [] : [`after ${after.map((place) => place + 1).join(", ")}`]),
        ...scope,
      ];
      return `  ${index + 1} ${name}${facts.length === 0 ? "" : `  (${facts.join("; ")})`}`;
    }),
  ];
}

function listOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map((one: unknown) => (typeof one === "string" ? one : JSON.stringify(one)));
}
