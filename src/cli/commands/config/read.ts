import { existsSync } from "node:fs";
import { delegationConfigPath, projectConfigPath, userConfigPath } from "../../../config/config-paths.ts";
import { problemText } from "../../../config/config-problem.ts";
import { loadConfig, resolveConfig } from "../../../config/load-config.ts";
import { placeOf, type ConfigEntry, type ResolvedConfig } from "../../../config/resolved-config.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { renderColumns } from "../../render/columns.ts";
import { visibleText } from "../../../base/visible-text.ts";
import { verdictOutcome } from "../../verdict-outcome.ts";
import { configInput } from "./config-input.ts";

export async function listConfig(context: CommandContext): Promise<CommandOutcome> {
  const { entries, warnings } = await load(context);
  const rows = entries.map((entry) => [entry.key, valueText(entry.value), placeOf(entry.origin)]);
  return {
    exitCode: exitCode.completed,
    json: { settings: entries.map(wireEntry), warnings },
    text: renderColumns([["setting", "value", "origin"], ...rows].map((row) => row.map(visibleText))),
  };
}

export async function getConfig(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const key = invocation.argument("key");
  const { entries } = await load(context);
  const entry = entries.find((candidate) => candidate.key === key) ?? (await refuseKey(key));
  return {
    exitCode: exitCode.completed,
    json: wireEntry(entry),
    text: visibleText(valueText(entry.value)),
  };
}

/** A setting nobody knows is refused in the words of every other place that takes one. */
async function refuseKey(key: string): Promise<never> {
  await loadConfig({ environment: {}, flags: [{ flag: "config get", keys: [key], value: "" }] });
  throw new Error(`The setting ${key} has no value`);
}

async function load(context: CommandContext): Promise<ResolvedConfig> {
  const config = await loadConfig(configInput(context));
  for (const warning of config.warnings) context.warn(warning);
  return config;
}

function wireEntry({ key, value, origin }: ConfigEntry): Readonly<Record<string, unknown>> {
  return { key, value, origin: placeOf(origin), layer: origin.layer };
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.join(",");
  return JSON.stringify(value);
}

export async function checkConfig(context: CommandContext): Promise<CommandOutcome> {
  const result = await resolveConfig(configInput(context));
  const warnings = result.ok ? result.config.warnings : [];
  for (const warning of warnings) context.warn(warning);
  const problems = result.ok ? [] : result.problems;
  const failures = problems.map((problem) => ({ code: problem.code, message: problemText(problem) }));
  const wire = problems.map(({ code, key = null, origin, reason }) => ({
    code,
    key,
    origin: placeOf(origin),
    layer: origin.layer,
    reason,
  }));
  return verdictOutcome(
    {
      fields: { valid: result.ok, problems: wire, warnings },
      passed: "the configuration is valid",
      failures,
    },
    context,
  );
}

export function showPaths(context: CommandContext): CommandOutcome {
  const { configFile, projectRoot } = configInput(context);
  const project = projectRoot === undefined ? [] : projectFiles(projectRoot);
  const userFile = userConfigPath(context);
  const files = [
    ...(configFile === undefined ? project : [configFile]).map((path) => locate("project", path)),
    ...(userFile === undefined ? [] : [locate("user", userFile)]),
  ];
  const rows = files.map(({ layer, path, exists }) => [layer, visibleText(path), exists ? "" : "(missing)"]);
  return { exitCode: exitCode.completed, json: { files }, text: renderColumns(rows) };
}

function projectFiles(root: string): readonly string[] {
  return [projectConfigPath(root), delegationConfigPath(root)];
}

interface ConfigLocation {
  readonly layer: string;
  readonly path: string;
  readonly exists: boolean;
}

function locate(layer: string, path: string): ConfigLocation {
  return { layer, path, exists: existsSync(path) };
}
