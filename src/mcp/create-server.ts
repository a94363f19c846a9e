import {
  INVALID_PARAMS,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  type CallToolResult,
  type InputRequiredResult,
  type jsonSchemaValidator,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { callTool, type ToolAnswer } from "./call-tool.ts";
import { describeError } from "./describe-error.ts";
import { prompts } from "./prompts.ts";
import { readResource, resources, resourceTemplates } from "./resources.ts";
import type { RuntimeLink } from "./runtime-link.ts";
import { askPerson, passAnswers, personQuestions } from "./settle-approvals.ts";
import { canElicit, clientNameOf } from "./client-facts.ts";
import { showTool } from "./show-tool.ts";
import { tools } from "./tool-list.ts";
import { continueWait, rememberWait } from "./waiting-call.ts";

export interface ServerFacts {
  readonly link: RuntimeLink;
  /** Told how the client calls itself, before its first call is made. */
  readonly onClient?: (name: string) => void;
  readonly version: string;
}

const INSTRUCTIONS =
  "Delegate parts of your work to other agents within limits that the runtime holds. Hand out all parts in one delegate call.";

/**
 * One server for one connection. The protocol layer alone is used, because it lets input pass as it came: reading it
 * tolerantly is ours, and judging it is the runtime's.
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
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(showTool) }));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    answerCall({ facts, server, context }, { name: params.name, input: params.arguments }),
  );
  server.setRequestHandler("resources/list", () => ({ resources: [...resources] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = await readResource(facts.link, uri).catch(refuse);
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

/** Only tools have answers that say what went wrong; everywhere else the protocol's own errors do. */
function refuse(error: unknown): never {
  const { code, message, recommendation } = describeError(error);
  throw new ProtocolError(INVALID_PARAMS, `${code}: ${message} ${recommendation}`);
}

/** Made when a form comes back, if ever: making one takes longer than all the rest of a start. */
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
  facts.onClient?.(clientNameOf(place.server, context));
  if (inputResponses !== undefined) await passAnswers(facts.link, inputResponses);
  // Asked again after a person answered: what was handed out is not handed out twice.
  const call = continueWait(requestState()) ?? first;
  const progress = progressOf(context);
  const answer = await callTool(facts.link, { ...call, ...(progress === undefined ? {} : { progress }) });
  const questions = canAskPerson(place) ? personQuestions(answer.value) : [];
  const rest = questions.length === 0 ? undefined : rememberWait(call.name, answer.value);
  return rest === undefined ? showAnswer(answer) : askPerson(questions, rest);
}

/** Clients that asked for it hear from us while a call waits, or they would give it up. */
function progressOf({ mcpReq }: ServerContext): ((seconds: number) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (seconds) => {
    if (mcpReq.signal.aborted) return;
    const params = { progressToken, progress: seconds, message: `waiting for ${seconds} s` };
    // A client that has gone is no reason to end anything.
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

/** Only where a person sits in front of the client, and the client can ask them. */
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
