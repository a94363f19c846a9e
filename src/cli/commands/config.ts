import type { Command } from "commander";
import { formatList } from "../../base/list-text.ts";
import { visibleText } from "../../base/visible-text.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderColumns } from "../render/columns.ts";
import { renderVerdict } from "../render/verdict.ts";
import { verdictOutcome } from "../outcome/verdict-outcome.ts";

export function register(command: Command, act: Act): void {
  command.description("Show, change or check settings. Each value is shown with its origin.");
  command
    .command("list")
    .description("List every setting in force, with its origin.")
    .action(act(listConfig))
    .addHelpText("after", "\nExample:\n  ambit config list --json");
  command
    .command("get")
    .description("Print one value, alone on stdout.")
    .argument("<key>", "such as delegation.maxDepth")
    .action(act(getConfig))
    .addHelpText("after", "\nExample:\n  ambit config get delegation.maxDepth");
  command
    .command("set")
    .description("Set one key of ambit.yaml and leave the rest of the file as it is.")
    .argument("<key>", "such as delegation.maxDepth")
    .argument("<value>", "a number, a word, a list (a,b or JSON), or none for no limit")
    .option("--user", "in your own configuration instead of the project's")
    .action(act(setConfig))
    .addHelpText("after", "\nExample:\n  ambit config set delegation.cost.perStoryUsd 5");
  command
    .command("check")
    .description("List the problems of all files and variables; exit 2 if there are any.")
    .action(act(checkConfig))
    .addHelpText("after", "\nExample:\n  ambit config check");
  command
    .command("schema")
    .description("Print the JSON Schema of ambit.yaml.")
    .action(act(showSchema))
    .addHelpText("after", "\nExample:\n  ambit config schema > ambit.schema.json");
  command
    .command("path")
    .description("List the files that are read, strongest first.")
    .action(act(showPaths))
    .addHelpText("after", "\nExample:\n  ambit config path");
  command.addHelpText("after", "\nExample:\n  ambit config set delegation.maxDepth 1");
}

async function listConfig(context: CommandContext): Promise<CommandOutcome> {
  const { listConfigUseCase } = await import("../../app/config.ts");
  const json = await listConfigUseCase.run(context, {});
  const rows = json.settings.map(({ key, value, origin }) => [key, renderValue(value) || "[]", origin]);
  const text = renderColumns([["setting", "value", "origin"], ...rows].map((row) => row.map(visibleText)));
  return { exitCode: exitCode.completed, json, text };
}

async function getConfig(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { getConfigUseCase } = await import("../../app/config.ts");
  const json = await getConfigUseCase.run(context, { key: invocation.argument("key") });
  return { exitCode: exitCode.completed, json, text: visibleText(renderValue(json.value)) };
}

function renderValue(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? formatList(value) : JSON.stringify(value);
}

async function setConfig(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { setConfigUseCase } = await import("../../app/config.ts");
  const json = await setConfigUseCase.run(context, {
    key: invocation.argument("key"),
    value: invocation.argument("value"),
    isUser: invocation.flag("user"),
  });
  const { key, value, previous, file } = json;
  const before = previous === null ? "" : `, was ${JSON.stringify(previous)}`;
  const message = `${key} is ${JSON.stringify(value)} in ${file}${before}`;
  return { exitCode: exitCode.completed, json, text: renderVerdict({ ok: true, message }, context) };
}

async function checkConfig(context: CommandContext): Promise<CommandOutcome> {
  const { checkConfigUseCase } = await import("../../app/config.ts");
  return verdictOutcome(await checkConfigUseCase.run(context, {}), context);
}

async function showSchema(context: CommandContext): Promise<CommandOutcome> {
  const { configSchemaUseCase } = await import("../../app/config.ts");
  const json = await configSchemaUseCase.run(context, {});
  return { exitCode: exitCode.completed, json, text: JSON.stringify(json.json_schema, null, 2) };
}

async function showPaths(context: CommandContext): Promise<CommandOutcome> {
  const { configPathsUseCase } = await import("../../app/config.ts");
  const json = await configPathsUseCase.run(context, {});
  const rows = json.files.map(({ layer, path, exists }) => [
    layer,
    visibleText(path),
    exists ? "" : "(missing)",
  ]);
  return { exitCode: exitCode.completed, json, text: renderColumns(rows) };
}
