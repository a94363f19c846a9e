import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { trustEverything } from "../e2e/run-cli.ts";

/** What all clients have in common, whatever their age. */
export interface TestClient {
  readonly protocol: () => string | undefined;
  readonly tools: () => Promise<readonly string[]>;
  readonly call: (name: string, input?: Record<string, unknown>) => Promise<ToolResult>;
  readonly resources: () => Promise<readonly string[]>;
  readonly templates: () => Promise<readonly string[]>;
  readonly read: (uri: string) => Promise<string>;
  readonly prompts: () => Promise<readonly string[]>;
  readonly prompt: (name: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export interface ToolResult {
  readonly isError: boolean;
  readonly value: Record<string, unknown>;
  /** The same as text. */
  readonly text: unknown;
}

export const clientKinds = ["newest protocol", "current client", "older client"] as const;
export type ClientKind = (typeof clientKinds)[number];

export const program: readonly string[] = [resolve("dist/cli/main.cjs"), "mcp"];

export interface Connection {
  readonly environment: Readonly<Record<string, string>>;
  readonly directory?: string;
  /** What the person in front of the client says when asked; a client without one cannot ask. */
  readonly person?: (message: string) => boolean | "closes the form";
}

/** Starts our server as clients do and connects to it. */
export async function connect(kind: ClientKind, connection: Connection): Promise<TestClient> {
  const start = {
    command: process.execPath,
    args: [...program],
    env: { PATH: process.env["PATH"] ?? "", ...trustEverything, ...connection.environment },
    ...(connection.directory === undefined ? {} : { cwd: connection.directory }),
    stderr: "inherit" as const,
  };
  const info = { name: "test-client", version: "1.0.0" };
  const { person } = connection;
  const capabilities = person === undefined ? {} : { elicitation: { form: {} } };
  if (kind === "older client") {
    const old = new OldClient(info, { capabilities });
    if (person !== undefined)
      old.setRequestHandler(ElicitRequestSchema, ({ params }) => answerForm(person, params.message));
    await old.connect(new OldTransport(start));
    return wrap(old, () => old.getServerVersion()?.version);
  }
  const mode = kind === "newest protocol" ? ({ pin: "2026-07-28" } as const) : ("legacy" as const);
  const client = new Client(info, { versionNegotiation: { mode }, capabilities });
  if (person !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => answerForm(person, params.message));
  await client.connect(new StdioClientTransport(start));
  return wrap(client, () => client.getProtocolEra());
}

function answerForm(person: NonNullable<Connection["person"]>, message: string) {
  const said = person(message);
  if (said === "closes the form") return { action: "cancel" as const };
  return { action: "accept" as const, content: { approve: said } };
}

type Any = Client | OldClient;

function wrap(client: Any, protocol: () => string | undefined): TestClient {
  return {
    protocol,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input = {}) => readResult(await client.callTool({ name, arguments: input })),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    read: async (uri) => {
      const [first] = (await client.readResource({ uri })).contents;
      return first !== undefined && "text" in first ? first.text : "";
    },
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name) => {
      const [first] = (await client.getPrompt({ name })).messages;
      return first?.content.type === "text" ? first.content.text : "";
    },
    close: () => client.close(),
  };
}

/** The answer as a client has it: structured, and as text. */
export function readResult(result: object): ToolResult {
  const fields = new Map<string, unknown>(Object.entries(result));
  const content: unknown = fields.get("content");
  const [first]: readonly unknown[] = Array.isArray(content) ? content : [];
  const text = isRecord(first) && typeof first["text"] === "string" ? first["text"] : "null";
  const value: unknown = fields.get("structuredContent");
  return {
    isError: fields.get("isError") === true,
    value: isRecord(value) ? value : {},
    text: JSON.parse(text),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
