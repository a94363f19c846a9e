import { DelegationError } from "../../../base/delegation-error.ts";
import { projectConfigPath, userConfigPath } from "../../../config/config-paths.ts";
import { setConfigValue } from "../../../config/edit-config.ts";
import { resolveConfig } from "../../../config/load-config.ts";
import { placeOf } from "../../../config/resolved-config.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { configInput } from "./config-input.ts";

export async function setConfig(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const file = findFile(context, invocation.flag("user"));
  const { key, value, previous } = await setConfigValue(
    file,
    invocation.argument("key"),
    invocation.argument("value"),
  );
  await warnIfOverruled(context, key, value);
  const before = previous === undefined ? "" : `, was ${JSON.stringify(previous)}`;
  return {
    exitCode: exitCode.completed,
    json: { key, value, previous: previous ?? null, file },
    text: renderVerdict(
      { ok: true, message: `${key} is ${JSON.stringify(value)} in ${file}${before}` },
      context,
    ),
  };
}

function findFile(context: CommandContext, isUser: boolean): string {
  if (isUser && context.configFile !== undefined) {
    throw usage("--user and --config name two files", "Use one of them.");
  }
  const { configFile, projectRoot } = configInput(context);
  if (configFile !== undefined) return configFile;
  if (isUser) return findUserFile(context);
  if (projectRoot !== undefined) return projectConfigPath(projectRoot);
  throw new DelegationError({
    code: "NOT_A_REPOSITORY",
    message: `${context.directory} is not inside a git repository, so there is no project to configure`,
    recommendation: "Run git init, use -C <dir>, or set it for yourself with --user.",
  });
}

function findUserFile(context: CommandContext): string {
  const file = userConfigPath(context);
  if (file !== undefined) return file;
  throw usage("There is no home directory for your own configuration", "Set HOME or XDG_CONFIG_HOME.");
}

/** Somebody who sets a value expects it to hold; a stronger layer may say otherwise. */
async function warnIfOverruled(context: CommandContext, key: string, value: unknown): Promise<void> {
  const result = await resolveConfig(configInput(context));
  const entry = result.ok ? result.config.entries.find((candidate) => candidate.key === key) : undefined;
  if (entry === undefined || JSON.stringify(entry.value) === JSON.stringify(value)) return;
  context.warn(`${placeOf(entry.origin)} is stronger and sets ${key} to ${JSON.stringify(entry.value)}`);
}
