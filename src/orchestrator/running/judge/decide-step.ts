import type { RunEnd } from "../../../agents/adapter.ts";
import { readReturnFile } from "./read-return-file.ts";
import { findLastObject } from "../../../base/find-json-object.ts";
import { parseSpokenDirectives } from "../../../contract/directive-spoken.ts";
import { returnCaps } from "../../../contract/read-return.ts";
import type { Delegation } from "../../../journal/store.ts";
import { explainFailure } from "../../../guards/verdict.ts";
import { parseDelegations } from "../../opening/parse.ts";
import { admitDelegations } from "../../opening/admit.ts";
import { isAskedInAttempt } from "../../approvals/ask-approval.ts";
import { addNote } from "../../delegation/record.ts";
import { mayTakeTurn } from "../../delegation/turn-limits.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { LiveAttempts } from "../../live/live-attempts.ts";
import { callTools, type ToolPorts } from "./call-tools.ts";
import type { JudgedAttempt } from "./validate-return.ts";
import { hasUnreadRequest } from "../../messages/pending-messages.ts";
import { findFallback } from "./find-fallback.ts";
import { chooseNextStep, mayReassign, type NextStep } from "./next-step.ts";
import {
  describeEcho,
  describeIgnored,
  describeMentioned,
  describeQuoted,
  describeTrouble,
  fitReports,
  readWantedTasks,
} from "./spoken-requests.ts";

const MAX_HANDOVER_LENGTH = 16_000;

/** Gathers what the decision needs. Directives in the last message are admitted here, like any other request. */
export async function decideNextStep(
  tools: RunTools,
  live: LiveAttempts,
  attempt: JudgedAttempt,
): Promise<NextStep> {
  const hasSpoken =
    attempt.stopped === undefined && attempt.exit.errorCode === null && isFinalMessage(attempt.end);
  const { id, work } = attempt.delegation;
  const { repair } = tools.findAdapter(work?.adapter ?? "command").capabilities;
  const refusals = hasSpoken ? await takeDirectives({ tools, live }, attempt, repair) : [];
  const delegation = await tools.store.delegation(id);
  if (delegation === undefined) throw new TypeError(`${id} is not in the store`);
  const settings = await tools.settings();
  const isReassigned = mayReassign({ attempt, delegation, settings });
  const step = chooseNextStep({
    attempt,
    delegation,
    fallback: isReassigned ? await findFallback(tools, delegation) : undefined,
    refusals,
    open: await listUnfinished(tools, delegation, attempt.verdict.valid),
    canRepair: repair,
    handover: readHandover(attempt),
    settings,
  });
  return repair ? tellMessagesFirst(tools, delegation, step) : step;
}

/** Gives an agent the messages that it did not read while it worked, before its work counts. */
async function tellMessagesFirst(tools: RunTools, delegation: Delegation, step: NextStep): Promise<NextStep> {
  if (step.kind !== "returned" || !mayTakeTurn(delegation, "answer")) return step;
  if (!(await hasUnreadRequest(tools, delegation))) return step;
  return { kind: "again", turn: "answer", reason: "Messages came while it worked", afterMs: 0 };
}

/** An agent that broke off left no final message; an agent that was denied a tool continued to the end. */
function isFinalMessage({ code }: RunEnd): boolean {
  return code === undefined || code === "AGENT_NEEDS_PERMISSION";
}

