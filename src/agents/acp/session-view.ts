import { readFieldAt } from "../../base/json.ts";
import { hashInput } from "../stream-json/hash-input.ts";
import { isFields } from "../stream-json/read-line.ts";
import { CallTrace } from "./call-trace.ts";
import { MAX_TEXT_LENGTH, type AcpLine } from "./lines.ts";
import {
  chunkSchema,
  readTextAt,
  toolCallSchema,
  usageUpdateSchema,
  type SessionUpdate,
  type ToolCall,
} from "./protocol.ts";
import { readTokenCounts, readTurnModel, readTurnTokens, type Tokens } from "./usage.ts";

const MAX_ID_LENGTH = 200;
const MAX_MODEL_LENGTH = 200;
/** Older ones are forgotten. */
const MAX_TOOLS = 10_000;

interface KnownCall {
  readonly name: string;
  /** Undefined once its input is known, or it has ended. */
  readonly trace: CallTrace | undefined;
  readonly hasEnded: boolean;
}

const MAX_NAME_LENGTH = 200;

/** Gemini names the tool only in the id: `write_file__o71ogtq56qobtz36`. */
const ID_MARK = "__";
const PLAIN_NAME = /^[A-Za-z][\w-]*$/;

/** Converts an agent's updates into lines: it joins chunks to messages and names each call once. */
export class SessionView {
  readonly #print: (line: AcpLine) => void;
  readonly #titlesAreCommands: boolean;
  readonly #tools = new Map<string, KnownCall>();
  #messageId: string | undefined;
  #unsaid = "";
  #message = "";
  #lastMessage = "";
  #model: string | undefined;

  constructor(print: (line: AcpLine) => void, titlesAreCommands = false) {
    this.#print = print;
    this.#titlesAreCommands = titlesAreCommands;
  }

  /** The agent's last message, or the end of it. */
  get lastMessage(): string {
    return this.#message === "" ? this.#lastMessage : this.#message;
  }

  rememberModel(model: string | undefined): void {
    if (model !== undefined && model !== "") this.#model = readPlainModel(model).slice(0, MAX_MODEL_LENGTH);
  }

