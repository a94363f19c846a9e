import { systemClock } from "../../base/clock.ts";
import { loadConfig, type ConfigInput } from "../../config/load-config.ts";
import { formatOrigin, type ResolvedConfig } from "../../config/resolved-config.ts";
import { listFlagSettings } from "../../config/story-flags.ts";
import { limitsFromConfig } from "../../contract/config-limits.ts";
import { CONFIG_FILE_NAME, settingNames } from "../../contract/environment-names.ts";
import { readAddresses } from "../../contract/services.ts";
import type { StorySetting } from "../../contract/story-setting.ts";
import { readCheckSettings } from "../checks/check-settings.ts";
import { readDepthPolicy } from "../split/adapt-depth.ts";
import type { RunSettings, SettingsSource } from "../ports/run-tools.ts";
import type { Environment } from "../ports/story-origins.ts";

export interface ConfigPlace {
  /** The root of a checkout. */
  readonly projectRoot: string;
  /** This process's own, for the folder of the user's settings. */
  readonly environment: Environment;
  readonly home: string;
  /** The shell that a story came from; without one, no variable counts. */
  readonly shell?: Environment | undefined;
}

/** The settings of one checkout for any shell, read again when they may have changed. */
export function readCheckoutSettings(place: Omit<ConfigPlace, "shell">): ReadSettings {
  return cachedSettings((shell, source) => readSettings({ ...place, shell }, source));
}

async function readSettings(place: ConfigPlace, source?: SettingsSource): Promise<RunSettings> {
  const config = await loadConfig(buildConfigInput(place, source));
  const { values } = config;
  return {
    limits: limitsFromConfig(values, "story"),
    origins: listOrigins(config),
    depthPolicy: readDepthPolicy(config),
    ...readCheckSettings(values),
    defaultAgent: values.agents.default,
    testCommand: values.verification.test,
    reviewer: values.verification.reviewer,
    artifactTypes: values.verification.artifactTypes,
    retry: values.delegation.retry,
    reassignSilent: values.delegation.idle.reassign,
    reassignLate: values.delegation.idle.reassignLate,
    fallbackAgent: values.agents.fallback,
    keepWorkspaces: values.delegation.logging.saveWorktrees,
    addresses: readAddresses(values.agents.addresses),
    metering: values.agents.metering,
    unmetered: values.agents.unmetered,
    agentVariables: values.agents.environment,
    mcpServers: values.agents.mcp,
  };
}

/** The variables of the process that happens to run the story decide nothing; those of the story's own shell count. */
export function buildConfigInput(
  { projectRoot, environment, home, shell }: ConfigPlace,
  { story }: SettingsSource = {},
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

const keptSections = ["delegation.", "workspace.", "verification.", "agents.", "tasks."];

/** Values of variables are never in the journal. */
const UNKEPT = "workspace.env.";

/** The task of a story is settled in the folder it was taken from, whatever the project's settings are by then. */
const ALWAYS_KEPT = "tasks.dir";

const MAX_KEPT_LENGTH = 2000;

/** The settings that a story keeps: those that were set explicitly. */
export function listOrigins({ entries }: ResolvedConfig): readonly StorySetting[] {
  return entries.flatMap(({ key, value, origin }) =>
    isKept(key, origin.layer) && isPlain(value)
      ? [{ name: key, value: cutText(value), origin: formatOrigin(origin) }]
      : [],
  );
}

function isKept(key: string, layer: string): boolean {
  if (key === ALWAYS_KEPT) return true;
  return (
    layer !== "default" && keptSections.some((section) => key.startsWith(section)) && !key.startsWith(UNKEPT)
  );
}

function cutText(value: StorySetting["value"]): StorySetting["value"] {
  return typeof value === "string" ? value.slice(0, MAX_KEPT_LENGTH) : value;
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

type ReadSettings = (shell: Environment | undefined, source?: SettingsSource) => Promise<RunSettings>;

/**
 * Every stage asks for settings, so the files are read at most once a second for each shell, and again for every story
 * that is opened.
 */
function cachedSettings(read: ReadSettings): ReadSettings {
  const cached = new Map<string, ReadBefore>();
  return (shell, source = {}) => {
    if (source.story !== undefined) {
      cached.clear();
      return read(shell, source);
    }
    const name = describeShell(shell);
    const now = systemClock.monotonicMs();
    const known = cached.get(name);
    if (known !== undefined && now - known.at <= SETTINGS_FRESH_MS) return known.settings;
    if (cached.size >= MAX_SHELLS) cached.clear();
    const settings = read(shell);
    cached.set(name, { at: now, settings });
    return settings;
  };
}

/** Shells with the same inputs have the same settings. */
function describeShell(environment: Environment | undefined): string {
  if (environment === undefined) return "";
  return JSON.stringify([...settingNames, "XDG_CONFIG_HOME"].map((name) => environment[name] ?? null));
}
