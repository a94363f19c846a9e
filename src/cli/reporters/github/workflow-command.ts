/** One command to the GitHub Actions runner, for example an annotation; values cannot break out of it. */
export function workflowCommand(
  name: string,
  message: string,
  properties: Readonly<Record<string, string>> = {},
): string {
  const given = Object.entries(properties).filter(([, value]) => value !== "");
  const list = given.map(([key, value]) => `${key}=${escapeProperty(value)}`).join(",");
  return `::${name}${list === "" ? "" : ` ${list}`}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * Text the runner must not read as a command: it looks for `::` at the beginning of a line, blanks not counted, and
 * for the older `##[` anywhere in it.
 */
export function plainLine(text: string): string {
  const line = text.replaceAll("##[", "## [");
  return line.trimStart().startsWith("::") ? `| ${line}` : line;
}
