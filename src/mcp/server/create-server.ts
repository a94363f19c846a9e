import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  INVALID_PARAMS,
  type jsonSchemaValidator,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { callTool, type ToolAnswer } from "../tools/call-tool.ts";
import { describeError } from "../tools/describe-error.ts";
import type { RuntimeLink } from "../../app/runtime-link.ts";
import { showTool } from "../tools/show-tool.ts";
import { chooseTools } from "../tools/tool-list.ts";
import type { PromptFacts } from "../prompts/prompt-facts.ts";
import { workflowPrompts } from "../prompts/workflow-prompts.ts";
import { readResource, resources, resourceTemplates } from "./resources.ts";
import { askPerson, passAnswers, personQuestions } from "./settle-approvals.ts";

export interface ServerFacts {
  readonly link: RuntimeLink;
  /** Receives the client's name before its first call is made. */
  readonly onClient?: (name: string) => void;
  readonly version: string;
}

const INSTRUCTIONS =
  "Delegate parts of your work to other agents, within limits that the runtime enforces. Delegate all parts in one call.";

/** A few short prompts; each tool describes its own call. */
const prompts: readonly PromptFacts[] = [
  {
    name: "delegate-well",
    description: "How to delegate work so that it can be checked",
    text: async () => delegateWell,
  },
  {
    name: "return-contract",
    description: "The form of a return",
    text: async () => {
      const { returnInstruction } = await import("../../contract/return-instruction.ts");
      return `Submit your return with submit_return; metadata is filled in for you.\n\n${returnInstruction()}`;
    },
  },
  ...workflowPrompts,
];

const delegateWell = [
  "Delegate all parts in one delegate call: they run in parallel.",
  "- One part, one outcome: a worker sees only its own task, your folder as it is now, and the context you give.",
  "- Say in accept how it is proven, best with a command in backticks: `npm test` passes.",
  "- Keep parts apart with file_scope; let one wait for another with depends_on.",
  "- Depth, number, money and time are limited; a refusal names the numbers. If you are refused, do the work yourself.",
  "- When delegate answers with a ticket, do what its advice says. When a worker asks, use reply; when a criterion has no check, look at its patch, then verify.",
].join("\n");

/**
 * One server for one connection. It uses only the protocol layer, which passes input unchanged: we read it tolerantly,
 * and the runtime judges it.
 */
export function createServer(facts: ServerFacts): Server {
  const server = new Server(
    { name: "ambit", title: "Ambit", version: facts.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: lateValidator,
    },
  );
  server.setRequestHandler("tools/list", async () => ({
    tools: chooseTools(await mayDelegate(facts.link)).map(showTool),
  }));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    answerCall({ facts, server, context }, { name: params.name, input: params.arguments }),
  );
  server.setRequestHandler("resources/list", () => ({ resources: [...resources] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = await readResource(facts.link, uri).catch(rethrowAsProtocolError);
    if (found === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, ...found }] };
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: prompts.map(({ name, description, arguments: wanted = [] }) => ({
      name,
      description,
      ...(wanted.length === 0 ? {} : { arguments: wanted.map((one) => ({ ...one })) }),
    })),
  }));
  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: given = {} } }) => {
    const found = prompts.find((prompt) => prompt.name === name);
    if (found === undefined) throw new ProtocolError(INVALID_PARAMS, `There is no prompt "${name}".`);
    const content = { type: "text" as const, text: await found.text(given) };
    return { description: found.description, messages: [{ role: "user" as const, content }] };
  });
  return server;
}

/** Asks the runtime, which knows the caller by its token. Without an answer everything is offered. */
async function mayDelegate(link: RuntimeLink): Promise<boolean> {
  if (link.mode === "outside") return true;
  const answer: unknown = await link.call("status", {}).catch(() => undefined);
  const self: unknown = typeof answer === "object" && answer !== null && "self" in answer ? answer.self : {};
  const isKnown = typeof self === "object" && self !== null && "can_delegate" in self;
  return !isKnown || self.can_delegate !== false;
}

