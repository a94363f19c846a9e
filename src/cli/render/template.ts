import type { ShownTemplate, TemplateDocument } from "../../app/templates.ts";
import type { FoundTemplate } from "../../app/template-index.ts";
import type { AddTemplatesAnswer, OfferedDetails, TemplatePlan } from "../../app/add-templates.ts";
import { safeText } from "../../base/safe-text.ts";
import { visibleText } from "../../base/visible-text.ts";
import { cutText } from "../terminal/text-width.ts";

/** One line per template; only lines without a problem are cut to the width. */
export function renderTemplateList(
  templates: readonly TemplateDocument[],
  { width, ascii }: { readonly width: number | undefined; readonly ascii: boolean },
): string {
  const nameWidth = Math.max(...templates.map(({ name }) => name.length));
  const lines = templates.map((one) => {
    const line = `${one.name.padEnd(nameWidth)}  ${one.source.padEnd(8)}  ${describeTemplate(one)}`;
    return width === undefined || one.problem !== null ? line : cutText(line, width, ascii);
  });
  return [...lines, "", 'Use one: ambit run "What is to be done" --template <name>'].join("\n");
}

function describeTemplate({ summary, problem, parts, handout, ...template }: TemplateDocument): string {
  if (template.shadowed_by !== null) return `not used: ${template.shadowed_by} has the same name`;
  if (summary === null) return `not usable: ${safeText(problem ?? "")}`;
  const how = {
    runtime: `${parts} parts, handed out`,
    manager: "its manager chooses",
    proposal: "a worker proposes",
  };
  return `${safeText(summary)} (${how[handout ?? "manager"]})`;
}

/** Lists the templates of the index; only names that are not here yet are worth adding. */
export function renderFound(
  templates: readonly FoundTemplate[],
  { width, ascii }: { readonly width: number | undefined; readonly ascii: boolean },
): string {
  const [first] = templates;
  if (first === undefined) return "No template in the index contains these words.";
  const nameWidth = Math.max(...templates.map(({ name }) => name.length));
  const lines = templates.map(({ name, summary, here }) => {
    const line = `${name.padEnd(nameWidth)}  ${safeText(summary)}${placeWords[here]}`;
    return width === undefined ? line : cutText(line, width, ascii);
  });
  return [...lines, "", `Add one: ambit template add ${first.name}`].join("\n");
}

const placeWords: Readonly<Record<FoundTemplate["here"], string>> = {
  no: "",
  same: " (here already)",
  differs: " (here with other content)",
};

const handoutWords: Readonly<Record<ShownTemplate["handout"], string>> = {
  runtime: "by the runtime, part by part",
  manager: "by the story's agent, which chooses",
  proposal: "by the runtime, after a worker has proposed the parts",
};

export function renderTemplate({ name, file, handout, directives, template }: ShownTemplate): string {
  const { title, summary, avoid, depth, guidance } = template;
  const lines = [
    `${name}: ${title}${file === null ? " (built in)" : ` (${file})`}`,
    `  use it for  ${summary}`,
    ...(avoid === undefined ? [] : [`  not for     ${avoid}`]),
    ...(depth === undefined ? [] : [`  depth       ${depth}`]),
    `  handed out  ${handoutWords[handout]}`,
    ...(guidance === "" ? [] : ["", guidance]),
    ...(template.parts.length === 0 ? [] : ["", ...renderParts(template, directives)]),
    "",
    `Use it: ambit run "What is to be done" --template ${name}`,
  ];
  return visibleText(lines.join("\n"));
}

function renderParts(
  { parts, example }: ShownTemplate["template"],
  directives: readonly string[],
): readonly string[] {
  return [
    example === undefined ? "Parts:" : `Parts, for "${example}":`,
    ...parts.flatMap((part, index) => [
      `  ${directives[index] ?? ""}`,
      ...(part.after === undefined ? [] : [`      after   ${part.after.join(", ")}`]),
      ...(part.agent === undefined ? [] : [`      agent   ${part.agent}`]),
      ...(part.scope === undefined ? [] : [`      scope   ${part.scope.join(" ")}`]),
      ...(part.accept ?? []).map((criterion) => `      accept  ${criterion}`),
    ]),
  ];
}

type Offered = AddTemplatesAnswer["templates"][number];

const actions: Readonly<Record<Offered["action"], string>> = {
  add: "new",
  replace: "REPLACES the existing one",
  same: "unchanged",
  refuse: "NOT USABLE",
};

/** Every byte that would be written, made visible, and which commands of it would run. */
export function renderOffered({ answer, details }: Pick<TemplatePlan, "answer" | "details">): string {
  return answer.templates.map((one) => renderOfferedTemplate(one, details.get(one.target))).join("\n\n");
}

function renderOfferedTemplate(offered: Offered, details: OfferedDetails | undefined): string {
  const { target, action, problem, text } = offered;
  const replacesBuiltIn = offered.hides_built_in && action !== "refuse";
  const lines = [
    `${target}  (${actions[action]})`,
    ...(problem === null ? [] : [`  problem  ${problem}`]),
    ...(replacesBuiltIn ? ["  note     it replaces the built-in template of this name"] : []),
    ...(details === undefined ? [] : renderDetails(details)),
    ...text
      .trimEnd()
      .split("\n")
      .map((line) => `  | ${line}`),
  ];
  return visibleText(lines.join("\n"));
}

function renderDetails({ commands, agents, partsHandedOut }: OfferedDetails): readonly string[] {
  return [
    ...commands.map((command) => `  RUNS     ${command}   (as a check)`),
    ...(agents.length === 0 ? [] : [`  agents   ${agents.join(", ")}`]),
    ...(partsHandedOut === 0
      ? []
      : [`  note     its ${partsHandedOut} parts start without a manager's judgement`]),
  ];
}
