import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** Whether the client can show its person a form; it says so with each request, or once at the start. */
export function canElicit(server: Server, context: ServerContext): boolean {
  const told: unknown =
    readEnvelope(context).get(CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities();
  return typeof told === "object" && told !== null && Object.hasOwn(told, "elicitation");
}

/** The client's name; empty if it has not sent one. */
export function readClientName(server: Server, context: ServerContext): string {
  const told: unknown = readEnvelope(context).get(CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  if (typeof told !== "object" || told === null || !("name" in told)) return "";
  return typeof told.name === "string" ? told.name : "";
}

function readEnvelope({ mcpReq }: ServerContext): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(Object.entries(mcpReq.envelope ?? {}));
}