/** Only tools can answer with what went wrong; everything else uses the protocol's errors. */
function rethrowAsProtocolError(error: unknown): never {
  const { code, message, recommendation } = describeError(error);
  throw new ProtocolError(INVALID_PARAMS, `${code}: ${message} ${recommendation}`);
}

/** Created when a form comes back: creating it takes longer than the rest of the start. */
const lateValidator: jsonSchemaValidator = {
  getValidator: (schema) => new AjvJsonSchemaValidator().getValidator(schema),
};

interface CallPlace {
  readonly facts: ServerFacts;
  readonly server: Server;
  readonly context: ServerContext;
}

interface Call {
  readonly name: string;
  readonly input: unknown;
}

async function answerCall(place: CallPlace, first: Call): Promise<CallToolResult | InputRequiredResult> {
  const { facts, context } = place;
  const { inputResponses, requestState } = context.mcpReq;
  facts.onClient?.(readClientName(place.server, context));
  if (inputResponses !== undefined) await passAnswers(facts.link, inputResponses);
  // The client repeats the call after a person answered; the work must not be delegated twice.
  const call = continueWait(requestState()) ?? first;
  const progress = createProgress(context);
  const answer = await callTool(facts.link, { ...call, ...(progress === undefined ? {} : { progress }) });
  const questions = canAskPerson(place) ? personQuestions(answer.value) : [];
  const rest = questions.length === 0 ? undefined : rememberWait(call.name, answer.value);
  return rest === undefined ? showAnswer(answer) : askPerson(questions, rest);
}

/** Clients that ask for progress get it while a call waits; otherwise they would give up. */
function createProgress({ mcpReq }: ServerContext): ((seconds: number) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (seconds) => {
    if (mcpReq.signal.aborted) return;
    const params = { progressToken, progress: seconds, message: `waiting for ${seconds} s` };
    // A client that has gone must not end the work.
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

/** Only if a person sits in front of the client, and the client can ask them. */
function canAskPerson({ facts, server, context }: CallPlace): boolean {
  return facts.link.answer !== undefined && canElicit(server, context);
}

function showAnswer({ ok, value }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: { ...value },
    ...(ok ? {} : { isError: true }),
  };
}

/** Whether the client can show its person a form; it says so with each request, or once at the start. */
function canElicit(server: Server, context: ServerContext): boolean {
  const told: unknown =
    readEnvelope(context).get(CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities();
  return typeof told === "object" && told !== null && Object.hasOwn(told, "elicitation");
}

/** The client's name; empty if it has not sent one. */
function readClientName(server: Server, context: ServerContext): string {
  const told: unknown = readEnvelope(context).get(CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  if (typeof told !== "object" || told === null || !("name" in told)) return "";
  return typeof told.name === "string" ? told.name : "";
}

function readEnvelope({ mcpReq }: ServerContext): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(Object.entries(mcpReq.envelope ?? {}));
}

/** The rest of a waiting call while a person is asked; the client sends it back unchanged. */
function rememberWait(name: string, value: Readonly<Record<string, unknown>>): string | undefined {
  if (name !== "delegate" && name !== "wait") return undefined;
  const { ticket, cursor } = value;
  if (typeof ticket !== "string" || ticket === "" || typeof cursor !== "string") return undefined;
  return JSON.stringify({ ticket, cursor });
}

/**
 * The call that continues the wait. The state comes from the client and is not trusted: it can only name what to wait
 * for, which the token must allow like any other wait.
 */
function continueWait(state: unknown): { readonly name: string; readonly input: unknown } | undefined {
  if (typeof state !== "string") return undefined;
  try {
    const input: unknown = JSON.parse(state);
    return { name: "wait", input };
  } catch {
    // The state is not ours, so this is an ordinary call.
    return undefined;
  }
}
