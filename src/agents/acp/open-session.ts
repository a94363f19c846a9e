import { ConversationEnded, endingOfAnswer, failedEnding, isLoginError } from "./ending.ts";
import type { AcpLaunch } from "./launch-file.ts";
import type { AcpLine } from "./lines.ts";
import {
  initializeResultSchema,
  PROTOCOL_VERSION,
  sessionResultSchema,
  type InitializeResult,
  type SessionResult,
} from "./protocol.ts";
import type { RpcAnswer, RpcConnection } from "./rpc-connection.ts";

export interface OpenSession {
  readonly id: string;
  readonly resumed: boolean;
  /** The agent may still replay earlier attempts. */
  readonly replays: boolean;
  readonly offers: SessionResult;
}

interface Parts {
  readonly rpc: RpcConnection;
  readonly launch: AcpLaunch;
  readonly cwd: string;
  readonly print: (line: AcpLine) => void;
}

/** Some agents are downloaded at their first start and wait for every MCP server. */
const START_MS = 120_000;
const SESSION_MS = 120_000;
const LOGIN_MS = 30_000;
const MAX_SESSION_LENGTH = 500;
const MAX_NAME_LENGTH = 200;

/** Initializes the agent and opens a session: the earlier one if it exists and can be resumed. */
export async function openSession(parts: Parts): Promise<OpenSession> {
  const met = await initializeAgent(parts);
  const resumed = await resumeSession(parts, met);
  if (resumed !== undefined) return resumed;
  const answer = await createSession(parts, met);
  if (answer.kind !== "result") throw new ConversationEnded(endingOfAnswer(answer, "session/new"));
  const offers = sessionResultSchema.safeParse(answer.value);
  const id = offers.data?.sessionId;
  if (!offers.success || id === undefined || id === null || id === "" || id.length > MAX_SESSION_LENGTH)
    throw failBrokenAnswer("It opened a session without a usable name.");
  return { id, resumed: false, replays: false, offers: offers.data };
}

async function initializeAgent({ rpc, print }: Parts): Promise<InitializeResult> {
  const answer = await rpc.sendRequest(
    "initialize",
    {
      protocolVersion: PROTOCOL_VERSION,
      // The agent uses files and terminals itself, inside its containment.
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "ambit", title: "Ambit", version: "1" },
    },
    START_MS,
  );
  if (answer.kind !== "result") throw new ConversationEnded(endingOfAnswer(answer, "initialize"));
  const met = initializeResultSchema.safeParse(answer.value);
  if (!met.success) throw failBrokenAnswer("It did not answer initialize as an ACP agent does.");
  const { protocolVersion, agentInfo } = met.data;
  if (protocolVersion !== PROTOCOL_VERSION)
    throw failBrokenAnswer(
      `It speaks ACP version ${protocolVersion}; version ${PROTOCOL_VERSION} is needed.`,
    );
  const name = (agentInfo?.name ?? "unknown").slice(0, MAX_NAME_LENGTH);
  print({ acp: "agent", name, version: (agentInfo?.version ?? "unknown").slice(0, MAX_NAME_LENGTH) });
  return met.data;
}

/** Undefined if a new session is needed: there was none, the agent cannot resume it, or has lost it. */
async function resumeSession(parts: Parts, met: InitializeResult): Promise<OpenSession | undefined> {
  const id = parts.launch.resume_session;
  if (id === undefined) return undefined;
  let why = "it cannot";
  for (const method of resumeMethods(met)) {
    const answer = await describeLogin(parts, met, () =>
      parts.rpc.sendRequest(method, { sessionId: id, ...buildSessionRequest(parts, met) }, SESSION_MS),
    );
    if (answer.kind === "closed") throw new ConversationEnded(endingOfAnswer(answer, method));
    const offers = answer.kind === "result" ? sessionResultSchema.safeParse(answer.value).data : undefined;
    if (offers !== undefined) return { id, resumed: true, replays: method === "session/load", offers };
    why = answer.kind === "result" ? "no usable answer" : endingOfAnswer(answer, method).message;
  }
  parts.print({ acp: "note", text: `The session ${id} is not continued: ${why}` });
  return undefined;
}

/** Prefers resuming without a replay if the agent can do both. */
function resumeMethods({ agentCapabilities }: InitializeResult): readonly string[] {
  return [
    ...(isLoginOffered(agentCapabilities?.sessionCapabilities?.resume) ? ["session/resume"] : []),
    ...(agentCapabilities?.loadSession === true ? ["session/load"] : []),
  ];
}

function createSession(parts: Parts, met: InitializeResult): Promise<RpcAnswer> {
  return describeLogin(parts, met, () =>
    parts.rpc.sendRequest("session/new", buildSessionRequest(parts, met), SESSION_MS),
  );
}

function buildSessionRequest({ launch, cwd }: Parts, met: InitializeResult): object {
  const more = launch.additional_directories;
  const takesMore = isLoginOffered(met.agentCapabilities?.sessionCapabilities?.additionalDirectories);
  return {
    cwd,
    mcpServers: launch.mcp_servers,
    ...(launch.session_settings === undefined ? {} : { _meta: launch.session_settings }),
    ...(takesMore && more.length > 0 ? { additionalDirectories: more } : {}),
  };
}

/** Some agents must be told to use the key they have. A login that needs a person cannot be used. */
async function describeLogin(
  { rpc }: Parts,
  met: InitializeResult,
  ask: () => Promise<RpcAnswer>,
): Promise<RpcAnswer> {
  const answer = await ask();
  if (answer.kind !== "error" || !isLoginError(answer.error)) return answer;
  const method = met.authMethods?.find(({ id }) => id.includes("api-key") || id.includes("openai"));
  if (method === undefined) return answer;
  const login = await rpc.sendRequest("authenticate", { methodId: method.id }, LOGIN_MS);
  return login.kind === "result" ? ask() : answer;
}

function isLoginOffered(capability: unknown): boolean {
  return capability !== undefined && capability !== null && capability !== false;
}

function failBrokenAnswer(message: string): ConversationEnded {
  return new ConversationEnded(failedEnding("AGENT_STREAM_BROKEN", message));
}
