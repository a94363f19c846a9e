import { formatSpent } from "../../../base/money.ts";
import {
  nameOf,
  shownState,
  stateWord,
  type StoryNode,
  type StoryView,
  findRootNode,
  measureElapsedMs,
  sumStoryTotals,
} from "../../../app/story-view.ts";
import { renderDuration } from "../../../base/duration-text.ts";
import { drawStory } from "../../../app/story-pictures.ts";
import { commandFor, costText } from "../../render/story-tree/row.ts";
import { looks } from "../../render/story-tree/glyphs.ts";
import type { StoryEnd } from "../reporter.ts";
import { escapeMarkdown, escapeHtml, shorten } from "./escape-markdown.ts";

export interface SummaryStyle {
  readonly nowMs: number;
  /** Bytes that are left: GitHub drops a summary that is larger. */
  readonly room: number;
}

/** GitHub draws no diagram of more than 50,000 characters, and one with more nodes than this is unreadable. */
const MAX_DRAWN_NODES = 100;
const MAX_DIAGRAM_LENGTH = 45_000;
const MAX_TREE_LINES = 500;

/**
 * The story as a page of Markdown, for a job's summary: how it ended, every delegation with its cost, the tree and a
 * drawing of it. What has no room is left out from the end, and said to be.
 */
export function renderSummary(view: StoryView, ending: StoryEnd, { nowMs, room }: SummaryStyle): string {
  const nodes = [...view.nodes.values()];
  const parts = [
    renderHead(view, ending, nowMs),
    ...renderQuestions(nodes),
    ...renderFindings(nodes),
    ...(nodes.length === 0 ? [] : [renderTable(nodes, nowMs)]),
    ...renderRefusals(nodes),
    ...renderPictures(view),
  ];
  return `${fit(parts, room).join("\n\n")}\n`;
}

function renderHead(view: StoryView, ending: StoryEnd, nowMs: number): string {
  const totals = sumStoryTotals(view, nowMs);
  const source = totals.costSource === "reported" || totals.microUsd === 0 ? "" : ` (${totals.costSource})`;
  const spent = `${formatSpent(totals.microUsd, totals.tokens)}${source}`;
  const code = ending.code === null ? "" : ` (${escapeMarkdown(ending.code)})`;
  return [
    `## ${escapeMarkdown(findRootNode(view).title || ending.story)}`,
    "",
    `**${escapeMarkdown(ending.outcome)}**${code} · ${totals.done} of ${totals.workers} delegations ended · ${spent}`,
    "",
    escapeMarkdown(ending.summary),
  ].join("\n");
}

/** The questions without an answer, each on a line of its own with the command that answers it. */
function renderQuestions(nodes: readonly StoryNode[]): readonly string[] {
  const lines = nodes.flatMap((node) =>
    node.approvals.map(
      (asked) => `- ${escapeMarkdown(asked.question)} → \`${commandFor(node, asked).replaceAll("`", "'")}\``,
    ),
  );
  return lines.length === 0 ? [] : [["**Waits for a person**", "", ...lines.slice(0, MAX_LISTED)].join("\n")];
}

const MAX_LISTED = 50;

/** The findings of checks that did not pass. */
function renderFindings(nodes: readonly StoryNode[]): readonly string[] {
  const lines = nodes.flatMap((node) =>
    node.findings.map(
      ({ criterion, evidence }) =>
        `- ${escapeMarkdown(nameOf(node))} ${escapeMarkdown(criterion)}: ${escapeMarkdown(evidence)}`,
    ),
  );
  return lines.length === 0 ? [] : [["**Failed checks**", "", ...lines.slice(0, MAX_LISTED)].join("\n")];
}

const MAX_ROWS = 200;

function renderTable(nodes: readonly StoryNode[], nowMs: number): string {
  const hidden = nodes.length - MAX_ROWS;
  return [
    "| | Task | State | Agent | Time | Cost | Files | Criteria |",
    "|---|---|---|---|--:|--:|--:|--:|",
    ...nodes.slice(0, MAX_ROWS).map((node) => renderNode(node, nowMs)),
    ...(hidden > 0 ? [`| | … ${hidden} more | | | | | | |`] : []),
  ].join("\n");
}

function renderNode(node: StoryNode, nowMs: number): string {
  const state = shownState(node);
  const elapsed = measureElapsedMs(node, nowMs);
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

const MAX_REFUSALS = 50;

function renderRefusals(nodes: readonly StoryNode[]): readonly string[] {
  const lines = nodes.flatMap((node) =>
    node.refusals.map(
      ({ codes, description }) =>
        `- ${escapeMarkdown(nameOf(node))} was refused ${escapeMarkdown(codes.join(", "))}: ${escapeMarkdown(description)}`,
    ),
  );
  const hidden = lines.length - MAX_REFUSALS;
  const more = hidden > 0 ? [`- … ${hidden} more`] : [];
  return lines.length === 0 ? [] : [["**Refused**", "", ...lines.slice(0, MAX_REFUSALS), ...more].join("\n")];
}

const NO_ROOM = "_The rest has no room here: `ambit tree` and `ambit cost` show it._";

function fit(parts: readonly string[], room: number): readonly string[] {
  const shown: string[] = [];
  let left = room - Buffer.byteLength(NO_ROOM) - 4;
  for (const part of parts) {
    left -= Buffer.byteLength(part) + 2;
    if (left < 0) return [...shown, NO_ROOM];
    shown.push(part);
  }
  return shown;
}

/** The tree as text and as a diagram, each in a fold; a story without workers needs neither. */
function renderPictures(view: StoryView): readonly string[] {
  const { nodes, text, mermaid } = drawStory(view, shorten);
  if (nodes < 2) return [];
  const lines = text.split("\n").slice(0, MAX_TREE_LINES).join("\n");
  const isDrawn = nodes <= MAX_DRAWN_NODES && mermaid.length <= MAX_DIAGRAM_LENGTH;
  return [
    fold("Tree", `<pre>\n${escapeHtml(lines)}\n</pre>`),
    ...(isDrawn ? [fold("Diagram", `\`\`\`mermaid\n${mermaid}\n\`\`\``)] : []),
  ];
}

/** Markdown reads the content as Markdown only after an empty line. */
function fold(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}
