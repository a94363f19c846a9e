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

/** An agent that has not stopped by then is ended instead. */
const CANCEL_MS = 5000;
const WIND_DOWN_MS = 20_000;
/** Gemini says that a session is loaded before it has told all of it again. */
const QUIET_MS = 250;
const LONGEST_REPLAY_MS = 10_000;
const LONGEST_NOTE = 500;
const MOST_NOTES = 100;
/** Only news of a session may be too long to read: whoever waits for anything else would wait for ever. */
const NEWS_MARK = '"session/update"';

/** One prompt from greeting to last word, told as lines. It ends when the agent does, and can be cut short. */
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
    this.#view = new SessionView(parts.print);
    this.#rpc = new RpcConnection(parts.agent, {
      onRequest: (method, parameters) => this.#answer(method, parameters),
      onNotification: (method, parameters) => this.#hear(method, parameters),
      onGarbage: (line) => this.#wonder(line),
    });
    void parts.agent.whenGone().then(() => this.#rpc.close());
  }

  get lastMessage(): string {
    return this.#view.lastMessage;
  }

  async run(): Promise<Ending> {
    try {
      const session = await this.#open();
      const first = await this.#prompt(session.id, this.#parts.launch.prompt);
      if (this.#cut !== "wind-down" || isDone(first)) return await this.#endingOf(first);
      this.#cut = undefined;
      return await this.#endingOf(await this.#prompt(session.id, this.#parts.launch.wind_down_prompt));
    } catch (error) {
      if (error instanceof ConversationEnded) return this.#explain(error.ending);
      throw error;
    }
  }

  /** Ends the turn in the agent's own way; what is left is ended by whoever owns the process. */
  stop(): void {
    if (this.#cut === "stop") return;
    this.#cut = "stop";
    if (this.#isInTurn) this.#cancel(CANCEL_MS);
    else this.#rpc.close();
  }

  /** Cuts the turn short, so that it can be told to report; does nothing while there is no turn, or a second time. */
  windDown(): void {
    if (this.#cut !== undefined || !this.#isInTurn || this.#turn > 1) return;
    this.#cut = "wind-down";
    this.#cancel(WIND_DOWN_MS);
  }

  #cancel(patienceMs: number): void {
    const turn = this.#turn;
    this.#rpc.notify("session/cancel", { sessionId: this.#session?.id });
    const timer = setTimeout(() => {
      if (!this.#isInTurn || this.#turn !== turn) return;
      this.#broken = `It did not end its turn within ${patienceMs / 1000} s.`;
      this.#rpc.close();
    }, patienceMs);
    timer.unref();
  }

  async #open(): Promise<OpenSession> {
    const { launch, print } = this.#parts;
    const session = await openSession({ ...this.#parts, rpc: this.#rpc });
    this.#session = session;
    print({ acp: "session", id: session.id, resumed: session.resumed });
    if (session.replays) await this.#quiet();
    this.#view.useModel(currentModel(session.offers));
    if (launch.model === undefined) return session;
    const chosen = await chooseModel(this.#rpc, session, launch.model);
    this.#view.useModel(chosen);
    return session;
  }

  async #quiet(): Promise<void> {
    const until = systemClock.monotonicMs() + LONGEST_REPLAY_MS;
    this.#lastNewsMs = systemClock.monotonicMs();
    while (systemClock.monotonicMs() - this.#lastNewsMs < QUIET_MS && systemClock.monotonicMs() < until)
      await delay(QUIET_MS / 5);
  }

  /** No deadline: how long work may take is the runtime's to say. */
  async #prompt(sessionId: string, text: string): Promise<RpcAnswer> {
    this.#turn += 1;
    this.#isInTurn = true;
    this.#isListening = true;
    const answer = await this.#rpc.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    this.#isInTurn = false;
    const result = answer.kind === "result" ? promptResultSchema.safeParse(answer.value).data : undefined;
    this.#view.turnEnded(`turn-${this.#turn}`, result ?? {});
    return answer;
  }

  async #endingOf(answer: RpcAnswer): Promise<Ending> {
    if (answer.kind !== "result") return this.#explain(endingOfAnswer(answer, "session/prompt"));
    const result = promptResultSchema.safeParse(answer.value);
    if (!result.success) return failedEnding("AGENT_STREAM_BROKEN", "Its turn ended without a stop reason.");
    const { stopReason } = result.data;
    return { ok: stopReason === "end_turn", reason: stopReason, message: `Its turn ended: ${stopReason}.` };
  }

  /** Ended by us or by itself is a difference, and only we know it. */
  async #explain(ending: Ending): Promise<Ending> {
    if (this.#cut === "stop") return { ok: false, reason: "cancelled", message: "It was stopped." };
    if (this.#broken !== undefined) return failedEnding("AGENT_STREAM_BROKEN", this.#broken);
    if (ending.failure !== undefined) return ending;
    const end = await this.#parts.agent.howItEnded();
    return end === undefined ? ending : { ...ending, message: `${ending.message} It ${end}.` };
  }

  #answer(method: string, parameters: unknown): object | undefined {
    if (method !== "session/request_permission") return undefined;
    const request = permissionSchema.safeParse(parameters);
    if (!request.success) return { outcome: { outcome: "cancelled" } };
    const { launch, cwd, print } = this.#parts;
    const name = this.#view.toolSeen(request.data.toolCall);
    const { response, refusal } = answerPermission(
      request.data,
      { name, isCancelling: this.#cut !== undefined },
      { cwd, writable: launch.writable, deniedTools: launch.denied_tools },
    );
    if (refusal !== undefined) print({ acp: "denied", tool: name, why: refusal });
    return response;
  }

  #hear(method: string, parameters: unknown): void {
    this.#lastNewsMs = systemClock.monotonicMs();
    this.#parts.print({ acp: "alive" });
    if (method !== "session/update" || !this.#isListening) return;
    const news = updateSchema.safeParse(parameters);
    const isOurs = news.success && (news.data.sessionId ?? this.#session?.id) === this.#session?.id;
    if (isOurs) this.#view.see(news.data.update);
  }

  #wonder(line: ReadLine): void {
    const text = line.kind === "line" ? line.text : line.head;
    if (line.kind === "overlong" && !text.includes(NEWS_MARK)) {
      this.#broken = "It sent a message that is too long to be read.";
      this.#rpc.close();
    }
    this.#notes += 1;
    if (this.#notes > MOST_NOTES) return;
    const what = line.kind === "line" ? "No message of the protocol" : "A message too long to be read";
    this.#parts.print({ acp: "note", text: `${what}: ${text.slice(0, LONGEST_NOTE)}` });
  }
}

function isDone(answer: RpcAnswer): boolean {
  if (answer.kind !== "result") return answer.kind === "closed";
  return promptResultSchema.safeParse(answer.value).data?.stopReason !== "cancelled";
}
