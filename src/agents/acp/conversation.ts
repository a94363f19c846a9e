import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "../../base/clock.ts";
import type { AgentProcess } from "./agent-process.ts";
import { chooseModel, currentModel } from "./choose-model.ts";
import { ConversationEnded, endingOfAnswer, failedEnding, type Ending } from "./ending.ts";
import type { AcpLaunch } from "./launch-file.ts";
import type { ReadLine } from "./line-reader.ts";
import type { AcpLine } from "./lines.ts";
import { openSession, type OpenSession } from "./open-session.ts";
import { answerPermission } from "./permission.ts";
import { permissionSchema, promptResultSchema, updateSchema } from "./protocol.ts";
import { RpcConnection, type RpcAnswer } from "./rpc-connection.ts";
import { SessionView } from "./session-view.ts";

export interface ConversationParts {
  readonly agent: AgentProcess;
  readonly launch: AcpLaunch;
  readonly cwd: string;
  readonly print: (line: AcpLine) => void;
}

/** An agent that has not stopped by then is killed. */
const CANCEL_MS = 5000;
const WIND_DOWN_MS = 20_000;
/** Gemini reports that a session is loaded before it has replayed all of it. */
const QUIET_MS = 250;
const MAX_REPLAY_MS = 10_000;
const MAX_NOTE_LENGTH = 500;
const MAX_NOTES = 100;
/** Only a session update may be too long to read: a caller would wait for ever for any other message. */
const NEWS_MARK = '"session/update"';

