import { isRecord, parseJson } from "../base/json.ts";

export interface ToolCall {
  readonly tool: string;
  /** A JSON object, or the text of the only argument that the tool takes. */
  readonly argument: string;
}

/** The result of a line that the server wrote. */
export type ConversationStep =
  | { readonly kind: "write"; readonly text: string }
  | { readonly kind: "end"; readonly ok: boolean; readonly text: string }
  | { readonly kind: "nothing" };

const PROTOCOL = "2025-06-18";
const MAX_PAGES = 10;
const METHOD_NOT_FOUND = -32_601;

/**
 * One call of one tool of an MCP server, as lines of JSON: what to write to the server, given what it writes. It has no
 * effects. Whatever the server asks for is declined.
 */
export class McpConversation {
  readonly #call: ToolCall;
  readonly #names: string[] = [];
  #request = 1;
  #asked: "initialize" | "tools/list" | "tools/call" = "initialize";

  constructor(call: ToolCall) {
    this.#call = call;
  }

  start(): string {
    const clientInfo = { name: "ambit", version: "1" };
    return this.#ask("initialize", { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
  }

  readLine(line: string): ConversationStep {
    const message = parseJson(line);
    if (!isRecord(message)) return nothing;
    const { id, method, result, error } = message;
    if (typeof method === "string") return id === undefined ? nothing : declineRequest(id, method);
    if (id !== this.#request) return nothing;
    if (error !== undefined) return endWith(false, describeError(error));
    if (!isRecord(result)) return endWith(false, "The server gave an answer that is not MCP.");
    if (this.#asked === "initialize")
      return { kind: "write", text: `${initialized}${this.#ask("tools/list")}` };
    return this.#asked === "tools/list" ? this.#readTools(result) : readResult(result);
  }

  #readTools({ tools, nextCursor }: Readonly<Record<string, unknown>>): ConversationStep {
    const listed = (Array.isArray(tools) ? tools : []).filter(isRecord);
    const found = listed.find(({ name }) => name === this.#call.tool);
    if (found !== undefined) return this.#callTool(found["inputSchema"]);
    this.#names.push(...listed.map(({ name }) => String(name)));
    if (typeof nextCursor === "string" && this.#request <= MAX_PAGES)
      return { kind: "write", text: this.#ask("tools/list", { cursor: nextCursor }) };
    const known =
      this.#names.length === 0 ? "It has none." : `It has ${this.#names.slice(0, 20).join(", ")}.`;
    return endWith(false, `The server has no tool ${this.#call.tool}. ${known}`);
  }

  #callTool(schema: unknown): ConversationStep {
    const given = readArguments(this.#call.argument, schema);
    if (typeof given === "string") return endWith(false, given);
    return { kind: "write", text: this.#ask("tools/call", { name: this.#call.tool, arguments: given }) };
  }

  #ask(method: "initialize" | "tools/list" | "tools/call", params: object = {}): string {
    if (method !== "initialize") this.#request += 1;
    this.#asked = method;
    return writeLine({ id: this.#request, method, params });
  }
}

const nothing: ConversationStep = { kind: "nothing" };
const initialized = writeLine({ method: "notifications/initialized" });

function writeLine(message: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
}

function endWith(ok: boolean, text: string): ConversationStep {
  return { kind: "end", ok, text };
}

function declineRequest(id: unknown, method: string): ConversationStep {
  const answer =
    method === "ping"
      ? { id, result: {} }
      : { id, error: { code: METHOD_NOT_FOUND, message: `${method} is not offered` } };
  return { kind: "write", text: writeLine(answer) };
}

/** Text is passed as the one argument that the tool requires, or the only one it knows. */
function readArguments(argument: string, schema: unknown): object | string {
  if (argument.trim() === "") return {};
  const value = parseJson(argument);
  if (isRecord(value)) return value;
  const fields = isRecord(schema) ? schema : {};
  const properties = isRecord(fields["properties"]) ? fields["properties"] : {};
  const names = Object.keys(properties);
  const required = Array.isArray(fields["required"]) ? fields["required"].map(String) : [];
  const [only, ...others] = required.length > 0 ? required : names;
  if (only === undefined || others.length > 0)
    return `Write its arguments as a JSON object. It takes: ${names.join(", ") || "none"}.`;
  const property = properties[only];
  const isText = isRecord(property) && property["type"] === "string";
  return { [only]: isText || value === undefined ? argument : value };
}

function readResult({
  content,
  isError,
  structuredContent,
}: Readonly<Record<string, unknown>>): ConversationStep {
  const parts = (Array.isArray(content) ? content : []).filter(isRecord).map(describePart);
  const text = parts.length > 0 ? parts.join("\n") : JSON.stringify(structuredContent ?? {});
  return endWith(isError !== true, text);
}

function describePart({ type, text }: Readonly<Record<string, unknown>>): string {
  return typeof text === "string" ? text : `(${String(type)}, not shown)`;
}

function describeError(error: unknown): string {
  const message = isRecord(error) ? error["message"] : undefined;
  return typeof message === "string" ? message : "The server refused the call without a reason.";
}
