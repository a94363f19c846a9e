import { cutDetails } from "../../base/cut-details.ts";
import { safeText } from "../../base/safe-text.ts";
import {
  nameOf,
  shownState,
  stateWord,
  type StoryNode,
  type StoryView,
  type SeenEvent,
} from "../../app/story-view.ts";
import { commandFor, costText } from "../render/story-tree/row.ts";

/** One thing that happened, for one line. */
export interface StoryChange {
  readonly node: StoryNode;
  readonly at: string;
  /** Fit for a terminal, without time and name. */
  readonly text: string;
  /** How urgent it is for the person. */
  readonly severity: "info" | "warning" | "error" | "question";
}

/** Describes what one event changed: states first, then facts that are not part of a state. */
export function describeChanges(
  before: StoryView,
  after: StoryView,
  { event, ascii }: { readonly event: SeenEvent; readonly ascii: boolean },
): readonly StoryChange[] {
  const arrow = ascii ? "->" : "→";
  return [...after.nodes.values()]
    .filter((node) => node !== before.nodes.get(node.id))
    .flatMap((node) => describeNode(before.nodes.get(node.id), node, { event, arrow, seen: before }));
}

interface Telling {
  readonly event: SeenEvent;
  readonly arrow: string;
  /** The story as it was shown before. */
  readonly seen: StoryView;
}

function describeNode(
  before: StoryNode | undefined,
  node: StoryNode,
  telling: Telling,
): readonly StoryChange[] {
  const told = [
    ...stateText(before, node, telling),
    ...extraText(before, node, telling),
    ...refusalTexts(before, node),
  ];
  return told.map(({ text, severity }) => ({ node, at: telling.event.at, text, severity }));
}

type Told = Pick<StoryChange, "text" | "severity">;

function refusalTexts(before: StoryNode | undefined, { refusals }: StoryNode): readonly Told[] {
  return refusals.slice(before?.refusals.length ?? 0).map(({ codes, description }) => ({
    text: safeText(`refused ${codes.join(", ")}: ${description}`),
    severity: "warning",
  }));
}

function stateText(before: StoryNode | undefined, node: StoryNode, { arrow }: Telling): readonly Told[] {
  const state = shownState(node);
  const was = before === undefined ? "" : shownState(before);
  const isNew = node.title !== "" && (before === undefined || before.title === "");
  if (state === was && !isNew) return [];
  const from = was === "" || isNew ? "" : `${stateWord(was)} `;
  const parts = [`${from}${arrow} ${stateWord(state)}`, ...stateFacts(node, { isNew, arrow })];
  return [{ text: parts.filter((part) => part !== "").join(" "), severity: severityOf(node) }];
}

function stateFacts(node: StoryNode, { isNew, arrow }: { isNew: boolean; arrow: string }): readonly string[] {
  const [asked] = node.approvals;
  if (node.state === "closed") return [safeText(node.code ?? ""), costText(node), endSummary(node)];
  if (asked !== undefined) return [`"${safeText(asked.question)}"`, `${arrow} ${commandFor(node, asked)}`];
  const attempt = node.state === "running" && node.attempt > 1 ? `attempt ${node.attempt}` : "";
  return [
    attempt,
    isNew ? safeText(node.title) : "",
    isNew && node.agent !== "" ? `(${safeText(node.agent)})` : "",
  ];
}

function endSummary({ outcome, summary }: StoryNode): string {
  return outcome === "completed" || summary === "" ? "" : `- ${safeText(cutDetails(summary))}`;
}

function severityOf(node: StoryNode): StoryChange["severity"] {
  const state = shownState(node);
  if (state === "needs you") return "question";
  if (state === "failed" || state === "timed_out" || state === "blocked") return "error";
  return state === "partial" ? "warning" : "info";
}

const toldByActivity: ReadonlySet<string> = new Set(["return-rejected", "limit-warned"]);

/**
 * Finds facts that a person must know before the work is done: what it starts from, and which checks fail without it.
 */
export function findNewNote(before: StoryView, after: StoryView): string | undefined {
  const node = after.nodes.get(after.story);
  const known = before.nodes.get(after.story);
  const isNew = node !== undefined && (hasNewStart(known, node) || hasNewRedBase(known, node));
  return isNew ? safeText(node.activity) : undefined;
}

function hasNewRedBase(before: StoryNode | undefined, { redBase }: StoryNode): boolean {
  return redBase.length > (before?.redBase.length ?? 0);
}

function hasNewStart(before: StoryNode | undefined, { start, activity }: StoryNode): boolean {
  return start !== null && start !== before?.start && activity !== before?.activity;
}

/** Workers that start from the same tree share its failed checks; each check is reported once. */
function hasUntoldRedBase(before: StoryNode | undefined, node: StoryNode, seen: StoryView): boolean {
  const newest = node.redBase.at(-1) ?? "";
  return (
    hasNewRedBase(before, node) && ![...seen.nodes.values()].some(({ redBase }) => redBase.includes(newest))
  );
}

function extraText(
  before: StoryNode | undefined,
  node: StoryNode,
  { event, seen }: Telling,
): readonly Told[] {
  const { mergeRefusal } = node;
  if (mergeRefusal !== null && mergeRefusal !== before?.mergeRefusal) {
    const files = mergeRefusal.files.join(", ");
    return [{ text: safeText(`merge refused ${mergeRefusal.code}: ${files}`), severity: "error" }];
  }
  const isHandedOver =
    event.type === "attempt-retried" && before !== undefined && before.agent !== node.agent;
  if (isHandedOver) return [{ text: safeText(node.activity), severity: "warning" }];
  // A criterion that is red before the work is what the work is for, so it is not a warning.
  if (toldByActivity.has(event.type) || hasNewStart(before, node) || hasUntoldRedBase(before, node, seen))
    return [{ text: safeText(node.activity), severity: "info" }];
  const isTold = event.type === "criterion-checked" && /^(?:failed|flaky): /.test(node.activity);
  return isTold ? [{ text: `criterion ${safeText(node.activity)}`, severity: "info" }] : [];
}

/** How a line names the delegation it is about. */
export function changeName({ node }: StoryChange): string {
  return safeText(nameOf(node));
}
