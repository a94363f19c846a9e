import type { AdapterCapabilities } from "../../../agents/adapter.ts";
import { findCapabilities } from "../../../agents/find-capabilities.ts";
import { isDriver } from "../../../agents/definitions.ts";
import { countThings } from "../../../base/count-things.ts";
import { findMissingProgram } from "../../delegation/find-missing-program.ts";
import type { Delegation } from "../../../journal/store.ts";
import type { RunTools } from "../../ports/run-tools.ts";

/** Describes the calls that a worker may make. At a limit, calls that would be refused are not offered. */
export async function describeCalls(tools: RunTools, delegation: Delegation): Promise<readonly string[]> {
  const capabilities = findWorkerCapabilities(tools, delegation);
  const parts = await countParts(tools, delegation);
  return [
    ...(parts === 0 ? [ALONE] : [await describeDelegating(tools, delegation, { capabilities, parts })]),
    ...describeServers((await tools.settings()).mcpServers),
    `- Ask your manager or the person: ${describeAsking(capabilities)}.`,
    `- Notes for all workers: folder AMBIT_SCRATCHPAD${capabilities.mcp ? "; for your next session, if context runs out: file AMBIT_HANDOVER_FILE" : ""}.`,
  ];
}

/** At a limit the prompt says so before the worker asks (R68). */
const ALONE = "- Do all of it yourself. If it is too large, do a simpler version and say what is left.";

export function findWorkerCapabilities(
  tools: Pick<RunTools, "findAdapter">,
  { work }: Pick<Delegation, "work">,
): AdapterCapabilities {
  return findCapabilities(tools.findAdapter(work?.adapter ?? "command"), work?.command ?? []);
}

/** A tool's name as the agent's program shows it: an agent may have a tool `delegate` of its own. */
export function nameTool({ toolPrefix }: AdapterCapabilities, name: string): string {
  return toolPrefix === undefined ? `the tool ${name} of the MCP server ambit` : `${toolPrefix}${name}`;
}

/** How many more workers it may have; the admission decides. */
async function countParts(tools: RunTools, { story, depth, workers, work }: Delegation): Promise<number> {
  if (work?.review !== undefined) return 0;
  const limits = (await tools.store.story(story))?.limits;
  if (limits === undefined || !limits.enabled || depth >= limits.maxDepth) return 0;
  return Math.max(0, Math.min((limits.fanOut[depth] ?? 0) - workers, limits.maxDelegations));
}

interface Offer {
  readonly capabilities: AdapterCapabilities;
  readonly parts: number;
}

/** Directives are taught only if there is no tool: a text that mentions one is easily misread. */
async function describeDelegating(
  tools: RunTools,
  delegation: Delegation,
  { capabilities, parts }: Offer,
): Promise<string> {
  const offer = `- You may delegate up to ${countThings(parts, "part")}`;
  if (!capabilities.mcp)
    return `${offer}: ambit delegate "what" --accept "how it is proven"; or end your turn with [delegate:what:hours] alone on the last line.`;
  const agents = await listOfferedAgents(tools, delegation);
  const named = agents.length === 0 ? "" : ` Agents: ${agents.join(", ")}.`;
  return `${offer} with ${nameTool(capabilities, "delegate")}, all in one call.${named} Leave agent out for one like yourself.`;
}

/** Describes the servers that the person configured; the agent's own servers belong to its program. */
function describeServers(servers: Readonly<Record<string, string>>): readonly string[] {
  const names = Object.keys(servers);
  if (names.length === 0) return [];
  return [
    `- Call a tool of an MCP server: end your turn with [use-mcp:server/tool:arguments] alone on the last line; its result comes with your next turn. Servers: ${names.join(", ")}.`,
  ];
}

const MAX_AGENTS = 10;

/** Agents that the project defines and programs that are installed, without those that would close a cycle. */
async function listOfferedAgents(
  tools: RunTools,
  { path }: Pick<Delegation, "path">,
): Promise<readonly string[]> {
  const definitions = await tools.listAgents();
  return definitions
    .filter((one) => isDriver(one) || (one.file !== "" && !path.includes(one.name)))
    .filter((one) => findMissingProgram(tools, one) === undefined)
    .map(({ name }) => name)
    .slice(0, MAX_AGENTS);
}

function describeAsking(capabilities: AdapterCapabilities): string {
  if (!capabilities.mcp) return 'ambit ask "question"';
  return `${nameTool(capabilities, "send_agent_message")} with a clarification_request`;
}
