import { LONGEST_TEXT, type AcpLine } from "./lines.ts";
import {
  chunkSchema,
  fieldAt,
  textAt,
  toolCallSchema,
  usageUpdateSchema,
  type SessionUpdate,
  type ToolCall,
} from "./protocol.ts";
import { toolNameOf } from "./tool-name.ts";
import { readTokens, readTurnModel, readTurnTokens, type Tokens } from "./usage.ts";

const LONGEST_ID = 200;
const LONGEST_MODEL = 200;
/** Beyond it the oldest are forgotten. */
const MOST_TOOLS = 10_000;

/** Turns what an agent tells while it works into lines: chunks joined to messages, calls named once. */
export class SessionView {
  readonly #print: (line: AcpLine) => void;
  readonly #tools = new Map<string, { readonly name: string; readonly hasEnded: boolean }>();
  #messageId: string | undefined;
  #unsaid = "";
  #message = "";
  #lastMessage = "";
  #model: string | undefined;

  constructor(print: (line: AcpLine) => void) {
    this.#print = print;
  }

  /** What it said last, or the end of it. */
  get lastMessage(): string {
    return this.#message === "" ? this.#lastMessage : this.#message;
  }

  useModel(model: string | undefined): void {
    if (model !== undefined && model !== "") this.#model = plainModel(model).slice(0, LONGEST_MODEL);
  }

  see(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#chunk(update);
      case "tool_call":
      case "tool_call_update":
        return this.#toolUpdate(update);
      case "usage_update":
        return this.#cost(update);
    }
  }

  /** What a call is called; the first news of it is told. */
  toolSeen(call: ToolCall): string {
    const id = call.toolCallId.slice(0, LONGEST_ID);
    const known = this.#tools.get(id);
    if (known !== undefined) return known.name;
    const name = toolNameOf(call) ?? call.kind ?? "tool";
    this.endMessage();
    const [oldest] = this.#tools.size < MOST_TOOLS ? [] : this.#tools.keys();
    if (oldest !== undefined) this.#tools.delete(oldest);
    this.#tools.set(id, { name, hasEnded: false });
    this.#print({ acp: "tool", id, name });
    return name;
  }

  endMessage(): void {
    this.#say();
    if (this.#message !== "") this.#lastMessage = this.#message;
    this.#message = "";
    this.#messageId = undefined;
  }

  /** The whole of one turn, told at its end; it stands beside what single steps told before. */
  turnEnded(turn: string, result: { readonly usage?: unknown; readonly _meta?: unknown }): void {
    this.endMessage();
    this.useModel(readTurnModel(result._meta));
    const tokens = readTurnTokens(result);
    if (tokens !== undefined) this.#used(tokens, { scope: "run", id: turn });
  }

  #chunk(update: SessionUpdate): void {
    const chunk = chunkSchema.safeParse(update);
    if (chunk.success) this.#hear(chunk.data.messageId ?? undefined, chunk.data.content?.text ?? "");
    // Qwen tells of each request on a chunk without text.
    const tokens = readTokens(fieldAt(update._meta, "usage"));
    if (tokens !== undefined) this.#used(tokens, { scope: "step" });
  }

  #hear(messageId: string | undefined, text: string): void {
    if (text === "") return;
    if (this.#message !== "" && messageId !== this.#messageId) this.endMessage();
    this.#messageId = messageId;
    this.#unsaid += text;
    this.#message = (this.#message + text).slice(-LONGEST_TEXT);
    while (this.#unsaid.length > LONGEST_TEXT) this.#say();
  }

  #say(): void {
    const piece = this.#unsaid.slice(0, LONGEST_TEXT);
    this.#unsaid = this.#unsaid.slice(LONGEST_TEXT);
    if (piece !== "") this.#print({ acp: "text", text: piece });
  }

  #toolUpdate(update: SessionUpdate): void {
    const parsed = toolCallSchema.safeParse(update);
    if (!parsed.success) return;
    const call = parsed.data;
    const id = call.toolCallId.slice(0, LONGEST_ID);
    const name = this.toolSeen(call);
    const isEnd = call.status === "completed" || call.status === "failed";
    if (!isEnd || this.#tools.get(id)?.hasEnded === true) return;
    this.#tools.set(id, { name, hasEnded: true });
    this.endMessage();
    this.#print({ acp: "tool-end", id, ok: call.status === "completed" });
  }

  /** Dollars are of the whole session, earlier attempts included. `used` is the size of the context, not of the use. */
  #cost(update: SessionUpdate): void {
    // Copilot says so after every request, and gives its messages no ids.
    if (this.#messageId === undefined) this.endMessage();
    this.useModel(textAt(update._meta, "_claude/model"));
    const cost = usageUpdateSchema.safeParse(update).data?.cost;
    if (cost === undefined || cost === null || cost.currency.toUpperCase() !== "USD") return;
    if (!(cost.amount > 0)) return;
    const none = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    this.#used(none, { scope: "session", usd: cost.amount });
  }

  #used(
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

/** Qwen says `$runtime|openai|name(openai)`. */
function plainModel(model: string): string {
  const name = model.slice(model.lastIndexOf("|") + 1);
  const aside = name.indexOf("(");
  return name !== model && aside > 0 ? name.slice(0, aside) : model;
}
