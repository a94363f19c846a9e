import { countThings } from "../../base/count-things.ts";
import { outcomes } from "../../contract/outcome.ts";
import { countCriteria, recordVerdict, recordVerdictSums } from "./criteria-count.ts";
import { costSources, chooseLessCertain, type StoryNode } from "./story-node.ts";
import { readLastLine, type Fields } from "../events/fields.ts";
import { describeStart, hasOwnWork, readStoryStart } from "./story-start.ts";

export interface EventFacts {
  readonly node: StoryNode;
  readonly data: Fields;
  readonly attempt: number;
  readonly atMs: number | null;
}

interface Change {
  /** The delegation the event is about, if the event itself does not say. */
  readonly about?: (data: Fields) => string;
  readonly apply: (facts: EventFacts) => Partial<StoryNode>;
}

/** Each entry says what an event changes in its node in addition to the state. A new event adds one entry here. */
export const changes: ReadonlyMap<string, Change> = new Map(
  Object.entries({
    "story-opened": { apply: openStoryNode },
    "delegation-admitted": { apply: admitDelegation },
    "delegation-refused": { about: (data) => data.text("parent"), apply: recordRefusal },
    "attempt-started": { apply: startAttempt },
    "attempt-lost": { apply: queueRetry },
    "attempt-retried": { apply: queueRetry },
    "attempt-waiting": { apply: recordAttemptWait },
    "attempt-ended": { apply: reconcileCost },
    "workspace-created": { apply: noteStart },
    "work-kept": { apply: ({ data }) => ({ filesChanged: data.texts("filesChanged") }) },
    "usage-reported": { apply: addReportedUsage },
    "limit-warned": { apply: recordWarning },
    "cancellation-requested": { apply: requestStop },
    "delegation-parked": { apply: ({ data }) => ({ waitingFor: data.texts("waitingFor") }) },
    "delegation-resumed": { apply: queueRetry },
    "return-rejected": {
      apply: ({ data }) => showActivity(`return rejected: ${data.texts("codes").join(", ")}`),
    },
    "delegation-returned": { apply: ({ data }) => showActivity(data.text("summary")) },
    "criterion-checked": { apply: recordCriterionCheck },
    "check-started": { apply: startCheck },
    "check-ended": { apply: noteRedBase },
    "delegation-verified": {
      apply: ({ node, data }) => ({
        criteria: recordVerdictSums(node.criteria, data),
        shows: data.text("proof"),
      }),
    },
    "merge-refused": { apply: refuseMerge },
    "merge-repeated": { apply: ({ data }) => showActivity(data.text("reason")) },
    "delegation-merged": { apply: recordMerge },
    "delegation-closed": { apply: closeDelegation },
    "approval-requested": { apply: addApproval },
    "approval-answered": { apply: removeApproval },
    "message-sent": { apply: showMessage },
    "note-added": { apply: ({ data }) => showActivity(data.text("text")) },
  } satisfies Record<string, Change>),
);

function recordWarning({ node, data }: Parameters<Change["apply"]>[0]): Partial<StoryNode> {
  const [code, message] = [data.text("code"), data.text("message")];
  const outside = code === "CHANGED_OUTSIDE" ? { outside: [...node.outside, message] } : {};
  return {
    ...outside,
    ...showActivity(`${code}: ${message}`),
    ...(code === "STALLED" && { isStalled: true }),
  };
}

/** Something came from the worker itself, so it is not silent. */
function hear(atMs: number | null): Partial<StoryNode> {
  return atMs === null ? {} : { heardAtMs: atMs, isStalled: false };
}

function showActivity(text: string): Partial<StoryNode> {
  return { activity: readLastLine(text) };
}

