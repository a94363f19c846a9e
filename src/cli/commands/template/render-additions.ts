import { readCriteria } from "../../../verification/read-criteria.ts";
import type { Addition } from "../../../templates/add-templates.ts";
import { isHandedOut } from "../../../templates/apply-template.ts";
import type { Template } from "../../../contract/template.ts";
import { visibleText } from "../../../base/visible-text.ts";

/** Every byte that would be written, made visible, and what of it would run. */
export function renderAdditions(additions: readonly Addition[]): string {
  return additions.map(renderAddition).join("\n\n");
}

const actions: Readonly<Record<Addition["action"], string>> = {
  add: "new",
  replace: "REPLACES what is there",
  same: "unchanged",
  refuse: "NOT USABLE",
};

function renderAddition({ target, action, problem, text, template, hidesBuiltIn }: Addition): string {
  const commands = template === undefined ? [] : commandsOf(template);
  return visibleText(
    [
      `${target}  (${actions[action]})`,
      ...(problem === undefined ? [] : [`  problem  ${problem}`]),
      ...(hidesBuiltIn && action !== "refuse"
        ? ["  note     it stands in for the built-in one of this name"]
        : []),
      ...commands.map((command) => `  RUNS     ${command}   (as a check)`),
      ...(template === undefined ? [] : agentsOf(template)),
      ...text
        .trimEnd()
        .split("\n")
        .map((line) => `  | ${line}`),
    ].join("\n"),
  );
}

/** Acceptance criteria name commands, and the runtime runs those. */
function commandsOf({ parts }: Template): readonly string[] {
  const sources = parts.flatMap(({ accept = [] }) => accept);
  if (sources.length === 0) return [];
  const { criteria } = readCriteria(sources, { testCommand: null });
  return criteria.flatMap(({ check }) => (check !== undefined && "command" in check ? [check.command] : []));
}

function agentsOf(template: Template): readonly string[] {
  const names = [...new Set(template.parts.flatMap(({ agent }) => (agent === undefined ? [] : [agent])))];
  const agents = names.length === 0 ? [] : [`  agents   ${names.join(", ")}`];
  return isHandedOut(template)
    ? [...agents, `  note     its ${template.parts.length} parts start without a manager's judgement`]
    : agents;
}
