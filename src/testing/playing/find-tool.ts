import { isRecord, readFieldAt } from "../../base/json.ts";
import type { OfferedTool } from "../apis/wire-api.ts";

/** The name for comparisons: the same whether a CLI uses namespaces or long names. */
export function buildFullName({ name, namespace }: OfferedTool): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

/** Before a name that no other tool may stand for. */
const EXACTLY = "=";

/**
 * The tool a script means. Each CLI prefixes the tools of an MCP server in its own way, so a tool of our server is
 * preferred, then the exact name, then any name with that ending.
 */
export function findOfferedTool(wanted: string, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const named = (name: string): OfferedTool | undefined =>
    tools.find((tool) => tool.name === name || buildFullName(tool) === name);
  if (wanted.startsWith(EXACTLY)) return named(wanted.slice(EXACTLY.length));
  const endings = ["_", "-"].map((mark) => mark + wanted);
  const ending = tools.filter((tool) => endings.some((end) => buildFullName(tool).endsWith(end)));
  return ending.find((tool) => buildFullName(tool).includes("ambit")) ?? named(wanted) ?? ending[0];
}

/** The first of several names that is offered exactly so. */
export function findToolByName(
  names: readonly string[],
  tools: readonly OfferedTool[],
): OfferedTool | undefined {
  return names
    .map((name) => tools.find((tool) => tool.name === name && tool.namespace === undefined))
    .find((tool) => tool !== undefined);
}

/** The name a tool's schema has for an argument, out of several; the first if it has no schema. */
export function chooseArgumentName(tool: OfferedTool, names: readonly string[]): string {
  const properties = readFieldAt(tool.parameters, "properties");
  const known = isRecord(properties) ? names.find((name) => Object.hasOwn(properties, name)) : undefined;
  return known ?? names[0] ?? "";
}
