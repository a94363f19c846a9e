import { DelegationError } from "../../../base/delegation-error.ts";
import type { ApprovalKind } from "../../../contract/approval.ts";
import type { Approval, Delegation, StoreReader } from "../../../journal/store.ts";
import { excerpt } from "../../../base/visible-text.ts";
import { usage } from "../../option-values.ts";
import { findTarget } from "../../../app/find-target.ts";

/** A question that waits, and the work that cannot go on without its answer. */
export interface OpenQuestion {
  readonly approval: Approval;
  readonly delegation: Delegation;
  /** The shortest name that answers it now and later: its delegation's id, unless that has several questions. */
  readonly name: string;
}

const MOST_OPEN = 10_000;

/** Everything that waits for a person, oldest first. What ended meanwhile waits for nobody. */
export async function readOpenQuestions(reader: StoreReader): Promise<readonly OpenQuestion[]> {
  const approvals = await reader.openApprovals(MOST_OPEN);
  const questions = await Promise.all(
    approvals.map(async (approval) => {
      const delegation = await reader.delegation(approval.delegation);
      return delegation === undefined || delegation.state === "closed" ? [] : [{ approval, delegation }];
    }),
  );
  const open = questions.flat();
  return open.map(({ approval, delegation }) => {
    const isAlone = open.filter((other) => other.delegation.id === delegation.id).length === 1;
    return { approval, delegation, name: isAlone ? delegation.id : approval.id };
  });
}

/** Words answer a clarification; everything else is a yes or a no. */
function isAnsweredInWords(kind: ApprovalKind): boolean {
  return kind === "clarification";
}

/** The commands that answer a question, exactly as they can be typed. */
export function answeringCommands({ approval, name }: OpenQuestion): readonly string[] {
  if (isAnsweredInWords(approval.kind)) return [`ambit reply ${name} "…"`];
  return [`ambit approve ${name}`, `ambit reject ${name} --reason "…"`];
}

/**
 * Finds the one open question a word means: its id or a beginning of it, or a delegation or story that has exactly one
 * question of the kind that can be answered this way, itself or below it.
 */
export async function findQuestion(
  reader: StoreReader | undefined,
  word: string,
  inWords: boolean,
): Promise<OpenQuestion> {
  if (reader === undefined) throw nothingWaits(`"${excerpt(word)}"`);
  const open = await readOpenQuestions(reader);
  const exact = open.find(({ approval }) => approval.id === word);
  if (exact !== undefined) return checkKind(exact, inWords);
  const answered = await findAnswered(reader, word);
  if (answered !== undefined) throw alreadyAnswered(answered);
  return pickOne(await candidatesFor(reader, open, word), word, inWords);
}

const APPROVAL_ID = /^(.+)-(?:cost|criterion|scope|sensitive-paths|clarification)-\d+$/;

async function findAnswered(reader: StoreReader, word: string): Promise<Approval | undefined> {
  const delegation = APPROVAL_ID.exec(word)?.[1];
  if (delegation === undefined) return undefined;
  return (await reader.approvalsOf(delegation)).find(({ id, answer }) => id === word && answer !== null);
}

async function candidatesFor(
  reader: StoreReader,
  open: readonly OpenQuestion[],
  word: string,
): Promise<readonly OpenQuestion[]> {
  const byPrefix = open.filter(
    ({ approval }) => approval.id.startsWith(word) && APPROVAL_ID.test(approval.id),
  );
  // More of the id than any delegation has: only a question can be meant.
  const target = await findTarget(reader, word).catch((error: unknown) => {
    if (byPrefix.length === 0) throw error;
    return undefined;
  });
  if (target === undefined) return byPrefix;
  const own = open.filter(({ delegation }) => delegation.id === target.id);
  return own.length > 0
    ? own
    : open.filter(({ delegation }) => delegation.id.startsWith(`${target.id}-DEL-`));
}

function pickOne(candidates: readonly OpenQuestion[], word: string, inWords: boolean): OpenQuestion {
  const [first] = candidates;
  if (first === undefined) throw nothingWaits(`"${excerpt(word)}"`);
  const fitting = candidates.filter(({ approval }) => isAnsweredInWords(approval.kind) === inWords);
  const [chosen, ...more] = fitting;
  if (chosen === undefined) return checkKind(first, inWords);
  if (more.length === 0) return chosen;
  const names = fitting.map(({ name, approval }) => `${name} (${approval.kind})`).join(", ");
  throw usage(`"${excerpt(word)}" has ${fitting.length} open questions: ${names}`, "Name one of them.");
}

function checkKind(question: OpenQuestion, inWords: boolean): OpenQuestion {
  const { approval } = question;
  if (isAnsweredInWords(approval.kind) === inWords) return question;
  const wanted = inWords ? "a yes or a no, not words" : "words, not a yes or a no";
  const commands = answeringCommands(question).join(" or ");
  throw usage(`${approval.id} (${approval.kind}) needs ${wanted}`, `Use ${commands}.`);
}

function nothingWaits(what: string): DelegationError {
  return new DelegationError({
    code: "APPROVAL_NOT_FOUND",
    message: `Nothing about ${what} waits for an answer.`,
    recommendation: "See what waits for you with ambit inbox.",
  });
}

function alreadyAnswered({ id, answer, answeredBy, reason }: Approval): DelegationError {
  const why = reason === "" ? "" : `: ${excerpt(reason)}`;
  return new DelegationError({
    code: "APPROVAL_NOT_FOUND",
    message: `${id} has its answer already: ${answer ?? "none"} by ${answeredBy ?? "somebody"}${why}`,
    recommendation: "The first answer counts. See what still waits with ambit inbox.",
  });
}
