import { projectConfigPath } from "../../config/config-paths.ts";
import { readProjectSettings } from "../../config/load-config.ts";
import type { ConfigEntry } from "../../config/resolved-config.ts";
import { pathExists, readRegularText } from "../../base/files.ts";
import { isOfProject } from "./is-of-project.ts";
import { hashText, type TrustItem } from "./trust-item.ts";

/**
 * Settings that run a command, start an agent that the person did not choose, write outside the project, open a sandbox, hand out variables or
 * ignored files of the person, or name a repository that git talks to. A value that does nothing does not count.
 */
const settingKeys: ReadonlySet<string> = new Set([
  "workspace.setup",
  "workspace.dir",
  "workspace.network",
  "workspace.services",
  "workspace.include",
  "workspace.env.pass",
  "workspace.env.set",
  "verification.test",
  "verification.reviewer",
  "agents.fallback",
  "agents.addresses",
  "agents.environment",
  "agents.mcp",
  "notify.command",
  "cluster.hub",
  "templates.index",
]);

/** The words that one of these settings cannot do without; a backslash could hide one. */
const TELLING =
  /\\|setup|dir|network|services|include|env|test|reviewer|fallback|addresses|mcp|notify|hub|index/;

/**
 * Reads what the project's settings name, and those of a file of the project that replaces them (`--config`). Settings
 * with a mistake name nothing: no command starts with them.
 */
export async function readSettingItems(
  projectRoot: string,
  configFile?: string,
): Promise<readonly TrustItem[]> {
  const own = maySetSomething(projectConfigPath(projectRoot)) ? await readProjectSettings(projectRoot) : [];
  const isAsked = configFile !== undefined && isOfProject(configFile, projectRoot);
  const used =
    isAsked && maySetSomething(configFile) ? await readProjectSettings(projectRoot, configFile) : [];
  const found = [...own, ...used.filter((setting) => !own.some((known) => isSame(known, setting)))];
  return found
    .filter(({ key, value }) => settingKeys.has(key) && !isIdle(value))
    .map(({ key, value, origin }) => {
      const shown = typeof value === "string" ? value : JSON.stringify(value);
      return { file: origin.source, field: key, text: shown, hash: hashText(shown) };
    });
}

/** Most settings are limits, and parsing takes longer than everything else here. */
function maySetSomething(file: string): boolean {
  if (!pathExists(file)) return false;
  const text = readRegularText(file);
  return text === undefined || TELLING.test(text);
}

function isSame(one: ConfigEntry, other: ConfigEntry): boolean {
  return one.key === other.key && JSON.stringify(one.value) === JSON.stringify(other.value);
}

function isIdle(value: unknown): boolean {
  return value === null || value === false || (typeof value === "object" && Object.keys(value).length === 0);
}
