import type { Command } from "commander";
import { nothingYet } from "../render/nothing-yet.ts";
import { safeText } from "../../base/safe-text.ts";
import type { StatusAnswer } from "../../app/status.ts";
import { systemClock } from "../../base/clock.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { canInteract } from "../input/can-interact.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { paint } from "../terminal/paint.ts";
import { renderStatusReport } from "../render/status-report.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";
import { renderTodoLists } from "../render/todo-list.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Overview of work that needs you, is running, is queued or is done. Needs no supervisor.")
    .argument("[story]", "an id or its beginning; by default the newest story")
    .option("--all", "list every delegation, however many")
    .option("--watch", "keep it up to date; q or Ctrl-C ends the watch, not the work")
    .option("-i, --interactive", "open a screen to read logs and diffs, answer, approve, stop")
    .action(act(chooseStatus))
    .addHelpText("after", "\nExamples:\n  ambit status US-007\n  ambit status --watch\n  ambit status -i");
}

function chooseStatus(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  if (invocation.flag("interactive") && canInteract(context)) return openScreen(context, invocation);
  return invocation.flag("watch") ? watchStatus(context, invocation) : showStatus(context, invocation);
}

/** The last picture stays on the terminal. */
async function openScreen(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { story } = await readStatus(context, invocation);
  if (story === null) return showStatus(context, invocation);
  const { runScreen } = await import("../interactive/run-screen.ts");
  const reason = await runScreen(context, story);
  const outcome = await showStatus(context, invocation);
  return reason === "terminate" ? { ...outcome, exitCode: exitCode.terminated } : outcome;
}

export async function showStatus(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const answer = await readStatus(context, invocation);
  return describeOutcome(context, answer, { all: invocation.flag("all"), spareColumns: 0 });
}

/** The watch ends with the story that was named; without a terminal also when nothing is open any more. */
async function watchStatus(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { watchOutcome } = await import("../watch/watch-outcome.ts");
  const { outcome: last, wantsScreen } = await watchOutcome(context, async (isTerminal) => {
    const answer = await readStatus(context, invocation);
    // A terminal may erase the last column of a line that is full.
    const style = { all: invocation.flag("all"), spareColumns: isTerminal ? 1 : 0 };
    const outcome = describeOutcome(context, answer, style);
    const endsWithWork = invocation.argument("story") !== "" || !isTerminal;
    const silent = answer.working.filter((entry) => entry.silent_seconds !== undefined).map(({ id }) => id);
    const version = `${answer.last_event} ${answer.interrupted === true ? "interrupted" : ""} ${silent.join(" ")}`;
    return { outcome, version, isOver: endsWithWork && answer.is_over };
  });
  return wantsScreen ? openScreen(context, invocation) : last;
}

async function readStatus(context: CommandContext, invocation: Invocation): Promise<StatusAnswer> {
  const { statusUseCase } = await import("../../app/status.ts");
  return statusUseCase.run(context, { story: invocation.argument("story") });
}

/** `spareColumns` at the end of each line stay free. */
function describeOutcome(
  context: CommandContext,
  answer: StatusAnswer,
  { all, spareColumns }: { readonly all: boolean; readonly spareColumns: number },
): CommandOutcome {
  if (answer.story === null) return { exitCode: exitCode.completed, json: answer, text: nothingYet };
  const columns = terminalWidth(context.environment);
  const { ascii, verbose } = context;
  const style = { ascii, verbose, paint: paint(context.color("stdout")) };
  const report = renderStatusReport(answer, {
    ...style,
    width: columns === undefined ? undefined : Math.max(1, columns - spareColumns),
    nowMs: systemClock.wallMs(),
    all,
  });
  const parts = [
    report,
    renderElsewhere(answer.other_questions ?? []),
    renderTodoLists(answer.todos ?? [], style),
    renderOthers(answer.other_open_stories),
    // It names the way on from every end: to look, to merge, to resume, to undo.
    isEnded(answer) ? `  next  ambit explain ${safeText(answer.story)}` : "",
  ];
  const text = parts.filter((part) => part !== "").join("\n\n");
  return { exitCode: exitCode.completed, json: answer, text };
}

function isEnded({ is_over: isOver, interrupted, status }: StatusAnswer): boolean {
  return isOver && interrupted !== true && status !== "running" && status !== "pending";
}

/** Questions of other stories are not hidden because a newer story began. */
function renderElsewhere(questions: NonNullable<StatusAnswer["other_questions"]>): string {
  if (questions.length === 0) return "";
  const lines = questions.flatMap(({ delegation, question, answer_with: commands }) => [
    `  ? ${safeText(delegation)}  "${safeText(question)}"`,
    ...commands.map((command) => `      ${safeText(command)}`),
  ]);
  return [`Other stories ask you (${questions.length})`, ...lines].join("\n");
}

const MAX_OTHERS = 5;

function renderOthers(stories: readonly string[]): string {
  if (stories.length === 0) return "";
  const more = stories.length > MAX_OTHERS ? ` and ${stories.length - MAX_OTHERS} more` : "";
  return `Also open: ${stories.slice(0, MAX_OTHERS).join(", ")}${more}`;
}
