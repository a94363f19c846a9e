import { relative } from "node:path";
import type { Command } from "commander";
import type { InitAnswer } from "../../app/init.ts";
import { visibleText } from "../../base/visible-text.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { isAgreed } from "../input/ask-person.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderColumns } from "../render/columns.ts";
import { renderVerdict } from "../render/verdict.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Set this project up: detects it, shows ambit.yaml, writes it. Never overwrites.")
    .usage("[--yes] [--agent <name>] [--minimal] [--dry-run]")
    .option("--agent <name>", "who works on stories unless another is named")
    .option("--minimal", "only what differs from the defaults")
    .option("--dry-run", "only show it")
    .action(act(initProject))
    .addHelpText("after", "\nExample:\n  ambit init --yes --agent claude");
}

async function initProject(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { planInit } = await import("../../app/init.ts");
  const wish = { agent: invocation.option("agent"), isMinimal: invocation.flag("minimal") };
  const { answer, isThere, write } = await planInit(context, wish);
  if (isThere) return { exitCode: exitCode.completed, json: answer, text: renderExisting(answer) };
  if (invocation.flag("dryRun"))
    return {
      exitCode: exitCode.completed,
      json: answer,
      text: `${renderPreview(answer)}\nNothing was written.`,
    };
  context.progress(renderPreview(answer));
  const names = answer.files.map(({ path }) => relative(answer.project, path));
  if (!(await isAgreed(context, `Write ${names.join(" and ")}?`)))
    return { exitCode: exitCode.failed, json: answer, text: "Nothing was written." };
  const json = await write();
  return { exitCode: exitCode.completed, json, text: renderWritten(context, json) };
}

/** Every file that would be written, as it would be. */
function renderPreview({
  project,
  languages,
  test,
  test_found_in: place,
  agents,
  files,
}: InitAnswer): string {
  const programs = agents.map(({ name, text }) => `${name} ${text}`).join("; ");
  const rows = [
    ["project", project],
    ["languages", languages.join(", ") || "none recognised"],
    ["tests", test === null ? "no command found" : `${test}  (${place ?? ""})`],
    ["agents", programs || "none on PATH; any program works after --"],
  ];
  const texts = files.map(({ path, content }) => {
    const lines = content.trimEnd().split("\n");
    return `writes ${relative(project, path)}\n${lines.map((line) => `  ${line}`.trimEnd()).join("\n")}`;
  });
  return visibleText([renderColumns(rows), ...texts].join("\n\n"));
}

function renderWritten(context: CommandContext, answer: InitAnswer): string {
  if (!answer.written) return renderExisting(answer);
  const { files, default_agent: agent } = answer;
  const lines = files
    .filter(({ written }) => written)
    .map(({ path }) => renderVerdict({ ok: true, message: `${path} is written` }, context));
  const how = agent === null ? "-- <program>" : `--agent ${agent}`;
  return `${lines.join("\n")}\n  next  ambit run "What is to be done" ${how}`;
}

function renderExisting({ file }: InitAnswer): string {
  return `${file} is there already and stays as it is.\n  see     ambit config list\n  change  ambit config set <key> <value>`;
}
