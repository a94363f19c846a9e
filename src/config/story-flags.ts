import type { StoryFlags } from "../contract/config.ts";
import { settingsOf } from "./layers/from-story.ts";
import type { FlagSetting } from "./load-config.ts";

const flagNames: readonly (readonly [keyof StoryFlags, string])[] = [
  ["enabled", "--enable-delegation"],
  ["maxDepth", "--depth"],
  ["maxDelegations", "--delegations"],
  ["maxConcurrent", "--parallel"],
];

/** The flags of a story as settings, each with the name a person knows it by. */
export function listFlagSettings(flags: StoryFlags = {}): readonly FlagSetting[] {
  return flagNames.flatMap(([name, flag]) => {
    const value = flags[name];
    return value === undefined ? [] : [{ flag, keys: settingsOf[name] ?? [], value }];
  });
}
