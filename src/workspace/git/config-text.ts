import type { Repository } from "./repository.ts";

/** Builds the config file of a git directory of ours. */
export function buildConfigText(
  repository: Repository,
  settings: readonly (readonly [string, string])[],
): string {
  const isPlain = repository.objectFormat === "sha1";
  const format = isPlain ? "" : `[extensions]\n\tobjectFormat = ${repository.objectFormat}\n`;
  const lines = settings.map(([key, value]) => {
    const dot = key.indexOf(".");
    return `[${key.slice(0, dot)}]\n\t${key.slice(dot + 1)} = ${quoteConfigValue(value)}\n`;
  });
  return `[core]\n\trepositoryformatversion = ${isPlain ? "0" : "1"}\n\tbare = false\n${format}${lines.join("")}`;
}

function quoteConfigValue(value: string): string {
  const escaped = value
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
  return `"${escaped}"`;
}