/** One prompt from initialization to the last message, printed as lines. It ends with the agent, or is cut short. */
export class Conversation {
  readonly #parts: ConversationParts;
  readonly #rpc: RpcConnection;
  readonly #view: SessionView;
  #session: OpenSession | undefined;
  #isListening = false;
  #turn = 0;
  #isInTurn = false;
  #cut: "stop" | "wind-down" | undefined;
  #notes = 0;
  #lastNewsMs = 0;
  #broken: string | undefined;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#view = new SessionView(parts.print, parts.launch.titles_are_commands);
    this.#rpc = new RpcConnection(parts.agent, {
      onRequest: (method, parameters) => this.#answerRequest(method, parameters),
      onNotification: (method, parameters) => this.#handleNotification(method, parameters),
      onGarbage: (line) => this.#reportGarbage(line),
    });
    void parts.agent.waitForExit().then(() => this.#rpc.closeConnection());
  }

  get lastMessage(): string {
    return this.#view.lastMessage;
  }

  async runConversation(): Promise<Ending> {
    try {
      const session = await this.#openSession();
      const first = await this.#sendPrompt(session.id, this.#parts.launch.prompt);
      if (this.#cut !== "wind-down" || isConversationDone(first)) return await this.#readEnding(first);
      this.#cut = undefined;
      return await this.#readEnding(await this.#sendPrompt(session.id, this.#parts.launch.wind_down_prompt));
    } catch (error) {
      if (error instanceof ConversationEnded) return this.#explainClosing(error.ending);
      throw error;
    }
  }

  /** Cancels the turn through the protocol; the owner of the process kills what is left. */
  stopTurn(): void {
    if (this.#cut === "stop") return;
    this.#cut = "stop";
    if (this.#isInTurn) this.#cancelTurn(CANCEL_MS);
    else this.#rpc.closeConnection();
  }

  /** Cuts the turn short so that the agent can report; without a turn, or when called again, it does nothing. */
  askForReport(): void {
    if (this.#cut !== undefined || !this.#isInTurn || this.#turn > 1) return;
    this.#cut = "wind-down";
    this.#cancelTurn(WIND_DOWN_MS);
  }

  #cancelTurn(patienceMs: number): void {
    const turn = this.#turn;
    this.#rpc.sendNotification("session/cancel", { sessionId: this.#session?.id });
    const timer = setTimeout(() => {
      if (!this.#isInTurn || this.#turn !== turn) return;
      this.#broken = `It did not end its turn within ${patienceMs / 1000} s.`;
      this.#rpc.closeConnection();
    }, patienceMs);
    timer.unref();
  }

  async #openSession(): Promise<OpenSession> {
    const { launch, print } = this.#parts;
    const session = await openSession({ ...this.#parts, rpc: this.#rpc });
    this.#session = session;
    print({ acp: "session", id: session.id, resumed: session.resumed });
    if (session.replays) await this.#waitForSilence();
    this.#view.rememberModel(currentModel(session.offers));
    if (launch.model === undefined) return session;
    const chosen = await chooseModel(this.#rpc, session, launch.model);
    this.#view.rememberModel(chosen);
    return session;
  }

  async #waitForSilence(): Promise<void> {
    const until = systemClock.monotonicMs() + MAX_REPLAY_MS;
    this.#lastNewsMs = systemClock.monotonicMs();
    while (systemClock.monotonicMs() - this.#lastNewsMs < QUIET_MS && systemClock.monotonicMs() < until)
      await delay(QUIET_MS / 5);
  }

  /** No deadline: the runtime limits how long work may take. */
  async #sendPrompt(sessionId: string, text: string): Promise<RpcAnswer> {
    this.#turn += 1;
    this.#isInTurn = true;
    this.#isListening = true;
    const answer = await this.#rpc.sendRequest("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text }],
    });
    this.#isInTurn = false;
    const result = answer.kind === "result" ? promptResultSchema.safeParse(answer.value).data : undefined;
    this.#view.recordTurnEnd(`turn-${this.#turn}`, result ?? {});
    return answer;
  }

  async #readEnding(answer: RpcAnswer): Promise<Ending> {
    if (answer.kind !== "result") return this.#explainClosing(endingOfAnswer(answer, "session/prompt"));
    const result = promptResultSchema.safeParse(answer.value);
    if (!result.success) return failedEnding("AGENT_STREAM_BROKEN", "Its turn ended without a stop reason.");
    const { stopReason } = result.data;
    return { ok: stopReason === "end_turn", reason: stopReason, message: `Its turn ended: ${stopReason}.` };
  }

  /** Only we know whether we ended the agent or it ended itself. */
  async #explainClosing(ending: Ending): Promise<Ending> {
    if (this.#cut === "stop") return { ok: false, reason: "cancelled", message: "It was stopped." };
    if (this.#broken !== undefined) return failedEnding("AGENT_STREAM_BROKEN", this.#broken);
    if (ending.failure !== undefined) return ending;
    const end = await this.#parts.agent.describeExit();
    return end === undefined ? ending : { ...ending, message: `${ending.message} It ${end}.` };
  }

  #answerRequest(method: string, parameters: unknown): object | undefined {
    if (method !== "session/request_permission") return undefined;
    const request = permissionSchema.safeParse(parameters);
    if (!request.success) return { outcome: { outcome: "cancelled" } };
    const { launch, cwd, print } = this.#parts;
    const name = this.#view.recordToolCall(request.data.toolCall);
    const { response, refusal } = answerPermission(
      request.data,
      { name, isCancelling: this.#cut !== undefined },
      { cwd, writable: launch.writable, deniedTools: launch.denied_tools },
    );
    if (refusal !== undefined) print({ acp: "denied", tool: name, why: refusal });
    return response;
  }

  #handleNotification(method: string, parameters: unknown): void {
    this.#lastNewsMs = systemClock.monotonicMs();
    this.#parts.print({ acp: "alive" });
    if (method !== "session/update" || !this.#isListening) return;
    const news = updateSchema.safeParse(parameters);
    const isOurs = news.success && (news.data.sessionId ?? this.#session?.id) === this.#session?.id;
    if (isOurs) this.#view.applyUpdate(news.data.update);
  }

  #reportGarbage(line: ReadLine): void {
    const text = line.kind === "line" ? line.text : line.head;
    if (line.kind === "overlong" && !text.includes(NEWS_MARK)) {
      this.#broken = "It sent a message that is too long to be read.";
      this.#rpc.closeConnection();
    }
    this.#notes += 1;
    if (this.#notes > MAX_NOTES) return;
    const what = line.kind === "line" ? "No message of the protocol" : "A message too long to be read";
    this.#parts.print({ acp: "note", text: `${what}: ${text.slice(0, MAX_NOTE_LENGTH)}` });
  }
}

function isConversationDone(answer: RpcAnswer): boolean {
  if (answer.kind !== "result") return answer.kind === "closed";
  return promptResultSchema.safeParse(answer.value).data?.stopReason !== "cancelled";
}
