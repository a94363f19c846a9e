import { countThings } from "../../../base/count-things.ts";
import { safeText } from "../../../base/safe-text.ts";
import { formatSpent } from "../../../base/money.ts";
import {
  lessSure,
  nameOf,
  shownState,
  stateWord,
  weakWords,
  type Approval,
  type Refusal,
  type StoryNode,
  type StoryView,
} from "../../../app/story-view.ts";
import { measureElapsedMs, measureSilenceMs } from "../../../app/story-view.ts";
import { renderDuration, renderMinutes } from "../../../base/duration-text.ts";
import { visibleText } from "../../../base/visible-text.ts";

import { looks, refusedLook, type Tone } from "./glyphs.ts";

/** One line of the tree before it is fitted to a width; every text in it is fit for a terminal. */
export interface Row {
  readonly mark: string;
  readonly label: string;
  readonly title: string;
  readonly word: string;
  readonly agent: string;
  readonly time: string;
  readonly cost: string;
  readonly detail: string;
  /** Follows the detail and is not cut with it. */
  readonly command: string;
  readonly tone: Tone;
  readonly weight: number;
}

export interface RowStyle {
  readonly view: StoryView;
  readonly nowMs: number;
  readonly ascii: boolean;
}

/** Counts of things that have no row of their own. */
export interface Hidden {
  readonly workers: number;
  readonly refusals: number;
}

export function nodeRow(node: StoryNode, hidden: Hidden, style: RowStyle): Row {
  const state = shownState(node);
  const { tone, weight, ...marks } = looks[state];
  const elapsed = measureElapsedMs(node, style.nowMs);
  const silentMs = measureSilenceMs(node, style.nowMs);
  const [asked] = node.approvals;
  return {
    mark: style.ascii ? marks.ascii : marks.mark,
    label: node.label,
    title: node.depth === 0 ? rootTitle(node) : oneLine(node.title),
    word: silentMs === null ? nameState(state) : `silent ${renderMinutes(silentMs)}`,
    agent: agentText(node, style.ascii),
    time: elapsed === null ? "" : renderDuration(elapsed),
    cost: costText(node),
    detail: [...detailOf(node, style), ...hiddenText(hidden)].filter((part) => part !== "").join("  "),
    command: asked === undefined ? "" : `${style.ascii ? "->" : "→"} ${commandFor(node, asked)}`,
    tone: silentMs === null ? tone : "attention",
    weight,
  };
}

function nameState(state: ReturnType<typeof shownState>): string {
  return state === "needs you" ? "NEEDS YOU" : stateWord(state);
}

/** The head line has its title already. */
function rootTitle({ workers }: StoryNode): string {
  return workers.length === 0 ? "worker" : "manager";
}

function agentText({ agent, model }: StoryNode, ascii: boolean): string {
  const names = [agent, model].map(safeText).filter((name) => name !== "");
  return names.join(ascii ? "/" : "·");
}

/** An amount that the agent did not report itself is marked with `~`. */
export function costText({ microUsd, costSource }: Pick<StoryNode, "microUsd" | "costSource">): string {
  return microUsd === 0 ? "" : `${costSource === "reported" ? "" : "~"}${formatSpent(microUsd)}`;
}

function detailOf(node: StoryNode, style: RowStyle): readonly string[] {
  const state = shownState(node);
  if (state === "needs you") return [`"${safeText(node.approvals[0]?.question ?? "")}"`];
  if (state === "queued") return [waitText(node, style)];
  if (state === "parked") return [waitsFor(node.waitingFor, style.view)];
  if (node.state === "closed") return endText(node);
  const attempt = node.attempt > 1 ? `attempt ${node.attempt}` : "";
  const criteria = state === "running" ? "" : criteriaText(node);
  return [attempt, criteria, safeText(node.activity)];
}

