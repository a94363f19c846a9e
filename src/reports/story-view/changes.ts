import { outcomes } from "../../contract/outcome.ts";
import { costSources, lessSure, type StoryNode } from "../story-node.ts";
import { lastLine, type Fields } from "./fields.ts";
import { countCriteria, seeVerdict, seeVerdicts } from "./criteria.ts";

export interface EventFacts {
  readonly node: StoryNode;
  readonly data: Fields;
  readonly attempt: number;
  readonly atMs: number | null;
}

interface Change {
  /** The delegation it is about, where the event itself does not say. */
  readonly about?: (data: Fields) => string;
  readonly apply: (facts: EventFacts) => Partial<StoryNode>;
}

/** What each event changes in the node it is about, beside its state. A new event is one entry here. */
export const changes: ReadonlyMap<string, Change> = new Map(
  Object.entries({
    "story-opened": { apply: openStory },
    "delegation-admitted": { apply: admit },
    "delegation-refused": { about: (data) => data.text("parent"), apply: refuse },
    "attempt-started": { apply: start },
    "attempt-lost": { apply: retry },
    "attempt-retried": { apply: retry },
    "attempt-waiting": { apply: wait },
    "attempt-ended": { apply: reconcile },
    "work-kept": { apply: ({ data }) => ({ filesChanged: data.texts("filesChanged") }) },
    "usage-reported": { apply: spend },
    "limit-warned": { apply: ({ data }) => say(`${data.text("code")}: ${data.text("message")}`) },
    "cancellation-requested": { apply: stop },
    "delegation-parked": { apply: ({ data }) => ({ waitingFor: data.texts("waitingFor") }) },
    "delegation-resumed": { apply: retry },
    "return-rejected": { apply: ({ data }) => say(`return rejected: ${data.texts("codes").join(", ")}`) },
    "delegation-returned": { apply: ({ data }) => say(data.text("summary")) },
    "criterion-checked": { apply: check },
    "delegation-verified": { apply: ({ node, data }) => ({ criteria: seeVerdicts(node.criteria, data) }) },
    "merge-refused": { apply: refuseMerge },
    "merge-repeated": { apply: ({ data }) => say(data.text("reason")) },
    "delegation-merged": { apply: merge },
    "delegation-closed": { apply: close },
    "approval-requested": { apply: ask },
    "approval-answered": { apply: answer },
    "message-sent": { apply: tell },
    "note-added": { apply: ({ data }) => say(data.text("text")) },
  } satisfies Record<string, Change>),
);

function say(text: string): Partial<StoryNode> {
  return { activity: lastLine(text) };
}

function openStory({ node, data, atMs }: EventFacts): Partial<StoryNode> {
  const limits = data.within("limits");
  return {
    ...describeWork(node, data),
    title: data.text("title"),
    openedAtMs: atMs,
    limits: {
      microUsd: data.amountOrNull("budgetMicroUsd") ?? limits.amountOrNull("storyMicroUsd"),
      tokens: data.amountOrNull("budgetTokens"),
      seconds: limits.amountOrNull("timeoutSeconds"),
      maxDepth: limits.amountOrNull("maxDepth"),
      maxDelegations: limits.amountOrNull("maxDelegations"),
      fanOut: limits.numbers("fanOut"),
    },
  };
}

function admit({ node, data, atMs }: EventFacts): Partial<StoryNode> {
  return {
    ...describeWork(node, data),
    title: data.text("description"),
    openedAtMs: atMs,
    limits: {
      ...node.limits,
      microUsd: data.amountOrNull("budgetMicroUsd"),
      tokens: data.amountOrNull("budgetTokens"),
      seconds: data.amountOrNull("timeoutSeconds"),
    },
  };
}

function describeWork(node: StoryNode, data: Fields): Partial<StoryNode> {
  const work = data.within("work");
  const total = Math.max(data.texts("criteria").length, work.list("criteria").length);
  return {
    agent: data.text("agent"),
    model: work.text("model"),
    dependsOn: work.texts("dependsOn"),
    criteria: countCriteria(node.criteria, total),
  };
}

function refuse({ node, data }: EventFacts): Partial<StoryNode> {
  const codes = data.list("failures").map((failure) => failure.text("code"));
  return { refusals: [...node.refusals, { description: data.text("description"), codes }] };
}

