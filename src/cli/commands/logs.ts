import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { isatty } from "node:tty";
import type { Command } from "commander";
import type { LogLine, LogsAnswer } from "../../app/logs.ts";
import { readErrorCode } from "../../base/delegation-error.ts";
import { nothingYet } from "../render/nothing-yet.ts";
import { escapeJson, formatSafeJson } from "../../base/safe-json.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { usageError } from "../../errors/usage.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { optionalWholeNumber } from "../input/option-values.ts";
import { adviseResume } from "../render/advise-resume.ts";
import { renderLogLine } from "../render/log-line.ts";
import { paint } from "../terminal/paint.ts";
import { writeOutput } from "../terminal/write-output.ts";

export function register(command: Command, act: Act): void {
  command
    .description("The output of agents: of a story with all its workers, or of one delegation.")
    .usage("[id] [--raw | --events | --note <text>]")
    .argument("[id]", "an id, its beginning or a path such as 2.1; by default the newest story")
    .option("-f, --follow", "keep printing until it ends")
    .option("--tail <n>", "only the newest lines of each delegation")
    .option("--raw", "print the files unchanged, for a pipe or a file")
    .option("--events", "its events in the journal, as NDJSON")
    .option("--note <text>", "write a line of your own into its journal")
    .action(act(showLogs))
    .addHelpText("after", "\nExample:\n  ambit logs 2.1 -f --tail 20");
}

const STDOUT = 1;

async function showLogs(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const tail = optionalWholeNumber(invocation, "tail");
  const [isRaw, asEvents, isFollowed] = [
    invocation.flag("raw"),
    invocation.flag("events"),
    invocation.flag("follow"),
  ];
  if (isRaw && asEvents)
    throw usageError("--raw and --events are two different things", "Choose one of them.");
  if (isRaw && (isFollowed || context.json))
    throw usageError("--raw prints the files as they are", "Omit -f and --json.");
  const id = invocation.argument("id");
  const note = invocation.option("note");
  if (note !== undefined) return addNote(context, id, note);
  if (isFollowed) return followLogs(context, { id, tail, asEvents });
  if (asEvents) return showEvents(context, { id, tail });
  const { logsUseCase } = await import("../../app/logs.ts");
  const isPiped = isRaw && !isatty(STDOUT);
  const json = await logsUseCase.run(context, { id, tail, what: isPiped ? "files" : "lines" });
  if (isRaw && !isPiped) context.warn("control characters are shown as text on a terminal");
  if (json.interrupted === true) context.warn(adviseResume(json.story ?? ""));
  if (isPiped) await writeFiles(json);
  const text = isRaw && (isPiped || json.story === null) ? "" : renderLines(context, json);
  return { exitCode: exitCode.completed, json, text };
}

async function addNote(context: CommandContext, id: string, text: string): Promise<CommandOutcome> {
  const { addNoteUseCase } = await import("../../app/add-note.ts");
  const json = await addNoteUseCase.run(context, { id, text });
  return { exitCode: exitCode.completed, json, text: `Noted in the journal of ${json.id}.` };
}

/** The journal of a story or delegation, one stored event per line. */
async function showEvents(
  context: CommandContext,
  question: { readonly id: string; readonly tail: number | undefined },
): Promise<CommandOutcome> {
  const { logEventsUseCase } = await import("../../app/log-events.ts");
  const json = await logEventsUseCase.run(context, question);
  const text = json.events.map((event) => escapeJson(JSON.stringify(event))).join("\n");
  return { exitCode: exitCode.completed, json, text };
}

function renderLines(context: CommandContext, answer: LogsAnswer): string {
  const { story, id, lines, left_out_bytes: leftOut } = answer;
  if (story === null) return nothingYet;
  if (leftOut > 0) context.warn(`${leftOut} older bytes are not shown; ambit logs --json names the files`);
  if (lines.length === 0) return `${id ?? ""} has written nothing yet.`;
  const writers = new Set(lines.map(({ delegation, attempt }) => `${delegation} ${attempt}`));
  const style = { story, isPrefixed: writers.size > 1, dim: paint(context.color("stdout")).dim };
  return lines.map((line) => renderLogLine(line, style)).join("\n");
}

/** Every byte as it was written, one file after the other; for pipes and files only. */
async function writeFiles({ files }: LogsAnswer): Promise<void> {
  try {
    for (const { path } of files) await pipeline(createReadStream(path), process.stdout, { end: false });
  } catch (error) {
    // A reader that has seen enough, as in `ambit logs --raw | head`, is not a failure.
    if (!["EPIPE", "ECONNRESET"].includes(readErrorCode(error))) throw error;
  }
}

async function followLogs(
  context: CommandContext,
  question: { readonly id: string; readonly tail: number | undefined; readonly asEvents: boolean },
): Promise<CommandOutcome> {
  const { followLogs: follow } = await import("../../app/follow-logs.ts");
  const { dim } = paint(context.color("stdout"));
  const json = await follow(context, question, async ({ lines, events }, { story, id }) => {
    const render = (line: LogLine): string =>
      context.json ? formatSafeJson(line) : renderLogLine(line, { story, isPrefixed: id === story, dim });
    const shown = [...lines.map(render), ...events.map(escapeJson)];
    if (shown.length === 0) return true;
    return (await writeOutput("stdout", shown.map((line) => `${line}\n`).join(""))).status !== "closed";
  });
  const text = json.story === null && !question.asEvents ? nothingYet : "";
  return { exitCode: exitCode.completed, json, text };
}
