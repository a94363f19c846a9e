import { isatty } from "node:tty";
import { join } from "node:path";
import { escapeJson } from "../../../base/safe-json.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { optionalWholeNumber, usage } from "../../option-values.ts";
import { paint } from "../../render/paint.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";
import { readLog, renderLogLine, tailOfEach, type LogLine } from "./log-lines.ts";
import { eventFilter, sourcesOf, type LogQuestion } from "./log-question.ts";
import type { LogSource } from "./log-sources.ts";

const STDOUT = 1;

/** A story's logs are those of its whole tree; a delegation's are its own. */
export function showLogs(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const tail = optionalWholeNumber(invocation, "tail");
  const wishes = ["raw", "events"].filter((name) => invocation.flag(name));
  if (wishes.length > 1) throw usage("--raw and --events are two different things", "Choose one of them.");
  if (invocation.flag("raw") && (invocation.flag("follow") || context.json))
    throw usage("--raw prints the files as they are", "Leave -f and --json away.");
  return readStore(context, async (reader, { root }) => {
    const target = await findTarget(reader, invocation.argument("id"));
    if (reader === undefined || target === undefined)
      return wishes.length === 0 ? emptyLogs : { ...emptyLogs, text: "" };
    const question = { target, reader, stateDirectory: join(root, ".ambit", "state"), tail };
    if (invocation.flag("follow")) {
      const { followLogs } = await import("./follow-logs.ts");
      return followLogs(context, question, invocation.flag("events"));
    }
    if (invocation.flag("events")) return showEvents(question);
    if (invocation.flag("raw") && !isatty(STDOUT)) {
      const { writeRawLogs } = await import("./raw-logs.ts");
      return writeRawLogs(await sourcesOf(question), target);
    }
    if (invocation.flag("raw")) context.warn("control characters are shown as text on a terminal");
    return showLines(context, question);
  });
}

const emptyLogs: CommandOutcome = {
  exitCode: exitCode.completed,
  json: { story: null, id: null, files: [], lines: [], left_out_bytes: 0 },
  text: nothingYet,
};

/** Of more than this only the newest part of each file is shown; the rest stays in the files. */
const MOST_BYTES = 32 * 1024 * 1024;

async function showLines(context: CommandContext, question: LogQuestion): Promise<CommandOutcome> {
  const { target, tail } = question;
  const sources = await sourcesOf(question);
  const share = Math.floor(MOST_BYTES / Math.max(1, sources.length));
  const skipped = (source: LogSource): number => Math.max(0, source.bytes - share);
  const leftOutBytes = sources.reduce((sum, source) => sum + skipped(source), 0);
  if (leftOutBytes > 0)
    context.warn(`${leftOutBytes} older bytes are not shown; ambit logs --json names the files`);
  const lines = tailOfEach(
    sources.flatMap((source) => readLog(source, skipped(source))),
    tail,
  );
  return {
    exitCode: exitCode.completed,
    json: {
      story: target.story.id,
      id: target.id,
      files: sources,
      lines,
      left_out_bytes: leftOutBytes,
    },
    text:
      lines.length === 0 ? `${target.id} has written nothing yet.` : renderLines(context, question, lines),
  };
}

function renderLines(context: CommandContext, { target }: LogQuestion, lines: readonly LogLine[]): string {
  const origins = new Set(lines.map(({ delegation, attempt }) => `${delegation} ${attempt}`));
  const { dim } = paint(context.color("stdout"));
  const style = { story: target.story.id, isPrefixed: origins.size > 1, dim };
  return lines.map((line) => renderLogLine(line, style)).join("\n");
}

const PAGE = 500;

/** The journal of a story or delegation, one stored event per line. */
async function showEvents(question: LogQuestion): Promise<CommandOutcome> {
  const { reader, tail, target } = question;
  const bodies =
    tail === undefined
      ? await readAllEvents(question)
      : (await reader.newestEvents(tail, eventFilter(target))).map(({ body }) => body);
  const events = bodies.map((body): unknown => JSON.parse(body));
  return {
    exitCode: exitCode.completed,
    json: { story: target.story.id, id: target.id, events },
    text: bodies.map(escapeJson).join("\n"),
  };
}

async function readAllEvents({ reader, target }: LogQuestion): Promise<readonly string[]> {
  const bodies: string[] = [];
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, PAGE, eventFilter(target));
    bodies.push(...page.events.map(({ body }) => body));
    cursor = page.cursor;
    if (page.events.length < PAGE) return bodies;
  }
}
