import { findProjectRoot } from "../../../config/find-project.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { isHandedOut } from "../../../templates/apply-template.ts";
import { listTemplates, type ListedTemplate } from "../../../templates/read-templates.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { safeText } from "../../../base/safe-text.ts";
import { cutText } from "../../render/text-width.ts";
import { terminalWidth } from "../../render/terminal-width.ts";

export async function listTemplatesHere(context: CommandContext): Promise<CommandOutcome> {
  const listed = await listTemplates(findProjectRoot(context.directory));
  const width = terminalWidth(context.environment);
  const nameWidth = Math.max(...listed.map(({ name }) => name.length));
  const lines = listed.map((one) => {
    const line = `${one.name.padEnd(nameWidth)}  ${one.source.padEnd(8)}  ${aboutText(one)}`;
    return width === undefined || one.problem !== undefined ? line : cutText(line, width, context.ascii);
  });
  const hasProblem = listed.some(({ problem }) => problem !== undefined);
  return {
    exitCode: hasProblem ? exitCode.usage : exitCode.completed,
    json: { templates: listed.map(wireTemplate) },
    text: [...lines, "", 'Use one: ambit run "What is to be done" --template <name>'].join("\n"),
  };
}

function aboutText({ template, problem, shadowedBy }: ListedTemplate): string {
  if (shadowedBy !== undefined) return `not used: ${shadowedBy} has the same name`;
  if (template === undefined) return `not usable: ${safeText(problem ?? "")}`;
  const parts = isHandedOut(template) ? `${template.parts.length} parts, handed out` : "its manager chooses";
  return `${safeText(template.summary)} (${parts})`;
}

function wireTemplate({ name, source, file, template, problem, shadowedBy }: ListedTemplate) {
  return {
    name,
    source,
    file: file === "" ? null : file,
    usable: template !== undefined && shadowedBy === undefined,
    problem: problem ?? null,
    shadowed_by: shadowedBy ?? null,
    title: template?.title ?? null,
    summary: template?.summary ?? null,
    parts: template?.parts.length ?? 0,
    handout: template === undefined ? null : isHandedOut(template) ? "runtime" : "manager",
  };
}
