import type { TreeNode, WorkerOutput } from "../../app/view-types.ts";
import { MIN_SILENT_MS } from "../../app/story-view.ts";
import { renderDuration, renderMinutes } from "../../base/duration-text.ts";
import { safeText } from "../../base/safe-text.ts";
import { looks } from "../render/story-tree/glyphs.ts";
import type { IndentedRow } from "../render/story-tree/fold.ts";
import { costText, oneLine } from "../render/story-tree/row.ts";

export interface RowFacts {
  readonly nodes: readonly TreeNode[];
  readonly outputs: ReadonlyMap<string, WorkerOutput>;
  readonly nowMs: number;
  readonly ascii: boolean;
}

/** One row per worker, the story itself first; every text in it is fit for a terminal. */
export function makeWorkerRows(facts: RowFacts, shown: readonly TreeNode[]): readonly IndentedRow[] {
  const labels = new Map(facts.nodes.map(({ id, label }) => [id, label]));
  return shown.map((node) => makeRow(node, facts, labels));
}

function makeRow(
  node: TreeNode,
  { outputs, nowMs, ascii }: RowFacts,
  labels: ReadonlyMap<string, string>,
): IndentedRow {
  const { tone, weight, ...marks } = looks[node.state];
  const output = outputs.get(node.id);
  const silentMs = measureSilence(node, output, nowMs);
  return {
    indent: "  ".repeat(node.depth),
    mark: ascii ? marks.ascii : marks.mark,
    label: node.label,
    // The line above the list has the title of the story already.
    title: node.depth === 0 ? "the story" : oneLine(node.title),
    word: silentMs === null ? nameState(node) : `silent ${renderMinutes(silentMs)}`,
    agent: safeText(node.agent),
    time: node.startedAtMs === null ? "" : renderDuration(elapsedMs(node, nowMs)),
    cost: costText(node),
    detail: safeText(describeDetail(node, output, labels)),
    command: "",
    tone: silentMs === null ? tone : "attention",
    weight,
  };
}

function nameState({ state, stateWord }: TreeNode): string {
  return state === "needs you" ? "NEEDS YOU" : stateWord;
}

export function elapsedMs({ startedAtMs, endedAtMs }: TreeNode, nowMs: number): number {
  return startedAtMs === null ? 0 : Math.max(0, (endedAtMs ?? nowMs) - startedAtMs);
}

function measureSilence(node: TreeNode, output: WorkerOutput | undefined, nowMs: number): number | null {
  if (node.state !== "running") return null;
  const silentMs = nowMs - (output?.atMs ?? node.startedAtMs ?? nowMs);
  return silentMs >= MIN_SILENT_MS ? silentMs : null;
}

/** The detail about a worker in this state that matters most to a person. */
function describeDetail(
  node: TreeNode,
  output: WorkerOutput | undefined,
  labels: ReadonlyMap<string, string>,
): string {
  if (node.questions > 0) return `"${node.question}"`;
  if (node.endedAtMs !== null) return describeEnd(node);
  const waits = node.waitsFor.map((id) => labels.get(id) || id).join(", ");
  if (node.state === "queued" && node.waitReason !== "") return node.waitReason;
  if (waits !== "") return `waits for ${waits}`;
  const attempt = node.attempt > 1 ? `attempt ${node.attempt}  ` : "";
  return attempt + (output?.line || node.activity);
}

function describeEnd(node: TreeNode): string {
  const criteria = node.criteriaTotal === 0 ? "" : `${node.criteriaPassed}/${node.criteriaTotal} criteria`;
  const summary = node.state === "completed" ? "" : node.summary;
  return [node.code ?? "", criteria, summary].filter((part) => part !== "").join("  ");
}

/** The workers whose number, title, agent, state, id or question has these words. */
export function filterNodes(nodes: readonly TreeNode[], filter: string): readonly TreeNode[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return nodes;
  return nodes.filter((node) => {
    const text = [
      node.label,
      node.title,
      node.agent,
      node.model,
      node.stateWord,
      node.id,
      node.question,
      node.code,
    ]
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
