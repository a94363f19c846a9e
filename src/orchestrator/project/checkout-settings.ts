import { systemClock } from "../../base/clock.ts";
import { loadConfig } from "../../config/load-config.ts";
import { limitsFromConfig } from "../../contract/config-limits.ts";
import { readCheckSettings } from "../checks/check-settings.ts";
import type { RunSettings, RunTools, StorySettingsSource } from "../ports/run-tools.ts";
import type { Environment } from "../ports/story-origins.ts";

export interface ConfigPlace {
  /** The root of a checkout. */
  readonly projectRoot: string;
  readonly environment: Environment;
  readonly home: string;
}

/** The settings of one checkout, read again when they may have changed. */
export function readCheckoutSettings(place: ConfigPlace): RunTools["settings"] {
  return cachedSettings((story) => readSettings(place, story));
}

async function readSettings(
  place: ConfigPlace,
  story: StorySettingsSource | undefined,
): Promise<RunSettings> {
  const { projectRoot, home } = place;
  const environment = story?.environment ?? place.environment;
  const { values } = await loadConfig({ projectRoot, environment, homeDirectory: home, story });
  return {
    limits: limitsFromConfig(values, "story"),
    ...readCheckSettings(values),
    defaultAgent: values.agents.default,
    testCommand: values.verification.test,
    artifactTypes: values.verification.artifactTypes,
    retry: values.delegation.retry,
    reassignSilent: values.delegation.idle.reassign,
    keepWorkspaces: values.delegation.logging.saveWorktrees,
    metering: values.agents.metering,
    unmetered: values.agents.unmetered,
  };
}

const SETTINGS_FRESH_MS = 1000;

/** Every stage asks, so the files are read at most once a second, and again for every story that is opened. */
function cachedSettings(read: (story?: StorySettingsSource) => Promise<RunSettings>): RunTools["settings"] {
  let cached: { readonly at: number; readonly settings: Promise<RunSettings> } | undefined;
  return (story) => {
    if (story !== undefined) {
      cached = undefined;
      return read(story);
    }
    const now = systemClock.monotonicMs();
    if (cached === undefined || now - cached.at > SETTINGS_FRESH_MS) cached = { at: now, settings: read() };
    return cached.settings;
  };
}