function waitText(node: StoryNode, { view, nowMs }: RowStyle): string {
  const restMs = node.retryAtMs === null ? 0 : node.retryAtMs - nowMs;
  if (restMs > 0) {
    const rest = `${Math.ceil(restMs / 1000)} s`;
    return node.waitReason === "" ? `retries in ${rest}` : `${safeText(node.waitReason)}, ${rest} more`;
  }
  if (node.waitReason !== "") return safeText(node.waitReason);
  const isOpen = (id: string): boolean => view.nodes.get(id)?.outcome !== "completed";
  const named = node.waitingFor.length > 0 ? node.waitingFor : node.dependsOn;
  return waitsFor(named.filter(isOpen), view) || safeText(node.attempt > 0 ? node.activity : "");
}

function waitsFor(ids: readonly string[], view: StoryView): string {
  const names = ids.map((id) => {
    const node = view.nodes.get(id);
    return safeText(node === undefined ? id : nameOf(node));
  });
  return names.length === 0 ? "" : `waits for ${names.join(", ")}`;
}

function endText(node: StoryNode): readonly string[] {
  const { length } = node.filesChanged;
  const files = length === 0 ? "" : countThings(length, "file");
  const summary = node.outcome === "completed" ? "" : safeText(node.summary);
  const outside = node.outside.length === 0 ? "" : safeText(`CHANGED_OUTSIDE ${node.outside.join("; ")}`);
  return [safeText(node.code ?? ""), files, criteriaText(node), outside, summary];
}

function criteriaText({ criteria: { passed, total }, shows }: StoryNode): string {
  const meaning = weakWords[shows];
  return total === 0 ? "" : `${passed}/${total} criteria${meaning === undefined ? "" : ` (${meaning})`}`;
}

function hiddenText({ workers, refusals }: Hidden): readonly string[] {
  return [workers === 0 ? "" : `+${workers} done`, refusals === 0 ? "" : `${refusals} refused`];
}

/** The command that answers a question. It names the id, because a label refers to the newest story. */
export function commandFor(node: StoryNode, { id, kind }: Approval): string {
  const name = safeText(node.approvals.length === 1 ? node.id : id);
  return kind === "clarification" ? `ambit reply ${name} "..."` : `ambit approve ${name}`;
}

export function refusalRow(refusal: Refusal, ascii: boolean): Row {
  const { tone, weight, ...marks } = refusedLook;
  return {
    ...emptyRow,
    mark: ascii ? marks.ascii : marks.mark,
    title: oneLine(refusal.description),
    word: "refused",
    detail: safeText(refusal.codes.join(", ")),
    tone,
    weight,
  };
}

/** Several siblings in the same state on one line. */
export function groupRow(nodes: readonly StoryNode[], ascii: boolean): Row {
  const [first] = nodes;
  const state = first === undefined ? "ended" : shownState(first);
  const { tone, weight, ...marks } = looks[state];
  return {
    ...emptyRow,
    mark: ascii ? marks.ascii : marks.mark,
    title: listNames(nodes),
    word: `${nodes.length} ${stateWord(state)}`,
    cost: costText({
      microUsd: nodes.reduce((sum, { microUsd }) => sum + microUsd, 0),
      costSource: nodes.map(({ costSource }) => costSource).reduce(lessSure, "reported"),
    }),
    tone,
    weight,
  };
}

/** `3-7, 9`: numbers that follow each other are not all named. */
function listNames(siblings: readonly StoryNode[]): string {
  const runs: { first: StoryNode; last: StoryNode }[] = [];
  for (const node of siblings) {
    const run = runs.at(-1);
    if (run !== undefined && run.last.number + 1 === node.number) run.last = node;
    else runs.push({ first: node, last: node });
  }
  const names = runs.map(({ first, last }) =>
    first === last ? nameOf(first) : `${nameOf(first)}-${nameOf(last)}`,
  );
  return safeText(names.join(", "));
}

const emptyRow = { label: "", agent: "", time: "", cost: "", detail: "", command: "" } as const;

/** Control characters are shown, not obeyed; line ends and tabs would take more room than they are given. */
export function oneLine(text: string): string {
  return visibleText(text).replaceAll("\n", " ").replaceAll("\t", " ");
}
