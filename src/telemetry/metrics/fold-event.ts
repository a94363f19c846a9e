import type { JournalEvent } from "../../contract/journal-event.ts";
import { counted } from "./definitions.ts";
import type { Labels } from "./metric.ts";
import type { MetricBook } from "./metric-book.ts";

/** Work that has begun and not ended, with what is only known at its beginning. */
interface OpenWork {
  readonly atMs: number;
  readonly agent: string;
  readonly labels: Labels;
  isStarted: boolean;
  inputTokens: number;
  outputTokens: number;
}

/** The memory of the fold between two events. */
export interface MetricFold {
  readonly book: MetricBook;
  readonly open: Map<string, OpenWork>;
  /** Names of model providers by adapter, as the conventions list them. */
  readonly providers: ReadonlyMap<string, string>;
}

/** Counts one event. The same journal gives the same figures to every reader. */
export function foldEvent(fold: MetricFold, event: JournalEvent): void {
  const { book } = fold;
  switch (event.type) {
    case "story-opened":
    case "delegation-admitted":
      return openWork(fold, event);
    case "attempt-started":
      return startAttempt(fold, event);
    case "usage-reported":
      return bookUse(fold, event);
    case "delegation-closed":
      return closeWork(fold, event);
    case "delegation-refused":
      return book.add(counted.delegationsRefused, { code: event.data.failures[0]?.code ?? "REFUSED" });
    case "limit-warned":
      return book.add(counted.warnings, { code: event.data.code });
    case "criterion-checked":
      return book.add(counted.checks, { verdict: event.data.verdict });
    case "delegation-merged":
      return book.add(counted.merges, { result: "merged" });
    case "merge-refused":
      return book.add(counted.merges, { result: event.data.code });
    case "approval-requested":
      return book.add(counted.questions, { kind: event.data.kind });
    default:
  }
}

type EventOf<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>;

function openWork(
  { book, open, providers }: MetricFold,
  event: EventOf<"story-opened" | "delegation-admitted">,
): void {
  const isStory = event.type === "story-opened";
  const { agent, work } = event.data;
  const provider = providers.get(work?.adapter ?? "");
  open.set(event.delegation ?? event.story, {
    atMs: Date.parse(event.at),
    agent: agent ?? "",
    labels: {
      "gen_ai.operation.name": isStory ? "invoke_workflow" : "invoke_agent",
      ...(provider === undefined ? {} : { "gen_ai.provider.name": provider }),
      ...(work?.model === undefined ? {} : { "gen_ai.request.model": work.model }),
    },
    isStarted: false,
    inputTokens: 0,
    outputTokens: 0,
  });
  if (isStory) book.add(counted.storiesOpened, {});
  else book.add(counted.delegationsAdmitted, { agent: agent ?? "" });
}

function startAttempt({ book, open }: MetricFold, event: EventOf<"attempt-started">): void {
  const work = open.get(event.delegation ?? event.story);
  book.add(counted.attempts, { agent: work?.agent ?? "" });
  if (work === undefined || work.isStarted) return;
  work.isStarted = true;
  book.observe(counted.queueing, {}, secondsSince(work, event));
}

function bookUse({ book, open }: MetricFold, event: EventOf<"usage-reported">): void {
  const { model = "", source, microUsd, inputTokens, cachedTokens, outputTokens } = event.data;
  const work = open.get(event.delegation ?? event.story);
  if (work !== undefined) {
    work.inputTokens += inputTokens + cachedTokens;
    work.outputTokens += outputTokens;
  }
  // Use without a known price is not free, so it makes no amount at all.
  if (microUsd > 0) book.add(counted.cost, { agent: work?.agent ?? "", model, source }, microUsd);
  book.add(counted.tokens, { model, type: "input" }, inputTokens);
  book.add(counted.tokens, { model, type: "cached" }, cachedTokens);
  book.add(counted.tokens, { model, type: "output" }, outputTokens);
}

function closeWork({ book, open }: MetricFold, event: EventOf<"delegation-closed">): void {
  const id = event.delegation ?? event.story;
  const work = open.get(id);
  open.delete(id);
  const { outcome, code, durationMs } = event.data;
  if (id === event.story) book.add(counted.storiesEnded, { outcome });
  else book.add(counted.delegationsEnded, { agent: work?.agent ?? "", outcome });
  if (work === undefined) return;
  const isFine = outcome === "completed" || outcome === "cancelled";
  const labels = { ...work.labels, ...(isFine ? {} : { "error.type": code ?? outcome }) };
  book.observe(
    counted.duration,
    labels,
    durationMs === undefined ? secondsSince(work, event) : durationMs / 1000,
  );
  if (work.inputTokens + work.outputTokens === 0) return;
  book.observe(counted.tokenUsage, { ...work.labels, "gen_ai.token.type": "input" }, work.inputTokens);
  book.observe(counted.tokenUsage, { ...work.labels, "gen_ai.token.type": "output" }, work.outputTokens);
}

/** A clock that was set back must not make a sum fall. */
function secondsSince({ atMs }: OpenWork, { at }: JournalEvent): number {
  return Math.max(0, Date.parse(at) - atMs) / 1000;
}
