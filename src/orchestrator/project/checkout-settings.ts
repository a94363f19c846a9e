import { systemClock } from "../../base/clock.ts";
import { loadConfig, type ConfigInput } from "../../config/load-config.ts";
import { formatOrigin, type ResolvedConfig } from "../../config/resolved-config.ts";
import { listFlagSettings } from "../../config/story-flags.ts";
import { limitsFromConfig } from "../../contract/config-limits.ts";
import { CONFIG_FILE_NAME, settingNames } from "../../contract/environment-names.ts";
import { readAddresses } from "../../contract/services.ts";
import type { StorySetting } from "../../contract/story-setting.ts";
import { readCheckSettings } from "../checks/check-settings.ts";
import type { RunSettings, RunTools, SettingsSource } from "../ports/run-tools.ts";
import type { Environment } from "../ports/story-origins.ts";

export interface ConfigPlace {
  /** The root of a checkout. */
  readonly projectRoot: string;
  /** This process's own, for the folder of the user's settings. */
  readonly environment: Environment;
  readonly home: string;
}

/** The settings of one checkout, read again when they may have changed. */
export function readCheckoutSettings(place: ConfigPlace): RunTools["settings"] {
  return cachedSettings((source) => readSettings(place, source));
}

async function readSettings(place: ConfigPlace, source: SettingsSource): Promise<RunSettings> {
  const config = await loadConfig(buildConfigInput(place, source));
  const { values } = config;
  return {
    limits: limitsFromConfig(values, "story"),
    origins: listOrigins(config),
    ...readCheckSettings(values),
    defaultAgent: values.agents.default,
    testCommand: values.verification.test,
    artifactTypes: values.verification.artifactTypes,
    retry: values.delegation.retry,
    reassignSilent: values.delegation.idle.reassign,
    keepWorkspaces: values.delegation.logging.saveWorktrees,
    addresses: readAddresses(values.agents.addresses),
    metering: values.agents.metering,
    unmetered: values.agents.unmetered,
    agentVariables: values.agents.environment,
  };
}

/** The variables of the process that happens to run the story decide nothing: those of the story's own shell do. */
export function buildConfigInput(
  { projectRoot, environment, home }: ConfigPlace,
  { environment: shell, story }: SettingsSource,
): ConfigInput {
  return {
    projectRoot,
    environment: shell ?? dropSettings(environment),
    homeDirectory: home,
    configFile: shell?.[CONFIG_FILE_NAME],
    story: story === undefined ? undefined : { id: story.id, delegationConfig: story.delegationConfig },
    flags: listFlagSettings(story?.flags),
  };
}

function dropSettings(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !settingNames.includes(name)));
}

/** What a story keeps of its settings: those that somebody set. */
export function listOrigins({ entries }: ResolvedConfig): readonly StorySetting[] {
  return entries.flatMap(({ key, value, origin }) =>
    key.startsWith("delegation.") && origin.layer !== "default" && isPlain(value)
      ? [{ name: key, value, origin: formatOrigin(origin) }]
      : [],
  );
}

function isPlain(value: unknown): value is StorySetting["value"] {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

const SETTINGS_FRESH_MS = 1000;
const MAX_SHELLS = 20;

interface ReadBefore {
  readonly at: number;
  readonly settings: Promise<RunSettings>;
}

/** Every stage asks, so the files are read at most once a second for each shell, and again for every story that is opened. */
function cachedSettings(read: (source: SettingsSource) => Promise<RunSettings>): RunTools["settings"] {
  const cached = new Map<string, ReadBefore>();
  return (source = {}) => {
    if (source.story !== undefined) {
      cached.clear();
      return read(source);
    }
    const shell = describeShell(source.environment);
    const now = systemClock.monotonicMs();
    const known = cached.get(shell);
    if (known !== undefined && now - known.at <= SETTINGS_FRESH_MS) return known.settings;
    if (cached.size >= MAX_SHELLS) cached.clear();
    const settings = read(source);
    cached.set(shell, { at: now, settings });
    return settings;
  };
}

/** Shells in which everything that settings depend on is the same have the same settings. */
function describeShell(environment: Environment | undefined): string {
  if (environment === undefined) return "";
  return JSON.stringify([...settingNames, "XDG_CONFIG_HOME"].map((name) => environment[name] ?? null));
}
