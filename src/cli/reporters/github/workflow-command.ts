import { visibleText } from "../../../base/visible-text.ts";
import { allowCommand } from "../../terminal/runner-commands.ts";

/** One command to the GitHub Actions runner, for example an annotation; values cannot break out of it. */
export function workflowCommand(
  name: string,
  message: string,
  properties: Readonly<Record<string, string>> = {},
): string {
  const given = Object.entries(properties).filter(([, value]) => value !== "");
  const list = given.map(([key, value]) => `${key}=${escapeProperty(value)}`).join(",");
  const line = `::${name}${list === "" ? "" : ` ${list}`}::${escapeData(message)}`;
  // As it is after the check for hidden characters that every line of progress passes.
  allowCommand(visibleText(line));
  return line;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
