import { isBelow } from "../../contract/child-id.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";
import type { ApprovalKind } from "../../contract/approval.ts";
import { workErrors } from "../../errors/work.ts";
import type { Approval, Delegation, StoreReader } from "../../journal/store.ts";
import { findTarget } from "./find-target.ts";

/** An open question, and the work that cannot continue without its answer. */
export interface OpenQuestion {
  readonly approval: Approval;
  readonly delegation: Delegation;
  /** The shortest name that answers it now and later: its delegation's id, unless that has several questions. */
  readonly name: string;
}

const MAX_OPEN = 10_000;

/** Every question that waits for a person, oldest first. Questions of ended work are left out. */
export async function readOpenQuestions(reader: StoreReader): Promise<readonly OpenQuestion[]> {
  const approvals = await reader.openApprovals(MAX_OPEN);
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

/** When its worker goes on without an answer: no question waits for longer than its delegation may run. */
export function findExpiry({ approval, delegation }: Omit<OpenQuestion, "name">): string {
  return new Date(Date.parse(approval.askedAt) + delegation.timeoutSeconds * 1000).toISOString();
}

/** A clarification needs words; every other question needs a yes or a no. */
function needsWords(kind: ApprovalKind): boolean {
  return kind === "clarification";
}

/** The commands that answer a question, exactly as they can be typed. */
export function answeringCommands({ approval, name }: OpenQuestion): readonly string[] {
  if (needsWords(approval.kind)) return [`ambit reply ${name} "…"`];
  return [`ambit approve ${name}`, `ambit reject ${name} --reason "…"`];
}

/**
 * Finds the one open question that a word means: its id or the beginning of it, or a delegation or story that has
 * exactly one question of the kind that can be answered this way, itself or below it. Without `inWords` any kind will do.
 */
export async function findQuestion(
  reader: StoreReader | undefined,
  word: string,
  { inWords, isExact }: { readonly inWords?: boolean; readonly isExact: boolean },
): Promise<OpenQuestion> {
  if (reader === undefined) throw workErrors.noOpenQuestion(word);
  const open = await readOpenQuestions(reader);
  const exact = open.find(({ approval }) => approval.id === word);
  if (exact !== undefined) return checkKind(exact, inWords);
  const answered = await findAnswered(reader, word);
  if (answered !== undefined) throw workErrors.alreadyAnswered(answered);
  if (isExact) throw workErrors.noOpenQuestion(word);
  return chooseQuestion(await findCandidates(reader, open, word), word, inWords);
}

const APPROVAL_ID = /^(.+)-(?:cost|criterion|scope|sensitive-paths|clarification)-\d+$/;

async function findAnswered(reader: StoreReader, word: string): Promise<Approval | undefined> {
  const delegation = APPROVAL_ID.exec(word)?.[1];
  if (delegation === undefined) return undefined;
  return (await reader.approvalsOf(delegation)).find(({ id, answer }) => id === word && answer !== null);
}

async function findCandidates(
  reader: StoreReader,
  open: readonly OpenQuestion[],
  word: string,
): Promise<readonly OpenQuestion[]> {
  const byPrefix = open.filter(
    ({ approval }) => approval.id.startsWith(word) && APPROVAL_ID.test(approval.id),
  );
  // A word that is longer than any delegation's id can only mean a question.
  const target = await findTarget(reader, word).catch((error: unknown) => {
    if (byPrefix.length === 0) throw error;
    return undefined;
  });
  if (target === undefined) return byPrefix;
  const own = open.filter(({ delegation }) => delegation.id === target.id);
  return own.length > 0 ? own : open.filter(({ delegation }) => isBelow(delegation.id, target.id));
}

function chooseQuestion(
  candidates: readonly OpenQuestion[],
  word: string,
  inWords: boolean | undefined,
): OpenQuestion {
  const [first] = candidates;
  if (first === undefined) throw workErrors.noOpenQuestion(word);
  const fitting = candidates.filter(
    ({ approval }) => inWords === undefined || needsWords(approval.kind) === inWords,
  );
  const [chosen, ...more] = fitting;
  if (chosen === undefined) return checkKind(first, inWords);
  if (more.length === 0) return chosen;
  const names = fitting.map(({ name, approval }) => `${name} (${approval.kind})`);
  throw workErrors.severalQuestions(quoteExcerpt(word), names);
}

function checkKind(question: OpenQuestion, inWords: boolean | undefined): OpenQuestion {
  const { approval } = question;
  if (inWords === undefined || needsWords(approval.kind) === inWords) return question;
  throw workErrors.wrongKindOfAnswer(approval, inWords, answeringCommands(question));
}
