import { countFiles } from "../../base/count-things.ts";
import * as z from "zod";
import { safeText } from "../../base/safe-text.ts";
import { eventData } from "../../contract/journal-event.ts";
import type { ReviewEvidence, ReviewFacts, ReviewVerdict } from "../../contract/review.ts";
import type { Delegation } from "../../journal/store.ts";
import { addNote, recordEvent } from "../delegation/record.ts";
import { readReturnOutcome } from "../delegation/return-outcome.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { closeWith, moved, type Step } from "../ports/step.ts";

/**
 * Records the verdicts of a reviewer with the reviewed work, and ends the review. Changes by a reviewer are never merged.
 * Its verdict counts only if it names evidence that the runtime finds in the reviewed tree.
 */
export async function settleReview(tools: RunTools, delegation: Delegation): Promise<Step> {
  const { returnStatus, summary, filesChanged, work } = delegation;
  const outcome = readReturnOutcome(returnStatus);
  if (work?.review === undefined || returnStatus !== "completed") return closeWith({ outcome, summary });
  if (filesChanged.length > 0)
    await addNote(
      tools,
      delegation,
      `The reviewer changed ${countFiles(filesChanged.length)}; nothing of it is merged.`,
    );
  const commit = work.base ?? "";
  const verdicts = await readVerdicts(tools, delegation);
  const counts = { passed: 0, failed: 0, unverified: 0 };
  for (const said of verdicts) {
    const judged = await judgeVerdict(tools, commit, said);
    counts[judged.verdict] += 1;
    await recordVerdict(tools, { delegation, facts: work.review }, { ...said, ...judged });
  }
  const data = { ...counts, waived: [], candidate: null, onto: null, filesChanged: [] };
  await recordEvent(tools, delegation, { type: "delegation-verified", data });
  return moved;
}

const returnedSchema = z.looseObject({
  type: z.literal("delegation-returned"),
  data: eventData["delegation-returned"],
});

const MAX_EVENTS = 100;

async function readVerdicts(tools: RunTools, { id }: Delegation): Promise<readonly ReviewVerdict[]> {
  const events = await tools.store.newestEvents(MAX_EVENTS, { delegation: id });
  const returned = events.flatMap(({ body }) => {
    const event = returnedSchema.safeParse(JSON.parse(body));
    return event.success ? [event.data.data] : [];
  });
  return returned.at(-1)?.review ?? [];
}

interface JudgedVerdict {
  readonly verdict: "passed" | "failed" | "unverified";
  readonly found: string;
}

/** A refusal needs only its reason, because missing things often cannot be quoted. */
async function judgeVerdict(
  tools: RunTools,
  commit: string,
  { verdict, evidence }: ReviewVerdict,
): Promise<JudgedVerdict> {
  const missing: ReviewEvidence[] = [];
  for (const one of evidence) if (!(await isThere(tools, commit, one))) missing.push(one);
  const found = evidence.filter((one) => !missing.includes(one)).map(describeEvidence);
  const shown = found.length === 0 ? "" : ` Evidence: ${found.join("; ")}`;
  if (verdict === "failed") return { verdict, found: shown };
  if (verdict === "unclear") return { verdict: "unverified", found: shown };
  if (evidence.length === 0)
    return { verdict: "unverified", found: " It named no evidence, so this does not count." };
  if (missing.length === 0) return { verdict, found: shown };
  const absent = missing.map(describeEvidence).join("; ");
  return {
    verdict: "unverified",
    found: ` It does not count, because this is not in the reviewed tree: ${absent}`,
  };
}

const MIN_QUOTE_LENGTH = 8;

/** Lines may be wrapped or indented differently; a quote that nearly every file has shows nothing. */
async function isThere(tools: RunTools, commit: string, { file, quote }: ReviewEvidence): Promise<boolean> {
  const path = file.replace(/^(\.\/)+/, "");
  if (path.startsWith("/") || path.split("/").includes("..")) return false;
  const bytes = await tools.git.readFile(commit, path);
  if (bytes === undefined) return false;
  const [text, wanted] = [removeSpace(bytes.toString("utf8")), removeSpace(quote)];
  return text.includes(wanted) && wanted.length >= Math.min(MIN_QUOTE_LENGTH, text.length) && wanted !== "";
}

function removeSpace(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

const MAX_SHOWN_QUOTE = 200;

function describeEvidence({ file, quote }: ReviewEvidence): string {
  return `${safeText(file)}: "${safeText(quote).slice(0, MAX_SHOWN_QUOTE)}"`;
}

interface Review {
  readonly delegation: Delegation;
  readonly facts: ReviewFacts;
}

/** The reviewed work has it among its criteria; the store ignores it if that work was continued meanwhile. */
async function recordVerdict(
  tools: RunTools,
  { delegation, facts }: Review,
  { criterion, reason, verdict, found }: Pick<ReviewVerdict, "criterion" | "reason"> & JudgedVerdict,
): Promise<void> {
  const text = facts.criteria.find(({ id }) => id === criterion)?.text ?? criterion;
  const evidence = `${delegation.agent ?? "The reviewer"}: ${safeText(reason)}${found}`;
  const about = { id: facts.of, story: delegation.story, attempt: facts.attempt };
  const data = { criterionId: criterion, text, verdict, evidence, by: delegation.id };
  await recordEvent(tools, about, { type: "criterion-checked", data });
}
