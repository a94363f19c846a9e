import { storyConfigKeys } from "../../contract/config-keys.ts";
import type { Origin } from "../model/resolved-config.ts";
import { describeValue } from "../values/describe-value.ts";
import { checkSetting } from "./check-setting.ts";
import { joinReadings, problemReading, type Reading } from "./setting.ts";
import { unknownKey } from "./unknown-key.ts";

/** A story's own limits, as in its file. */
export interface StorySource {
  readonly id: string;
  readonly delegationConfig: unknown;
}

const PREFIX = "delegationConfig.";

/** Every setting of a story's file that a field of it sets. */
export const settingsOf: Readonly<Record<string, readonly string[]>> = {
  enabled: ["delegation.enabled"],
  maxDelegations: ["delegation.maxDelegationsPerStory"],
  maxWorkers: ["delegation.fanOut.depth0"],
  // The limits of a story apply to its own tree, however that tree is started.
  maxDepth: ["delegation.maxDepth", "delegation.workflowMaxDepth"],
  parallel: ["delegation.parallel.enabled"],
  maxConcurrent: ["delegation.parallel.maxConcurrent"],
  timeoutSeconds: ["delegation.parallel.timeoutSeconds"],
  budgetUsd: ["delegation.cost.perStoryUsd"],
  maxContextPerAgent: ["delegation.maxContextPerAgent"],
};

/** Settings of a story. They may be looser than the project's, never above the hard caps. */
export function readStory({ id, delegationConfig }: StorySource): Reading {
  const origin: Origin = { layer: "story", source: id };
  if (delegationConfig === undefined || delegationConfig === null) return joinReadings([]);
  if (typeof delegationConfig !== "object" || Array.isArray(delegationConfig)) {
    const reason = `delegationConfig is ${describeValue(delegationConfig)}; expected a mapping`;
    return problemReading({ code: "CONFIG_INVALID", origin, reason });
  }
  const fields: [string, unknown][] = Object.entries(delegationConfig);
  const given = fields.filter(([, value]) => value !== undefined);
  return joinReadings(given.map(([name, value]) => readField(name, value, origin)));
}

function readField(name: string, value: unknown, origin: Origin): Reading {
  const known = storyConfigKeys.map(({ key }) => PREFIX + key);
  const key = storyConfigKeys.find((candidate) => candidate.key === name);
  if (key === undefined) return unknownKey(PREFIX + name, origin, known);
  const { settings, ...reading } = checkSetting({ ...key, key: PREFIX + name }, value, origin);
  return {
    ...reading,
    settings: settings.flatMap((setting) =>
      (settingsOf[name] ?? []).map((settingKey) => ({ key: settingKey, value: setting.value, origin })),
    ),
  };
}