function start({ node, attempt, atMs }: EventFacts): Partial<StoryNode> {
  if (node.state === "closed" && node.outcome !== null) return {};
  return {
    attempt: Math.max(attempt, node.attempt),
    startedAtMs: node.startedAtMs ?? atMs,
    earlierCostSource: node.costSource,
    mergeRefusal: null,
  };
}

const turns: ReadonlyMap<string, string> = new Map([
  ["repair", "repairs its return"],
  ["conflict", "resolves a conflict"],
  ["handover", "goes on in a fresh session"],
  ["results", "gets its workers' results"],
  ["answer", "gets an answer"],
]);

function retry({ data, atMs }: EventFacts): Partial<StoryNode> {
  const afterMs = data.amount("afterMs");
  const provider = data.text("provider");
  return {
    waitReason: provider === "" ? "" : `waits for provider ${provider}`,
    retryAtMs: afterMs === 0 || atMs === null ? null : atMs + afterMs,
    activity: turns.get(data.text("kind")) ?? lastLine(data.text("reason")),
  };
}

function wait({ data, atMs }: EventFacts): Partial<StoryNode> {
  const afterMs = data.amount("afterMs");
  return {
    waitReason: lastLine(data.text("reason")),
    waitingFor: data.texts("waitingFor"),
    retryAtMs: afterMs === 0 || atMs === null ? null : atMs + afterMs,
  };
}

function spend({ node, data }: EventFacts): Partial<StoryNode> {
  const tokens = data.amount("inputTokens") + data.amount("cachedTokens") + data.amount("outputTokens");
  const source = costSources.find((name) => name === data.text("source")) ?? "estimated";
  return {
    microUsd: node.microUsd + data.amount("microUsd"),
    tokens: node.tokens + tokens,
    costSource: lessSure(node.costSource, source),
  };
}

/** What was estimated while it ran is not, once the agent has named the same sum for all of it. */
function reconcile({ node, data }: EventFacts): Partial<StoryNode> {
  const cost = data.within("cost");
  const reported = cost.amountOrNull("reportedMicroUsd");
  const isConfirmed = reported !== null && reported === cost.amountOrNull("bookedMicroUsd");
  return isConfirmed ? { costSource: node.earlierCostSource } : {};
}

function stop({ data }: EventFacts): Partial<StoryNode> {
  return { isStopping: true, ...say(`asked to stop: ${data.text("reason")}`) };
}

function check({ node, data }: EventFacts): Partial<StoryNode> {
  const criteria = seeVerdict(node.criteria, data.text("criterionId"), data.text("verdict"));
  return { criteria, isChecking: true, ...say(`${data.text("verdict")}: ${data.text("text")}`) };
}

function refuseMerge({ data }: EventFacts): Partial<StoryNode> {
  const refusal = { code: data.text("code"), files: data.texts("files") };
  return { mergeRefusal: refusal, ...say(`not merged, ${refusal.code}: ${refusal.files.join(", ")}`) };
}

function merge({ data }: EventFacts): Partial<StoryNode> {
  return { filesChanged: data.texts("filesChanged"), mergeRefusal: null };
}

function close({ node, data, atMs }: EventFacts): Partial<StoryNode> {
  if (node.outcome !== null) return {};
  const files = data.texts("filesChanged");
  return {
    outcome: outcomes.find((name) => name === data.text("outcome")) ?? null,
    code: data.text("code") || null,
    summary: data.text("summary"),
    filesChanged: files.length === 0 ? node.filesChanged : files,
    endedAtMs: atMs,
    isStopping: false,
    approvals: [],
    ...say(data.text("summary")),
  };
}

function ask({ node, data }: EventFacts): Partial<StoryNode> {
  const asked = { id: data.text("approvalId"), kind: data.text("kind"), question: data.text("question") };
  return { approvals: [...node.approvals.filter(({ id }) => id !== asked.id), asked] };
}

function answer({ node, data }: EventFacts): Partial<StoryNode> {
  const left = node.approvals.filter(({ id }) => id !== data.text("approvalId"));
  return { approvals: left, ...say(`${data.text("answer")} by ${data.text("by")}`) };
}

/** Whatever a message says first, by the names its kinds give it. */
function tell({ node, data }: EventFacts): Partial<StoryNode> {
  const body = data.within("body");
  const names = ["question", "progress_summary", "blocker", "result_summary", "answer"];
  const text = names.map(body.text).find((said) => said !== "");
  const isItsOwn = data.text("from") === node.id && node.state !== "closed";
  return text === undefined || !isItsOwn ? {} : say(text);
}
