import type { Command } from "commander";
import { safeText } from "../../base/safe-text.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { parseWholeNumber } from "../input/option-values.ts";
import { renderColumns } from "../render/columns.ts";
import { nothingYet } from "../render/nothing-yet.ts";
import { timeOfDay } from "../render/time-of-day.ts";
import { renderVerdict } from "../render/verdict.ts";

export function register(command: Command, act: Act): void {
  command.description("Write to the agents of a story, and read what they wrote to each other.");
  command
    .command("send")
    .description("Send a message to a worker, which gets it in its next turn or when it looks.")
    .argument("<to>", "story or delegation; for agents: manager, person or one of their workers")
    .argument("<text...>", "the message; agents may send JSON")
    .option("--wait <seconds>", "for agents: how long to wait for an answer", "60")
    .action(act(sendMessage))
    .addHelpText(
      "after",
      `
Examples:
  ambit message send S-4k2m9x-DEL-001 "ids are bigint"
  ambit message send manager '{"type":"ack"}'`,
    );
  command
    .command("list")
    .description("List the messages of a story, oldest first. Needs no supervisor.")
    .argument("[story]", "story or delegation; by default the newest story")
    .option("--pending", "only those that have not been read")
    .option("--limit <number>", "how many of the newest messages", "50")
    .action(act(listMessages))
    .addHelpText("after", "\nExample:\n  ambit message list --pending --json");
  command
    .command("read")
    .description("For agents inside a story: read the messages that are new to you.")
    .action(act(readMessages))
    .addHelpText("after", "\nExample:\n  ambit message read");
  command.addHelpText("after", '\nExample:\n  ambit message send 2.1 "use the staging database"');
}

async function sendMessage(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { sendMessageUseCase } = await import("../../app/send-message.ts");
  const json = await sendMessageUseCase.run(context, {
    to: invocation.argument("to"),
    text: invocation.argumentList("text").join(" ").trim(),
    waitSeconds: parseWholeNumber(invocation.option("wait") ?? "60", "--wait"),
  });
  const { to, advice = "", answer } = json;
  // Only agents wait for an answer.
  if (context.environment["AMBIT_TOKEN"] !== undefined)
    return {
      exitCode: answer === null ? exitCode.blocked : exitCode.completed,
      json,
      text: answer ?? advice,
    };
  const message = `sent to ${to}: ${advice}`;
  return { exitCode: exitCode.completed, json, text: renderVerdict({ ok: true, message }, context) };
}

async function listMessages(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { listMessagesUseCase } = await import("../../app/list-messages.ts");
  const json = await listMessagesUseCase.run(context, {
    id: invocation.argument("story"),
    pending: invocation.flag("pending"),
    limit: parseWholeNumber(invocation.option("limit") ?? "50", "--limit"),
  });
  const rows = json.messages.map(({ from, to, state, sent_at: sentAt, text }) => {
    const line = safeText(text);
    const shown = context.verbose ? line : quoteExcerpt(line, MAX_LINE);
    return [timeOfDay(sentAt), safeText(from), safeText(`to ${to}`), state, shown];
  });
  const none = json.id === null ? nothingYet : `There are no messages in ${json.id}.`;
  return { exitCode: exitCode.completed, json, text: rows.length === 0 ? none : renderColumns(rows) };
}

const MAX_LINE = 120;

async function readMessages(context: CommandContext): Promise<CommandOutcome> {
  const { readMessagesUseCase } = await import("../../app/read-messages.ts");
  const json = await readMessagesUseCase.run(context, {});
  const lines = json.messages.map(({ id, from, text }) => `${from} ${text} (${id})`);
  return {
    exitCode: exitCode.completed,
    json,
    text: lines.length === 0 ? "There are no new messages." : lines.join("\n"),
  };
}
