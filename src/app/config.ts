import { existsSync } from "node:fs";
import * as z from "zod";
import { delegationConfigPath, projectConfigPath, userConfigPath } from "../config/config-paths.ts";
import {
  formatOrigin,
  formatProblem,
  type ConfigEntry,
  type ResolvedConfig,
} from "../config/resolved-config.ts";
import { setConfigValue } from "../config/edit-config.ts";
import { loadConfig, resolveConfig } from "../config/load-config.ts";
import { buildJsonSchema } from "../contract/json-schemas.ts";
import { configErrors } from "../errors/config.ts";
import { usageError } from "../errors/usage.ts";
import { findUnknownAgents } from "./agents/unknown-agents.ts";
import type { AppContext } from "./project/app-context.ts";
import { configInput } from "./project/config-input.ts";
import { keepTrust } from "./project/require-trust.ts";
import { defineUseCase } from "./use-case.ts";
import { describeVerdict, verdictFields } from "./check/verdict.ts";

const setting = () =>
  z.looseObject({
    key: z.string(),
    value: z.unknown(),
    origin: z.string().describe("The file, variable or flag that set it"),
    layer: z.string(),
  });

/** List every setting in force, with its origin. */
export const listConfigUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output: () => z.looseObject({ settings: z.array(setting()), warnings: z.array(z.string()) }),
  isReadOnly: true,
  run: async (context) => {
    const { entries, warnings } = await loadWithWarnings(context);
    return { settings: entries.map(describeEntry), warnings: [...warnings] };
  },
});

/** One setting, with its origin. */
export const getConfigUseCase = defineUseCase({
  input: () => z.strictObject({ key: z.string() }),
  output: setting,
  isReadOnly: true,
  run: async (context, { key }) => {
    const { entries } = await loadWithWarnings(context);
    return describeEntry(entries.find((entry) => entry.key === key) ?? (await refuseKey(key)));
  },
});

/** An unknown setting is refused in the words of every other place that takes one. */
async function refuseKey(key: string): Promise<never> {
  await loadConfig({ environment: {}, flags: [{ flag: "config get", keys: [key], value: "" }] });
  throw new Error(`The setting ${key} has no value`);
}

async function loadWithWarnings(context: AppContext): Promise<ResolvedConfig> {
  const config = await loadConfig(configInput(context));
  for (const warning of config.warnings) context.warn(warning);
  return config;
}

function describeEntry({ key, value, origin }: ConfigEntry): z.output<ReturnType<typeof setting>> {
  return { key, value, origin: formatOrigin(origin), layer: origin.layer };
}

/** Sets one key of a file and leaves the rest of the file as it is. */
export const setConfigUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      key: z.string(),
      value: z
        .string()
        .describe(
          "As it is written on a command line; lists by comma or in JSON, maps as NAME=value or in JSON",
        ),
      isUser: z.boolean().default(false).describe("In the person's own configuration"),
    }),
  output: () =>
    z.looseObject({ key: z.string(), value: z.unknown(), previous: z.unknown(), file: z.string() }),
  onlyPeople: "never changes the configuration",
  run: async (context, { key: wanted, value: text, isUser }) => {
    const file = findFile(context, isUser);
    const { key, value, previous } = await keepTrust(context, () => setConfigValue(file, wanted, text));
    const result = await resolveConfig(configInput(context));
    if (!result.ok) return { key, value, previous: previous ?? null, file };
    warnIfOverruled(context, { key, value }, result.config);
    for (const warning of await listUnknownAgents(context, result.config))
      if (warning.startsWith(`${key} `)) context.warn(warning);
    return { key, value, previous: previous ?? null, file };
  },
});

function findFile(context: AppContext, isUser: boolean): string {
  const { configFile, projectRoot } = configInput(context);
  if (isUser && configFile !== undefined)
    throw usageError("--user and --config name two files", "Use one of them.");
  if (configFile !== undefined) return configFile;
  if (!isUser && projectRoot === undefined) throw configErrors.noProject(context.directory);
  const file = projectRoot === undefined || isUser ? userConfigPath(context) : projectConfigPath(projectRoot);
  if (file !== undefined) return file;
  throw usageError("There is no home directory for your own configuration", "Set HOME or XDG_CONFIG_HOME.");
}

/** People who set a value expect it to hold; a stronger layer may say otherwise. */
function warnIfOverruled(
  context: AppContext,
  { key, value }: { readonly key: string; readonly value: unknown },
  { entries }: ResolvedConfig,
): void {
  const entry = entries.find((candidate) => candidate.key === key);
  if (entry === undefined || JSON.stringify(entry.value) === JSON.stringify(value)) return;
  context.warn(`${formatOrigin(entry.origin)} is stronger and sets ${key} to ${JSON.stringify(entry.value)}`);
}

async function listUnknownAgents(
  context: AppContext,
  { values }: ResolvedConfig,
): Promise<readonly string[]> {
  const { projectRoot } = configInput(context);
  return projectRoot === undefined ? [] : findUnknownAgents(projectRoot, values);
}

const problem = () =>
  z.looseObject({
    code: z.string(),
    key: z.string().nullable(),
    origin: z.string(),
    layer: z.string(),
    reason: z.string(),
  });

/** Every problem of every file and variable. */
export const checkConfigUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output: () =>
    z.looseObject({
      valid: z.boolean(),
      problems: z.array(problem()),
      warnings: z.array(z.string()),
      ...verdictFields(),
    }),
  isReadOnly: true,
  run: async (context) => {
    const result = await resolveConfig(configInput(context));
    const warnings = result.ok
      ? [...result.config.warnings, ...(await listUnknownAgents(context, result.config))]
      : [];
    for (const warning of warnings) context.warn(warning);
    const problems = result.ok ? [] : result.problems;
    const failures = problems.map((one) => ({ code: one.code, message: formatProblem(one) }));
    return {
      valid: result.ok,
      problems: problems.map(({ code, key = null, origin, reason }) => ({
        code,
        key,
        origin: formatOrigin(origin),
        layer: origin.layer,
        reason,
      })),
      warnings,
      ...describeVerdict("the configuration is valid", failures),
    };
  },
});

/** The JSON Schema of ambit.yaml. `schema` is the document's own format, so it has another key. */
export const configSchemaUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output: () => z.looseObject({ json_schema: z.record(z.string(), z.unknown()) }),
  isReadOnly: true,
  run: async () => ({ json_schema: { ...buildJsonSchema("config") } }),
});

const file = () => z.looseObject({ layer: z.string(), path: z.string(), exists: z.boolean() });

/** List the files that are read, strongest first. */
export const configPathsUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output: () => z.looseObject({ files: z.array(file()) }),
  isReadOnly: true,
  run: async (context) => {
    const { configFile, projectRoot } = configInput(context);
    const ofProject =
      projectRoot === undefined ? [] : [projectConfigPath(projectRoot), delegationConfigPath(projectRoot)];
    const userFile = userConfigPath(context);
    const locate = (layer: string, path: string): z.output<ReturnType<typeof file>> => ({
      layer,
      path,
      exists: existsSync(path),
    });
    return {
      files: [
        ...(configFile === undefined ? ofProject : [configFile]).map((path) => locate("project", path)),
        ...(userFile === undefined ? [] : [locate("user", userFile)]),
      ],
    };
  },
});
