import { findProjectRoot } from "../../../config/find-project.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { Template } from "../../../contract/template.ts";
import { isHandedOut, partDirective } from "../../../templates/apply-template.ts";
import { readTemplate } from "../../../templates/read-templates.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { visibleText } from "../../../base/visible-text.ts";

export async function showTemplate(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const found = await readTemplate(findProjectRoot(context.directory), invocation.argument("name"));
  const { name, source, file, template } = found;
  if (template === undefined) throw new TypeError(`${name} was found without its content`);
  const directives = template.parts.map((part) => partDirective(part, "{story}"));
  return {
    exitCode: exitCode.completed,
    json: {
      name,
      source,
      file: file === "" ? null : file,
      handout: isHandedOut(template) ? "runtime" : "manager",
      directives,
      template: { ...template },
    },
    text: visibleText(renderTemplate(name, template, file)),
  };
}

function renderTemplate(name: string, template: Template, file: string): string {
  const { title, summary, avoid, depth, guidance } = template;
  return [
    `${name}: ${title}${file === "" ? " (built in)" : ` (${file})`}`,
    `  use it for  ${summary}`,
    ...(avoid === undefined ? [] : [`  not for     ${avoid}`]),
    ...(depth === undefined ? [] : [`  depth       ${depth}`]),
    `  handed out  ${isHandedOut(template) ? "by the runtime, part by part" : "by the story's agent, which chooses"}`,
    ...(guidance === "" ? [] : ["", guidance]),
    ...(template.parts.length === 0 ? [] : ["", ...partLines(template)]),
    "",
    `Use it: ambit run "What is to be done" --template ${name}`,
  ].join("\n");
}

function partLines({ parts, example }: Template): readonly string[] {
  return [
    example === undefined ? "Parts:" : `Parts, for "${example}":`,
    ...parts.flatMap((part) => [
      `  ${partDirective(part, "{story}")}`,
      ...(part.after === undefined ? [] : [`      after   ${part.after.join(", ")}`]),
      ...(part.agent === undefined ? [] : [`      agent   ${part.agent}`]),
      ...(part.scope === undefined ? [] : [`      scope   ${part.scope.join(" ")}`]),
      ...(part.accept ?? []).map((criterion) => `      accept  ${criterion}`),
    ]),
  ];
}
