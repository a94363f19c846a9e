import { exitCode } from "../../../contract/exit-code.ts";
import { safeText } from "../../../base/safe-text.ts";
import type { Message, StoreReader } from "../../../journal/store.ts";
import { sayLetter } from "../../../mailbox/message-rules.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { parseWholeNumber } from "../../option-values.ts";
import { renderColumns } from "../../render/columns.ts";
import { excerpt } from "../../../base/visible-text.ts";
import { findTarget, type Target } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";

/** What the agents of a story told each other, their manager and the person. */
export function listMessages(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const limit = parseWholeNumber(invocation.option("limit") ?? "50", "--limit");
  return readStore(context, async (reader) => {
    const target = await findTarget(reader, invocation.argument("story"));
    if (reader === undefined || target === undefined)
      return { exitCode: exitCode.completed, json: { story: null, messages: [] }, text: nothingYet };
    const messages = await readMessages(reader, target, { limit, isPending: invocation.flag("pending") });
    const story = target.story.id;
    const text = renderColumns(messages.map((message) => row(message, context.verbose)));
    return {
      exitCode: exitCode.completed,
      json: { story, messages: messages.map(messageDocument) },
      text: text === "" ? `Nobody has written anything in ${target.id}.` : text,
    };
  });
}

const MOST_SEARCHED = 5000;

async function readMessages(
  reader: StoreReader,
  { id, story }: Target,
  { limit, isPending }: { readonly limit: number; readonly isPending: boolean },
): Promise<readonly Message[]> {
  const state = isPending ? ({ state: "pending" } as const) : {};
  const isWhole = id === story.id;
  const all = await reader.messages({ story: story.id, ...state, limit: isWhole ? limit : MOST_SEARCHED });
  const own = isWhole ? all : all.filter(({ from, to }) => from === id || to === id);
  return limit === 0 ? [] : own.slice(-limit);
}

function messageDocument({ id, from, to, state, sentAt, body }: Message): object {
  return { id, from, to, state, sent_at: sentAt, message: body };
}

const LONGEST_LINE = 120;

function row({ from, to, state, sentAt, body }: Message, isWhole: boolean): readonly string[] {
  const time = sentAt.slice(11, 19);
  const said = safeText(sayLetter(body));
  const shown = isWhole ? said : excerpt(said, LONGEST_LINE);
  return [time, safeText(from), safeText(`to ${to}`), state, shown];
}
