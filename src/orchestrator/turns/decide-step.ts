import { readReturnFile } from "../read-return-file.ts";
import { findLastObject } from "../../base/find-json-object.ts";
import { parseDirectives } from "../../contract/directive.ts";
import { returnCaps } from "../../contract/read-return.ts";
import type { Delegation } from "../../journal/store.ts";
import { explainFailure } from "../../guards/verdict.ts";
import { parseDelegations } from "../stages/1-parse.ts";
import { admitDelegations } from "../stages/4-prepare.ts";
import { isAskedBy } from "../approvals.ts";
import type { RunTools } from "../run-tools.ts";
import type { JudgedAttempt } from "../stages/6-validate.ts";
import { nextStep, type NextStep } from "./next-step.ts";

const HANDOVER_BYTES = 16_000;

/** Gathers what the decision needs. Directives of the last message are admitted here, like any other request. */
export async function decideStep(tools: RunTools, attempt: JudgedAttempt): Promise<NextStep> {
  const endedByItself = attempt.stopped === undefined && attempt.exit.errorCode === null;
  const refusals = endedByItself ? await takeDirectives(tools, attempt) : [];
  const { id, work } = attempt.delegation;
  const delegation = await tools.store.delegation(id);
  if (delegation === undefined) throw new TypeError(`${id} is not in the store`);
  return nextStep({
    attempt,
    delegation,
    refusals,
    open: await openBusiness(tools, delegation, attempt.verdict.valid),
    canRepair: tools.findAdapter(work?.adapter ?? "command").capabilities.repair,
    handover: readHandover(attempt),
    settings: await tools.settings(),
  });
}

/** In the final message only, outside code; what is malformed or refused is told, never dropped. */
async function takeDirectives(tools: RunTools, attempt: JudgedAttempt): Promise<readonly string[]> {
  const { delegation, end } = attempt;
  const { delegations, errors } = parseDirectives(aroundReturn(end.finalText), { parentId: delegation.id });
  const malformed = errors.map(({ code, fragment }) => `${code}: ${fragment}`);
  const { id, story, attempt: number } = delegation;
  for (const text of malformed)
    await tools.store.record({ type: "note-added", story, delegation: id, attempt: number, data: { text } });
  if (delegations.length === 0) return malformed;
  const tasks = delegations.map(({ description, estimated_hours }) => ({ description, estimated_hours }));
  const admissions = await admitDelegations(tools, delegation, parseDelegations({ tasks }));
  const refused = admissions.flatMap((admission, index) =>
    admission.admitted
      ? []
      : [`Refused: ${tasks[index]?.description ?? ""}\n${admission.failures.map(explainFailure).join("\n")}`],
  );
  return [...malformed, ...refused];
}

const STATUS = Buffer.from('"status"');

/** A return in the last message is data: what its texts say asks for nothing. */
function aroundReturn(text: string): string {
  const bytes = Buffer.from(text);
  const { depth: maxDepth, values: maxValues } = returnCaps;
  const found = findLastObject(bytes, { carrying: [STATUS], meant: [STATUS], maxDepth, maxValues });
  if (found.kind !== "found") return text;
  const { start, end } = found.object;
  return `${bytes.subarray(0, start).toString("utf8")}\n${bytes.subarray(end).toString("utf8")}`;
}

/**
 * Workers that have not ended, and questions nobody has answered. Who holds a ticket and left no return is owed results
 * and answers, even if all of them came before its turn ended.
 */
async function openBusiness(
  tools: RunTools,
  delegation: Delegation,
  hasReturned: boolean,
): Promise<readonly string[]> {
  const isOwed = (id: string): boolean => !hasReturned && !wasTold(delegation, id);
  const approvals = await tools.store.approvalsOf(delegation.id);
  const questions = approvals
    .filter(({ kind }) => kind === "clarification")
    .filter(({ id, kind, answer }) => answer === null || (isAskedBy(delegation, kind, id) && isOwed(id)))
    .map(({ id }) => id);
  const tree = delegation.workers === 0 ? [] : await tools.store.storyTree(delegation.story);
  const workers = tree.filter(({ parent, state }) => parent === delegation.id && state !== "closed");
  // All of this turn are told about together, those that have already ended included.
  const ofThisTurn = tree.filter(
    ({ parent, parentAttempt }) => parent === delegation.id && parentAttempt === delegation.attempt,
  );
  if (workers.length === 0 && !ofThisTurn.some(({ id }) => isOwed(id))) return questions;
  return [...new Set([...workers, ...ofThisTurn].map(({ id }) => id)), ...questions];
}

/** A call that waited to the end has answered with the result, and its caller went on running. */
function wasTold({ state, waitingFor }: Delegation, id: string): boolean {
  return state === "running" && waitingFor.includes(id);
}

function readHandover({ files }: JudgedAttempt): string {
  const source = readReturnFile(files.handoverFile);
  return source === undefined
    ? "It left no note."
    : Buffer.from(source.bytes).toString("utf8").slice(0, HANDOVER_BYTES);
}