function openStoryNode({ node, data, atMs }: EventFacts): Partial<StoryNode> {
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

function admitDelegation({ node, data, atMs }: EventFacts): Partial<StoryNode> {
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
  return {
    agent: data.text("agent"),
    model: work.text("model"),
    dependsOn: work.texts("dependsOn"),
    criteria: countCriteria(node.criteria, data),
  };
}

function recordRefusal({ node, data }: EventFacts): Partial<StoryNode> {
  const codes = data.list("failures").map((failure) => failure.text("code"));
  return { refusals: [...node.refusals, { description: data.text("description"), codes }] };
}

function startAttempt({ node, attempt, atMs }: EventFacts): Partial<StoryNode> {
  if (node.state === "closed" && node.outcome !== null) return {};
  return {
    ...hear(atMs),
    attempt: Math.max(attempt, node.attempt),
    startedAtMs: node.startedAtMs ?? atMs,
    earlierCostSource: node.costSource,
    mergeRefusal: null,
  };
}

/** Tells what of the person's uncommitted work the story starts from. */
function noteStart({ data }: EventFacts): Partial<StoryNode> {
  const start = readStoryStart(data);
  if (start === null) return {};
  return { start, ...(hasOwnWork(start) ? showActivity(describeStart(start)) : {}) };
}

const turns: ReadonlyMap<string, string> = new Map([
  ["repair", "repairs its return"],
  ["conflict", "resolves a conflict"],
  ["handover", "continues in a fresh session"],
  ["results", "gets its workers' results"],
  ["answer", "gets an answer"],
]);

function queueRetry({ node, data, atMs }: EventFacts): Partial<StoryNode> {
  const afterMs = data.amount("afterMs");
  const provider = data.text("provider");
  const agent = data.within("handedTo").text("agent");
  const isOther = agent !== "";
  return {
    ...(isOther && { agent }),
    waitReason: provider === "" ? "" : `waits for provider ${provider}`,
    retryAtMs: afterMs === 0 || atMs === null ? null : atMs + afterMs,
    activity: isOther
      ? readLastLine(`${agent} takes the place of ${node.agent}`)
      : (turns.get(data.text("kind")) ?? readLastLine(data.text("reason"))),
  };
}

function recordAttemptWait({ data, atMs }: EventFacts): Partial<StoryNode> {
  const afterMs = data.amount("afterMs");
  return {
    waitReason: readLastLine(data.text("reason")),
    waitingFor: data.texts("waitingFor"),
    retryAtMs: afterMs === 0 || atMs === null ? null : atMs + afterMs,
  };
}

function addReportedUsage({ node, data, atMs }: EventFacts): Partial<StoryNode> {
  const tokens = data.amount("inputTokens") + data.amount("cachedTokens") + data.amount("outputTokens");
  const source = costSources.find((name) => name === data.text("source")) ?? "estimated";
  // The most frequent event by far; an object that begins with another one takes three times as long.
  return {
    heardAtMs: atMs ?? node.heardAtMs,
    isStalled: atMs === null && node.isStalled,
    microUsd: node.microUsd + data.amount("microUsd"),
    tokens: node.tokens + tokens,
    costSource: chooseLessCertain(node.costSource, source),
  };
}

/** A cost estimated while the attempt ran is confirmed once the agent reports the same sum. */
function reconcileCost({ node, data }: EventFacts): Partial<StoryNode> {
  const cost = data.within("cost");
  const reported = cost.amountOrNull("reportedMicroUsd");
  const isConfirmed = reported !== null && reported === cost.amountOrNull("bookedMicroUsd");
  return isConfirmed ? { costSource: node.earlierCostSource } : {};
}

function requestStop({ data }: EventFacts): Partial<StoryNode> {
  return { isStopping: true, ...showActivity(`asked to stop: ${data.text("reason")}`) };
}

function recordCriterionCheck({ node, data }: EventFacts): Partial<StoryNode> {
  const criteria = recordVerdict(node.criteria, data.text("criterionId"), data.text("verdict"));
  const shows = data.text("verdict") === "failed" ? data.text("meaning") : node.shows;
  const findings = recordFinding(node, data);
  const word = data.isTrue("flaky") ? "flaky" : data.text("verdict");
  const activity = showActivity(`${word}: ${data.text("text")}`);
  return { criteria, findings, shows, isChecking: true, ...activity };
}

function recordFinding({ findings }: StoryNode, data: Fields): StoryNode["findings"] {
  const id = data.text("criterionId");
  const others = findings.filter((finding) => finding.id !== id);
  if (data.text("verdict") !== "failed") return others;
  return [...others, { id, criterion: data.text("text"), evidence: data.text("evidence") }];
}

/** A check of the tree that the work started from runs in parallel with the worker and does not change the view. */
function startCheck({ data }: EventFacts): Partial<StoryNode> {
  if (data.text("on") === "base") return {};
  return { isChecking: true, ...showActivity(`checking \`${data.text("check")}\``) };
}

const MAX_NAMED_TESTS = 5;

/** Told while the worker still runs: what is red now is not its fault. */
function noteRedBase({ node, data }: EventFacts): Partial<StoryNode> {
  if (data.text("on") !== "base" || data.text("verdict") !== "failed") return {};
  const failing = data.texts("failing");
  const named = failing.slice(0, MAX_NAMED_TESTS).join(", ");
  const tests = failing.length === 0 ? "" : ` (${countThings(failing.length, "test")}: ${named})`;
  const hints = data.texts("hints").map((hint) => ` ${hint}`);
  const text = `\`${data.text("check")}\` fails here without any change${tests}${hints.length === 0 ? "" : "."}${hints.join("")}`;
  return { redBase: [...node.redBase, text], ...showActivity(text) };
}

function refuseMerge({ data }: EventFacts): Partial<StoryNode> {
  const refusal = { code: data.text("code"), files: data.texts("files") };
  return {
    mergeRefusal: refusal,
    ...showActivity(`not merged, ${refusal.code}: ${refusal.files.join(", ")}`),
  };
}

function recordMerge({ data }: EventFacts): Partial<StoryNode> {
  return { filesChanged: data.texts("filesChanged"), mergeRefusal: null };
}

function closeDelegation({ node, data, atMs }: EventFacts): Partial<StoryNode> {
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
    ...showActivity(data.text("summary")),
  };
}

function addApproval({ node, data }: EventFacts): Partial<StoryNode> {
  const asked = { id: data.text("approvalId"), kind: data.text("kind"), question: data.text("question") };
  const approvals = [...node.approvals.filter(({ id }) => id !== asked.id), asked];
  return { approvals, ...showActivity(asked.question) };
}

function removeApproval({ node, data }: EventFacts): Partial<StoryNode> {
  const left = node.approvals.filter(({ id }) => id !== data.text("approvalId"));
  return { approvals: left, ...showActivity(`${data.text("answer")} by ${data.text("by")}`) };
}

/** The first text in the message, under the field names of its kinds. */
function showMessage({ node, data, atMs }: EventFacts): Partial<StoryNode> {
  const body = data.within("body");
  const names = ["question", "progress_summary", "blocker", "result_summary", "answer"];
  const text = names.map((name) => body.text(name)).find((said) => said !== "");
  const isItsOwn = data.text("from") === node.id && node.state !== "closed";
  return text === undefined || !isItsOwn ? {} : { ...showActivity(text), ...hear(atMs) };
}
