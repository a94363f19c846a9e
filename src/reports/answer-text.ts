import type { Surface } from "../contract/approval.ts";
import { readEventFields, type Fields } from "./events/fields.ts";

const surfaceNames: Readonly<Record<Surface, string>> = {
  cli: "command line",
  mcp: "MCP",
  dashboard: "dashboard",
  library: "program",
};

/** `approved by person (command line, at a terminal): reason`; older journals do not say how an answer came. */
export function describeAnswer(data: unknown): string {
  const fields = readEventFields(data);
  const who = [fields.text("answer"), fields.text("by")].filter(Boolean).join(" by ");
  const source = describeSource(fields.within("via"));
  const text = source === "" ? who : `${who} (${source})`;
  return [text, fields.text("reason")].filter(Boolean).join(": ");
}

function describeSource(via: Fields): string {
  const surface = via.text("surface");
  if (surface === "") return "";
  const terminal = via.isTrue("terminal") ? "at a terminal" : "no terminal";
  return [
    isSurface(surface) ? surfaceNames[surface] : surface,
    ...(surface === "cli" ? [terminal] : []),
    ...(via.isTrue("insideRun") ? ["from inside a worker"] : []),
  ].join(", ");
}

function isSurface(name: string): name is Surface {
  return Object.hasOwn(surfaceNames, name);
}
