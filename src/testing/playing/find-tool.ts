import { readFieldAt, isRecord } from "../apis/json-fields.ts";
import type { OfferedTool } from "../apis/wire-api.ts";

/** The name a test compares with, the same whether a CLI uses namespaces or long names. */
export function buildFullName({ name, namespace }: OfferedTool): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

/**
 * The tool a script means. CLIs put the server's name before what an MCP server offers, each in its own way, so ours
 * is preferred, then the very name, then any name that ends like it.
 */
export function findOfferedTool(wanted: string, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const ending = tools.filter((tool) => buildFullName(tool).endsWith(`_${wanted}`));
  return (
    ending.find((tool) => buildFullName(tool).includes("ambit")) ??
    tools.find((tool) => tool.name === wanted || buildFullName(tool) === wanted) ??
    ending[0]
  );
}

/** The first of several names that is offered as it stands. */
export function findToolByName(
  names: readonly string[],
  tools: readonly OfferedTool[],
): OfferedTool | undefined {
  return names
    .map((name) => tools.find((tool) => tool.name === name && tool.namespace === undefined))
    .find((tool) => tool !== undefined);
}

/** Which of several names a tool's schema has for an argument; the first where it has no schema. */
export function chooseArgumentName(tool: OfferedTool, names: readonly string[]): string {
  const properties = readFieldAt(tool.parameters, "properties");
  const known = isRecord(properties) ? names.find((name) => Object.hasOwn(properties, name)) : undefined;
  return known ?? names[0] ?? "";
}
