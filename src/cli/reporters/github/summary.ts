import { formatUsd } from "../../../ledger/money.ts";
import {
  nameOf,
  shownState,
  stateWord,
  type StoryNode,
  type StoryView,
} from "../../../reports/story-node.ts";
import { elapsedMs, storyTotals } from "../../../reports/story-totals.ts";
import { rootOf } from "../../../reports/story-view.ts";
import { safeText } from "../../../base/safe-text.ts";
import { renderDuration } from "../../render/duration.ts";
import { costText } from "../../render/story-tree/row.ts";
import { looks } from "../../render/story-tree/glyphs.ts";
import type { StoryEnd } from "../reporter.ts";

/** The story as a page of Markdown, for a job's summary. */
export function renderSummary(view: StoryView, ending: StoryEnd, nowMs: number): string {
  const totals = storyTotals(view, nowMs);
  const spent = `${formatUsd(totals.microUsd)}${totals.costSource === "reported" ? "" : ` (${totals.costSource})`}`;
  const code = ending.code === null ? "" : ` (${escapeMarkdown(ending.code)})`;
  return [
    `## ${escapeMarkdown(rootOf(view).title || ending.story)}`,
    "",
    `**${escapeMarkdown(ending.outcome)}**${code} · ${totals.done} of ${totals.workers} delegations done · ${spent}`,
    "",
    escapeMarkdown(ending.summary),
    "",
    "| | Task | State | Agent | Time | Cost | Files | Criteria |",
    "|---|---|---|---|--:|--:|--:|--:|",
    ...[...view.nodes.values()].map((node) => renderNode(node, nowMs)),
    "",
    ...renderRefusals([...view.nodes.values()]),
  ].join("\n");
}

function renderNode(node: StoryNode, nowMs: number): string {
  const state = shownState(node);
  const elapsed = elapsedMs(node, nowMs);
  const { passed, total } = node.criteria;
  const cells = [
    nameOf(node),
    node.title,
    `${looks[state].mark} ${stateWord(state)}${node.code === null ? "" : ` ${node.code}`}`,
    node.agent,
    elapsed === null ? "" : renderDuration(elapsed),
    costText(node),
    String(node.filesChanged.length),
    total === 0 ? "" : `${passed}/${total}`,
  ];
  return `| ${cells.map(escapeMarkdown).join(" | ")} |`;
}

function renderRefusals(nodes: readonly StoryNode[]): readonly string[] {
  const lines = nodes.flatMap((node) =>
    node.refusals.map(
      ({ codes, description }) =>
        `- ${escapeMarkdown(nameOf(node))} was refused ${escapeMarkdown(codes.join(", "))}: ${escapeMarkdown(description)}`,
    ),
  );
  return lines.length === 0 ? [] : ["**Refused**", "", ...lines, ""];
}

const SPECIAL = new Set("\\`*_{}[]()#+-!|<>~&@$:");

/** One line that shows as it is written: no table, link, mention or markup comes out of a title. */
export function escapeMarkdown(text: string): string {
  let escaped = "";
  for (const character of safeText(text)) {
    const isSpecial = SPECIAL.has(character);
    escaped += isSpecial ? `&#${character.codePointAt(0) ?? 0};` : character;
  }
  return escaped;
}
