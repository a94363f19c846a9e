import type { Command } from "commander";
import { nothingYet } from "../render/nothing-yet.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { isAgreed } from "../input/ask-person.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { optionalWholeNumber } from "../input/option-values.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";

export function register(command: Command, act: Act): void {
  command.description("Ways to divide a story, for ambit run --template: built in, or in .ambit/templates.");
  command
    .command("list")
    .description("List the templates that can be used here, and what is wrong with the others.")
    .action(act(listTemplates))
    .addHelpText("after", "\nExample:\n  ambit template list");
  command
    .command("show")
    .description("Show a template, with its parts as directives.")
    .argument("<name>", "its name; ambit template list shows all")
    .action(act(showTemplate))
    .addHelpText("after", "\nExample:\n  ambit template show test-driven");
  command
    .command("add")
    .description("Copy templates into .ambit/templates. Shows their whole text first and runs nothing.")
    .argument("<source>", "a folder, a template file, a git URL (https, ssh), or a name of the index")
    .option("--ref <name>", "branch or tag of the git URL")
    .option("--replace", "replace templates that exist and differ")
    .option("--dry-run", "only show what would be added")
    .action(act(addTemplates))
    .addHelpText("after", "\nExample:\n  ambit template add https://example.org/our/templates.git --yes");
  command
    .command("search")
    .description("Find templates in the index (templates.index) that contain all of these words.")
    .argument("[words...]", "looked for in name, title, summary and text")
    .option("--index <source>", "a git URL or a folder, instead of templates.index")
    .action(act(searchTemplates))
    .addHelpText("after", "\nExample:\n  ambit template search review");
  command
    .command("publish")
    .description("Add a template of the project to the index, as one commit on its main branch.")
    .argument("<name>", "a template in .ambit/templates")
    .option("--index <source>", "a git URL or a folder, instead of templates.index")
    .option("--replace", "replace one that exists and differs")
    .option("--dry-run", "only say what would happen")
    .action(act(publishTemplate))
    .addHelpText("after", "\nExample:\n  ambit template publish release --yes");
  command
    .command("compare")
    .description("Compare proof rate, cost and time of stories by the way they were divided.")
    .option("--stories <count>", "how many of the newest stories count", "200")
    .action(act(compareTemplates))
    .addHelpText("after", "\nExample:\n  ambit template compare --json");
  command.addHelpText("after", "\nExample:\n  ambit template show feature");
}

async function listTemplates(context: CommandContext): Promise<CommandOutcome> {
  const { listTemplatesUseCase } = await import("../../app/templates.ts");
  const { renderTemplateList } = await import("../render/template.ts");
  const json = await listTemplatesUseCase.run(context, {});
  const style = { width: terminalWidth(context.environment), ascii: context.ascii };
  const hasProblem = json.templates.some(({ problem }) => problem !== null);
  return {
    exitCode: hasProblem ? exitCode.usage : exitCode.completed,
    json,
    text: renderTemplateList(json.templates, style),
  };
}

async function showTemplate(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { showTemplateUseCase } = await import("../../app/templates.ts");
  const { renderTemplate } = await import("../render/template.ts");
  const json = await showTemplateUseCase.run(context, { name: invocation.argument("name") });
  return { exitCode: exitCode.completed, json, text: renderTemplate(json) };
}

async function compareTemplates(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { compareTemplatesUseCase } = await import("../../app/templates.ts");
  const { renderComparison } = await import("../render/template-comparison.ts");
  const stories = optionalWholeNumber(invocation, "stories") ?? 0;
  const json = await compareTemplatesUseCase.run(context, { stories });
  return {
    exitCode: exitCode.completed,
    json,
    text: json.ways.length === 0 ? nothingYet : renderComparison(json),
  };
}

async function searchTemplates(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { searchTemplatesUseCase } = await import("../../app/template-index.ts");
  const { renderFound } = await import("../render/template.ts");
  const words = [...invocation.argumentList("words")];
  const json = await searchTemplatesUseCase.run(context, { words, index: invocation.option("index") });
  const style = { width: terminalWidth(context.environment), ascii: context.ascii };
  return { exitCode: exitCode.completed, json, text: renderFound(json.templates, style) };
}

async function publishTemplate(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { publishTemplateUseCase } = await import("../../app/template-index.ts");
  const wish = {
    name: invocation.argument("name"),
    index: invocation.option("index"),
    mayReplace: invocation.flag("replace"),
  };
  const planned = await publishTemplateUseCase.run(context, { ...wish, isDryRun: true });
  const { index, path, branch, action } = planned;
  const what = `${path} on ${branch} of ${index}`;
  if (action === "same")
    return { exitCode: exitCode.completed, json: planned, text: `${what} is the same already.` };
  if (invocation.flag("dryRun"))
    return {
      exitCode: exitCode.completed,
      json: planned,
      text: `${action === "add" ? "Would add" : "Would replace"} ${what}. Nothing was published.`,
    };
  if (!(await isAgreed(context, `${action === "add" ? "Add" : "Replace"} ${what}?`)))
    return { exitCode: exitCode.failed, json: planned, text: "Nothing was published." };
  const json = await publishTemplateUseCase.run(context, { ...wish, isDryRun: false });
  return { exitCode: exitCode.completed, json, text: `${what} is published (${json.commit?.slice(0, 10)}).` };
}

async function addTemplates(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { planTemplates } = await import("../../app/add-templates.ts");
  const { renderOffered } = await import("../render/template.ts");
  const isDryRun = invocation.flag("dryRun");
  const plan = await planTemplates(context, {
    source: invocation.argument("source"),
    ref: invocation.option("ref"),
    mayReplace: invocation.flag("replace"),
    isDryRun,
  });
  const { answer, isRefused } = plan;
  const shown = renderOffered(plan);
  if (isDryRun || isRefused)
    return {
      exitCode: isRefused ? exitCode.failed : exitCode.completed,
      json: answer,
      text: `${shown}\nNothing was written.`,
    };
  const wanted = answer.templates.filter(({ action }) => action !== "same");
  if (wanted.length === 0)
    return {
      exitCode: exitCode.completed,
      json: answer,
      text: "All of them are here already, unchanged.",
    };
  context.progress(shown);
  if (!(await isAgreed(context, `Write ${wanted.map(({ target }) => target).join(", ")}?`)))
    return { exitCode: exitCode.failed, json: answer, text: "Nothing was written." };
  const json = await plan.write();
  const lines = json.written.map((target) => `${target} is written`);
  const next = `  next  ambit run "What is to be done" --template ${wanted[0]?.name ?? ""} --dry-run`;
  return { exitCode: exitCode.completed, json, text: [...lines, next].join("\n") };
}
