import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathExists, readRegularText } from "../base/files.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { CONFIG_FILE_NAME } from "../contract/environment-names.ts";

/** Where the variables of open stories are kept, one file for each. */
export function locateEnvironments(stateDirectory: string): string {
  return join(stateDirectory, "environments");
}

/** The settings files that open stories were started with (`--config`): a new runtime continues them with these. */
export function listNamedConfigFiles(stateDirectory: string): readonly string[] {
  const folder = locateEnvironments(stateDirectory);
  if (!pathExists(folder)) return [];
  const named = readdirSync(folder).flatMap((name) => findNamedFile(join(folder, name)) ?? []);
  return [...new Set(named)].toSorted();
}

function findNamedFile(kept: string): string | undefined {
  const text = readRegularText(kept);
  const saved: unknown = text === undefined ? undefined : parseJson(text);
  const environment = isRecord(saved) ? saved["environment"] : undefined;
  const file = isRecord(environment) ? environment[CONFIG_FILE_NAME] : undefined;
  return typeof file === "string" ? file : undefined;
}