  applyUpdate(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#addChunk(update);
      case "tool_call":
      case "tool_call_update":
        return this.#updateTool(update);
      case "usage_update":
        return this.#recordCost(update);
    }
  }

  /**
   * The name of a call's tool. The first update about a call is printed, and the first that shows its input. If none does,
   * the end of the call shows a hash of everything that was seen of it instead.
   */
  recordToolCall(call: ToolCall): string {
    const id = call.toolCallId.slice(0, MAX_ID_LENGTH);
    const known = this.#tools.get(id);
    const input = hashCallInput(call);
    const hasInput = input.input !== undefined;
    if (known !== undefined) {
      known.trace?.addUpdate(call);
      if (!hasInput || known.trace === undefined) return known.name;
      this.#print({ acp: "tool", id, name: known.name, ...input });
      this.#tools.set(id, { ...known, trace: undefined });
      return known.name;
    }
    const name = readToolName(call) ?? call.kind ?? "tool";
    this.endMessage();
    const [oldest] = this.#tools.size < MAX_TOOLS ? [] : this.#tools.keys();
    if (oldest !== undefined) this.#tools.delete(oldest);
    const trace = hasInput ? undefined : new CallTrace(id);
    trace?.addUpdate(call);
    this.#tools.set(id, { name, trace, hasEnded: false });
    this.#print({ acp: "tool", id, name, ...input });
    return name;
  }

  endMessage(): void {
    this.#printText();
    if (this.#message !== "") this.#lastMessage = this.#message;
    this.#message = "";
    this.#messageId = undefined;
  }

  /** The usage of a whole turn, reported at its end in addition to single steps. */
  recordTurnEnd(turn: string, result: { readonly usage?: unknown; readonly _meta?: unknown }): void {
    this.endMessage();
    this.rememberModel(readTurnModel(result._meta));
    const tokens = readTurnTokens(result);
    if (tokens !== undefined) this.#recordUsage(tokens, { scope: "run", id: turn });
  }

  #addChunk(update: SessionUpdate): void {
    const chunk = chunkSchema.safeParse(update);
    if (chunk.success) this.#addText(chunk.data.messageId ?? undefined, chunk.data.content?.text ?? "");
    // Qwen reports each request on a chunk without text.
    const tokens = readTokenCounts(readFieldAt(update._meta, "usage"));
    if (tokens !== undefined) this.#recordUsage(tokens, { scope: "step" });
  }

  #addText(messageId: string | undefined, text: string): void {
    if (text === "") return;
    if (this.#message !== "" && messageId !== this.#messageId) this.endMessage();
    this.#messageId = messageId;
    this.#unsaid += text;
    this.#message = (this.#message + text).slice(-MAX_TEXT_LENGTH);
    while (this.#unsaid.length > MAX_TEXT_LENGTH) this.#printText();
  }

  #printText(): void {
    const piece = this.#unsaid.slice(0, MAX_TEXT_LENGTH);
    this.#unsaid = this.#unsaid.slice(MAX_TEXT_LENGTH);
    if (piece !== "") this.#print({ acp: "text", text: piece });
  }

  #updateTool(update: SessionUpdate): void {
    const parsed = toolCallSchema.safeParse(update);
    if (!parsed.success) return;
    const call = parsed.data;
    const id = call.toolCallId.slice(0, MAX_ID_LENGTH);
    const name = this.recordToolCall(call);
    const isEnd = call.status === "completed" || call.status === "failed";
    const known = this.#tools.get(id);
    if (!isEnd || known === undefined || known.hasEnded) return;
    this.#tools.set(id, { name, trace: undefined, hasEnded: true });
    this.endMessage();
    const trace = known.trace?.hashTrace(this.#titlesAreCommands);
    if (trace !== undefined) this.#print({ acp: "tool", id, name, ...trace });
    this.#print({ acp: "tool-end", id, ok: call.status === "completed" });
  }

  /** The cost is for the whole session, earlier attempts included. `used` is the size of the context, not the usage. */
  #recordCost(update: SessionUpdate): void {
    // Copilot reports this after every request, and its messages have no ids.
    if (this.#messageId === undefined) this.endMessage();
    this.rememberModel(readTextAt(update._meta, "_claude/model"));
    const cost = usageUpdateSchema.safeParse(update).data?.cost;
    if (cost === undefined || cost === null || cost.currency.toUpperCase() !== "USD") return;
    if (!(cost.amount > 0)) return;
    const none = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    this.#recordUsage(none, { scope: "session", usd: cost.amount });
  }

  #recordUsage(
    { inputTokens, cachedTokens, outputTokens }: Tokens,
    how: { readonly scope: "step" | "run" | "session"; readonly id?: string; readonly usd?: number },
  ): void {
    this.#print({
      acp: "usage",
      scope: how.scope,
      ...(how.id === undefined ? {} : { id: how.id }),
      ...(this.#model === undefined ? {} : { model: this.#model }),
      input_tokens: inputTokens,
      cached_tokens: cachedTokens,
      output_tokens: outputTokens,
      usd: how.usd ?? null,
    });
  }
}

/** Qwen writes `$runtime|openai|name(openai)`. */
function readPlainModel(model: string): string {
  const name = model.slice(model.lastIndexOf("|") + 1);
  const aside = name.indexOf("(");
  return name !== model && aside > 0 ? name.slice(0, aside) : model;
}

/** Some agents announce a call with an empty input and fill it in later, so an empty one is unknown. */
function hashCallInput({ rawInput }: ToolCall): { readonly input?: string } {
  const isEmpty = isFields(rawInput) && Object.keys(rawInput).length === 0;
  return isEmpty ? {} : hashInput(rawInput);
}

/**
 * A tool's name, from any field this agent uses; undefined if the message names none. The title is the last
 * resort: for many agents it is a sentence about the call.
 */
function readToolName(call: ToolCall): string | undefined {
  const name =
    call.name ??
    readTextAt(call._meta, "toolName") ??
    readTextAt(call._meta, "claudeCode", "toolName") ??
    readNameInId(call.toolCallId) ??
    call.title ??
    undefined;
  return name === undefined || name === "" ? undefined : name.slice(0, MAX_NAME_LENGTH);
}

function readNameInId(id: string): string | undefined {
  const name = id.slice(0, Math.max(0, id.lastIndexOf(ID_MARK)));
  return PLAIN_NAME.test(name) ? name : undefined;
}
