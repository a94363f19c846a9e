import type * as Yaml from "yaml";

export type YamlLibrary = typeof Yaml;

/** Loaded only when there is a file to read: a command without one must not pay for it at start-up. */
export async function loadYaml(): Promise<YamlLibrary> {
  return import("yaml");
}
