import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** Whether the client can put a form in front of its person: said with each request, or once at the beginning. */
export function canElicit(server: Server, context: ServerContext): boolean {
  const told: unknown =
    envelopeOf(context).get(CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities();
  return typeof told === "object" && told !== null && Object.hasOwn(told, "elicitation");
}

/** How the client calls itself; empty where it has not said so. */
export function clientNameOf(server: Server, context: ServerContext): string {
  const told: unknown = envelopeOf(context).get(CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  if (typeof told !== "object" || told === null || !("name" in told)) return "";
  return typeof told.name === "string" ? told.name : "";
}

function envelopeOf({ mcpReq }: ServerContext): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(Object.entries(mcpReq.envelope ?? {}));
}