/** Only directives at the end of a final message without a valid return count; others are reported back or noted. */
async function takeDirectives(
  { tools, live }: ToolPorts,
  attempt: JudgedAttempt,
  canRepair: boolean,
): Promise<readonly string[]> {
  const { delegation, end } = attempt;
  const words = removeReturn(end.finalText);
  if (!holdsDirective(words)) return [];
  const given = await listGivenTexts(tools, attempt);
  const spoken = parseSpokenDirectives(words, { parentId: delegation.id, given });
  if (attempt.verdict.valid) {
    for (const text of describeIgnored(spoken)) await addNote(tools, delegation, text);
    return [];
  }
  const wanted = readWantedTasks(spoken);
  const answers = wanted.tasks.length > 0 ? [] : await callTools({ tools, live }, attempt, spoken.tools);
  const told = [...describeTrouble(spoken), ...wanted.leftOut];
  const unmeant = [...spoken.echoes.map(describeEcho), ...describeMentioned(spoken)];
  for (const text of [...told, ...unmeant, ...describeQuoted(spoken)]) await addNote(tools, delegation, text);
  // A plain program that repeats its prompt would only do so again.
  const refusals = canRepair ? [...told, ...unmeant] : told;
  if (wanted.tasks.length === 0)
    return fitReports([...answers, ...refusals, ...(canRepair ? describeQuoted(spoken) : [])]);
  const tasks = parseDelegations({ tasks: wanted.tasks });
  const admissions = await admitDelegations(tools, delegation, { tasks, isDirective: true });
  const refused = admissions.flatMap((admission, index) =>
    admission.admitted
      ? []
      : [
          `Refused: ${wanted.tasks[index]?.description ?? ""}\n${admission.failures.map(explainFailure).join("\n")}`,
        ],
  );
  return fitReports([...refusals, ...refused]);
}

function holdsDirective(text: string): boolean {
  return text.includes("[delegate:") || text.includes("[use-mcp:");
}

/** Its prompt and its workers' summaries: these are the words of others, even when the agent repeats them. */
async function listGivenTexts(
  tools: RunTools,
  { delegation, prompt }: JudgedAttempt,
): Promise<readonly string[]> {
  const tree = delegation.workers === 0 ? [] : await tools.store.storyTree(delegation.story);
  return [prompt, ...tree.filter(({ parent }) => parent === delegation.id).map(({ summary }) => summary)];
}

const STATUS = Buffer.from('"status"');

/** A return in the last message is data: its texts request nothing. */
function removeReturn(text: string): string {
  const bytes = Buffer.from(text);
  const { depth: maxDepth, values: maxValues } = returnCaps;
  const found = findLastObject(bytes, { carrying: [STATUS], meant: [STATUS], maxDepth, maxValues });
  if (found.kind !== "found") return text;
  const { start, end } = found.object;
  return `${bytes.subarray(0, start).toString("utf8")}\n${bytes.subarray(end).toString("utf8")}`;
}

/**
 * Finds workers that have not ended, and questions without an answer. An agent with a ticket and without a return still
 * has to get its results and answers, even if all of them came before its turn ended.
 */
async function listUnfinished(
  tools: RunTools,
  delegation: Delegation,
  hasReturned: boolean,
): Promise<readonly string[]> {
  const isOwed = (id: string): boolean => !hasReturned && !wasAlreadyTold(delegation, id);
  const approvals = await tools.store.approvalsOf(delegation.id);
  const questions = approvals
    .filter(({ kind }) => kind === "clarification")
    .filter(
      ({ id, kind, answer }) => answer === null || (isAskedInAttempt(delegation, kind, id) && isOwed(id)),
    )
    .map(({ id }) => id);
  const tree = delegation.workers === 0 ? [] : await tools.store.storyTree(delegation.story);
  const workers = tree.filter(({ parent, state }) => parent === delegation.id && state !== "closed");
  // The results of one turn come together, including those of workers that have already ended.
  const ofThisTurn = tree.filter(
    ({ parent, parentAttempt }) => parent === delegation.id && parentAttempt === delegation.attempt,
  );
  if (workers.length === 0 && !ofThisTurn.some(({ id }) => isOwed(id))) return questions;
  return [...new Set([...workers, ...ofThisTurn].map(({ id }) => id)), ...questions];
}

/** A call that waited to the end has returned the result, and its caller continued. */
function wasAlreadyTold({ state, waitingFor }: Delegation, id: string): boolean {
  return state === "running" && waitingFor.includes(id);
}

function readHandover({ files }: JudgedAttempt): string {
  const source = readReturnFile(files.handoverFile);
  return source === undefined
    ? "It left no notes."
    : Buffer.from(source.bytes).toString("utf8").slice(0, MAX_HANDOVER_LENGTH);
}
