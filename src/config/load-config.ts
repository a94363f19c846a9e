import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { configKeys, findConfigKey } from "../contract/config-keys.ts";
import { debugName, environmentNames } from "../contract/environment-names.ts";
import { configError, type ConfigProblem } from "./model/config-problem.ts";
import { delegationConfigPath, projectConfigPath, userConfigPath } from "./config-paths.ts";
import { type ConfigFile, readConfigFile } from "./files/read-file.ts";
import { findContradictions } from "./layers/contradictions.ts";
import { readStory, type StorySource } from "./layers/from-story.ts";
import { buildValues, pickWinners } from "./layers/merge.ts";
import { emptyReading, joinReadings, problemReading, type Reading, type Setting } from "./layers/setting.ts";
import { uniteReadings } from "./layers/unite.ts";
import type { ConfigEntry, Layer, ResolvedConfig } from "./model/resolved-config.ts";
import { describeValue } from "./values/describe-value.ts";
import { parseSwitch, parseText } from "./values/parse-text.ts";
import { checkSetting } from "./layers/check-setting.ts";
import { unknownKey } from "./layers/unknown-key.ts";

const DELEGATIONS = "delegation.maxDelegationsPerStory";
const OWN_WORKERS = "delegation.fanOut.depth0";

/** The setting behind one flag. Text is parsed in the type of the key, because argv has only text. */
export interface FlagSetting {
  readonly flag: string;
  readonly keys: readonly string[];
  readonly value: string | number | boolean;
}

export interface ConfigInput {
  readonly projectRoot?: string | undefined;
  readonly environment: Environment;
  readonly homeDirectory?: string | undefined;
  /** Of two for the same key the later one wins. */
  readonly flags?: readonly FlagSetting[] | undefined;
  readonly story?: StorySource | undefined;
  /** Read instead of the project's own files. */
  readonly configFile?: string | undefined;
}

export type ConfigResult =
  | { readonly ok: true; readonly config: ResolvedConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Loads the configuration in force: flag over environment over story over project over user over default. Throws one
 * `DelegationError` that names every problem of every layer.
 */
export async function loadConfig(input: ConfigInput): Promise<ResolvedConfig> {
  const result = await resolveConfig(input);
  if (result.ok) return result.config;
  throw configError(result.problems);
}

/** As `loadConfig`, with the problems as a value. */
export async function resolveConfig(input: ConfigInput): Promise<ConfigResult> {
  const reading = joinReadings([
    readFlags(input.flags ?? []),
    readEnvironment(input.environment),
    input.story === undefined ? emptyReading : readStory(input.story),
    await readProject(input),
    await readUser(input),
  ]);
  const winners = followDelegations(pickWinners(reading.settings));
  const problems = [...reading.problems, ...findContradictions(winners)];
  if (problems.length > 0) return { ok: false, problems };
  const entries = configKeys.flatMap(({ key }) => winners.get(key) ?? []);
  return { ok: true, config: { values: buildValues(entries), entries, warnings: reading.warnings } };
}

/** The valid settings of the project's own files, or of the file used instead of them, without any other source. */
export async function readProjectSettings(
  projectRoot: string,
  configFile?: string,
): Promise<readonly ConfigEntry[]> {
  return (await readProject({ projectRoot, configFile, environment: {} })).settings;
}

function readFlags(flags: readonly FlagSetting[]): Reading {
  const named = flags.map(({ flag, keys, value }) => ({ source: flag, keys, value }));
  return readNamedValues("flag", named.toReversed());
}

async function readProject({ projectRoot, configFile }: ConfigInput): Promise<Reading> {
  if (configFile !== undefined)
    return uniteReadings([await readConfigFile(projectFile(configFile, configFile))]);
  if (projectRoot === undefined) return emptyReading;
  const main = projectFile(projectConfigPath(projectRoot), "ambit.yaml");
  const section = projectFile(delegationConfigPath(projectRoot), ".ambit/delegation-config.json");
  const readings = [
    await readConfigFile({ ...main, required: false }),
    await readConfigFile({ ...section, rootSection: "delegation", required: false }),
  ];
  return uniteReadings([...readings, { ...emptyReading, warnings: ignoredFiles(projectRoot) }]);
}

function projectFile(path: string, source: string): ConfigFile {
  return { path, origin: { layer: "project", source }, rootSection: "", required: true };
}

/** The other common file ending is easily used by mistake and would otherwise be ignored silently. */
function ignoredFiles(projectRoot: string): readonly string[] {
  return existsSync(join(projectRoot, "ambit.yml")) ? ["ambit.yml is ignored; rename it to ambit.yaml"] : [];
}

async function readUser(input: ConfigInput): Promise<Reading> {
  const path = userConfigPath(input);
  if (path === undefined) return emptyReading;
  const home = input.homeDirectory;
  const source = home !== undefined && path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
  return uniteReadings([
    await readConfigFile({ path, origin: { layer: "user", source }, rootSection: "", required: false }),
  ]);
}

/**
 * More delegations for a story mean more workers of its own, unless a setting limits those: otherwise a default would
 * refuse its eleventh worker.
 */
function followDelegations(winners: ReadonlyMap<string, Setting>): ReadonlyMap<string, Setting> {
  const delegations = winners.get(DELEGATIONS);
  const own = winners.get(OWN_WORKERS);
  if (own?.origin.layer !== "default" || typeof own.value !== "number") return winners;
  if (typeof delegations?.value !== "number" || delegations.value <= own.value) return winners;
  return new Map([...winners, [OWN_WORKERS, { ...delegations, key: OWN_WORKERS }]]);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the environment. An empty variable counts as not set, because shells leave such variables behind. */
function readEnvironment(environment: Environment): Reading {
  const named = environmentNames.flatMap(({ name, keys }) => {
    const value = environment[name]?.trim() ?? "";
    return value === "" ? [] : [{ source: name, keys, value }];
  });
  return joinReadings([readDebugSwitch(environment), readNamedValues("environment", named)]);
}

function readDebugSwitch(environment: Environment): Reading {
  const { name: source, keys } = debugName;
  const word = environment[source]?.trim() ?? "";
  const isOn = word === "" ? false : parseSwitch(word);
  if (isOn === true) return readNamedValues("environment", [{ source, keys, value: "debug" }]);
  if (isOn === false) return emptyReading;
  const reason = `is ${describeValue(word)}; expected 1 or 0`;
  return problemReading({ code: "CONFIG_INVALID", origin: { layer: "environment", source }, reason });
}

/** One flag or variable, and the settings it sets. */
interface NamedValue {
  readonly source: string;
  readonly keys: readonly string[];
  readonly value: string | number | boolean;
}

/** Settings of the command line or the environment; of two values for one key the first wins. */
function readNamedValues(layer: Layer, named: readonly NamedValue[]): Reading {
  return joinReadings(named.map((entry) => readNamedValue(layer, entry)));
}

/** A value that is wrong for several keys is one mistake, so only the first is reported. */
function readNamedValue(layer: Layer, { source, keys, value }: NamedValue): Reading {
  const readings = keys.map((name) => {
    const origin = { layer, source };
    const key = findConfigKey(name);
    if (key === undefined) return unknownKey(name, origin);
    return checkSetting(key, typeof value === "string" ? parseText(key, value) : value, origin);
  });
  const broken = readings.find(({ problems }) => problems.length > 0);
  return broken ?? joinReadings(readings);
}
