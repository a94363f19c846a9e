import { systemClock } from "../../../base/clock.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { StoreReader } from "../../../journal/store.ts";
import { buildStatus, statusDocument } from "../../../reports/status.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { paint } from "../../render/paint.ts";
import { renderStatusReport } from "../../render/status-report.ts";
import { terminalWidth } from "../../render/terminal-width.ts";
import { findTarget } from "./find-target.ts";
import { nothingYet, readStore } from "./project-store.ts";

export function showStatus(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  return readStore(context, async (reader) => {
    const target = await findTarget(reader, invocation.argument("story"));
    if (reader === undefined || target === undefined) return emptyStatus;
    const report = buildStatus(target.story, await reader.storyTree(target.story.id));
    const others = await otherOpenStories(reader, target.story.id);
    const text = renderStatusReport(report, {
      ascii: context.ascii,
      width: terminalWidth(context.environment),
      paint: paint(context.color("stdout")),
      nowMs: systemClock.wallMs(),
      all: invocation.flag("all"),
    });
    return {
      exitCode: exitCode.completed,
      json: { ...statusDocument(report), other_open_stories: others },
      text: text + renderOthers(others),
    };
  });
}

const OTHERS_SHOWN = 5;

function renderOthers(stories: readonly string[]): string {
  if (stories.length === 0) return "";
  const more = stories.length > OTHERS_SHOWN ? ` and ${stories.length - OTHERS_SHOWN} more` : "";
  return `\n\nAlso open: ${stories.slice(0, OTHERS_SHOWN).join(", ")}${more}`;
}

const emptyStatus: CommandOutcome = {
  exitCode: exitCode.completed,
  json: { story: null, needs_you: [], working: [], queued: [], done: [], other_open_stories: [] },
  text: nothingYet,
};

const OPEN_SEARCHED = 1000;

async function otherOpenStories(reader: StoreReader, story: string): Promise<readonly string[]> {
  return (await reader.openStories(OPEN_SEARCHED)).filter((id) => id !== story);
}
