import { exitCode } from "../../../contract/exit-code.ts";
import type { Delegation } from "../../../journal/store.ts";
import { formatUsd } from "../../../ledger/money.ts";
import {
  compareTemplateFigures,
  buildComparisonDocument,
  MIN_STORIES,
  type WayFigures,
} from "../../../reports/template-comparison.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { optionalWholeNumber } from "../../option-values.ts";
import { renderColumns } from "../../render/columns.ts";
import { renderDuration } from "../../../base/duration-text.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";

const USUAL = 200;
const MOST = 2000;

/** Ways to divide work side by side (R185), from what really happened. */
export function compareTemplates(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const count = Math.min(MOST, Math.max(1, optionalWholeNumber(invocation, "stories") ?? USUAL));
  return readStore(context, async (reader) => {
    const stories = (await reader?.stories(count)) ?? [];
    const trees: (readonly Delegation[])[] = [];
    for (const { id } of stories) trees.push((await reader?.storyTree(id)) ?? []);
    const ways = compareTemplateFigures(trees);
    return {
      exitCode: exitCode.completed,
      json: { stories: stories.length, ways: ways.map(buildComparisonDocument) },
      text: ways.length === 0 ? nothingYet : render(ways),
    };
  });
}

function render(ways: readonly WayFigures[]): string {
  const heading = ["way", "stories", "completed", "workers", "cost each", "time", "saved", "conflicts"];
  const rows = ways.map((way) => [
    way.template ?? (way.isDivided ? "own way" : "undivided"),
    String(way.stories),
    `${way.completed} of ${way.ended}`,
    way.workers.toFixed(1),
    way.microUsd === null ? "-" : formatUsd(way.microUsd),
    way.medianMs === null ? "-" : renderDuration(way.medianMs),
    way.timeSaved === null ? "-" : `${Math.round(way.timeSaved * 100)} %`,
    String(way.conflicts),
  ]);
  const isThin = ways.some(({ ended }) => ended < MIN_STORIES);
  return [
    renderColumns([heading, ...rows]),
    ...(isThin ? ["", `Fewer than ${MIN_STORIES} stories of a kind say little.`] : []),
  ].join("\n");
}
