import { safeText } from "../base/safe-text.ts";
import { lintCriteria } from "../contract/criteria-lint.ts";
import { childPrd } from "../contract/story.ts";
import type { Criterion, CriterionCheck } from "../contract/task.ts";
import { describeCheck } from "./check-key.ts";
import { hasHiddenCharacters } from "./reading/is-command.ts";
import { readStatements, type Statement } from "./reading/read-statements.ts";

export interface CriterionSource {
  readonly text: string;
  readonly check?: CriterionCheck;
  readonly required?: boolean;
}

export interface ReadOptions {
  /** `verification.test`; null where the project names none. */
  readonly testCommand: string | null;
  /** Of the work, for the default criteria where nobody named any (R79). */
  readonly description?: string;
}

export type CriterionNoticeCode =
  | "VAGUE_CRITERION"
  | "EMPTY_CRITERION"
  | "NO_TEST_COMMAND"
  | "PARTLY_CHECKED"
  | "COMMAND_NOT_CHECKED"
  | "HIDDEN_CHARACTERS";

export interface CriterionNotice {
  readonly code: CriterionNoticeCode;
  /** Null for a criterion that was left out because it is empty. */
  readonly criterionId: string | null;
  readonly message: string;
}

export interface ReadCriteria {
  readonly criteria: readonly Criterion[];
  readonly warnings: readonly CriterionNotice[];
}

/**
 * Turns what a person or manager wrote into criteria with checks. A command is only ever taken from between backticks,
 * from a few plain words such as "npm test exits with code 0", or from the project's own settings; never from a worker.
 * Total: any text is read, and whatever is no check is left for a manager or a person to decide.
 */
export function readCriteria(
  sources: readonly (string | CriterionSource)[],
  options: ReadOptions,
): ReadCriteria {
  const drafts = areDefaults(sources, options)
    ? defaultTexts(options).flatMap((text) => defaultDrafts(text, options))
    : sources.flatMap((source) => draftsOf(typeof source === "string" ? { text: source } : source, options));
  const named = numbered(drafts);
  return {
    criteria: named.flatMap(({ id, draft }) => (id === null ? [] : [criterionOf(id, draft)])),
    warnings: named.flatMap(({ id, draft }) =>
      draft.notices.map((notice) => ({ criterionId: id, ...notice })),
    ),
  };
}

interface Draft {
  readonly text: string;
  readonly check: CriterionCheck;
  readonly required: boolean;
  readonly notices: readonly Omit<CriterionNotice, "criterionId">[];
}

const MANUAL: CriterionCheck = { manual: true };

function numbered(
  drafts: readonly Draft[],
): readonly { readonly id: string | null; readonly draft: Draft }[] {
  let count = 0;
  return drafts.map((draft) => {
    if (draft.text === "") return { id: null, draft };
    count += 1;
    return { id: `c${count}`, draft };
  });
}

function criterionOf(id: string, { text, required, check }: Draft): Criterion {
  return { id, text, required, check, verdict: "unverified" };
}

function draftsOf(source: CriterionSource, options: ReadOptions): readonly Draft[] {
  const required = source.required ?? true;
  if (source.check !== undefined) return [checkedDraft(source, source.check, required)];
  if (source.text.trim() === "") return [emptyDraft()];
  return readStatements(source.text).flatMap((statement) => statementDrafts(statement, options, required));
}

/** Nobody named any, or they were written down by the runtime earlier. */
function areDefaults(sources: readonly (string | CriterionSource)[], options: ReadOptions): boolean {
  const texts = defaultTexts(options);
  if (sources.length === 0) return true;
  return sources.length === texts.length && sources.every((source, at) => source === texts[at]);
}

/** The ones a delegated story is handed. */
function defaultTexts({ description }: ReadOptions): readonly string[] {
  if (description === undefined) return [];
  const prd = childPrd({ parentId: "", childId: "", description, depth: 0 });
  return prd.userStories.flatMap((story) => story.acceptanceCriteria);
}

/**
 * Told, but no obstacle unless something can check them. Of their texts only "All tests pass" is read: the others quote
 * the description, and whatever stands there in backticks was not meant as a proof.
 */
function defaultDrafts(text: string, options: ReadOptions): readonly Draft[] {
  const statements = readStatements(text).filter(({ reading }) => reading.kind === "tests");
  const drafts =
    statements.length === 0
      ? [manualDraft(text, false, [])]
      : statements.flatMap((statement) => statementDrafts(statement, options, true));
  return drafts.map(({ text: shown, check, notices }) => ({
    text: shown,
    check,
    required: !("manual" in check),
    notices,
  }));
}

function checkedDraft({ text }: CriterionSource, check: CriterionCheck, required: boolean): Draft {
  // A script of several lines is plain to see; a direction mark is not.
  const isHidden = "command" in check && check.command.split(/[\n\t]/).some(hasHiddenCharacters);
  const shown = text.trim() === "" ? describeCheck(check) : text.trim();
  return { text: shown, check, required, notices: isHidden ? [hiddenNotice(shown)] : [] };
}

function emptyDraft(): Draft {
  const message = "A criterion without text was left out. Write what must be true, or remove it.";
  return { text: "", check: MANUAL, required: false, notices: [{ code: "EMPTY_CRITERION", message }] };
}

function manualDraft(text: string, required: boolean, notices: Draft["notices"] = []): Draft {
  const vague = notices.length === 0 ? lintCriteria(text) : undefined;
  const all = vague === undefined ? notices : [{ code: vague.code, message: safeText(vague.message) }];
  return { text: text.trim(), check: MANUAL, required, notices: all };
}

function statementDrafts(statement: Statement, options: ReadOptions, required: boolean): readonly Draft[] {
  const { reading } = statement;
  const text = statement.text ?? (reading.kind === "check" ? describeCheck(reading.check) : "");
  if (reading.kind === "unknown") return [manualDraft(text, required, unknownNotices(text, reading))];
  const check = reading.kind === "tests" ? testCheck(options) : reading.check;
  if (check === undefined) return [manualDraft(text, required, [noTestNotice(text)])];
  if (reading.isWhole) return [{ text, check, required, notices: [] }];
  const checked = { text: describeCheck(check), check, required, notices: [] };
  return [checked, manualDraft(text, required, [partlyNotice(text, check)])];
}

function testCheck({ testCommand }: ReadOptions): CriterionCheck | undefined {
  return testCommand === null || testCommand.trim() === "" ? undefined : { command: testCommand };
}

type Notice = Omit<CriterionNotice, "criterionId">;

function unknownNotices(
  text: string,
  { command, isHidden }: { readonly command?: string; readonly isHidden?: boolean },
): readonly Notice[] {
  if (isHidden === true) return [hiddenNotice(text)];
  if (command === undefined) return [];
  const advice = `To have it run, write "running \`${shorten(command)}\` exits with code 0".`;
  const message = `Criterion "${shorten(text)}" may name a command, but not clearly one that has to pass; it will not be run. ${advice}`;
  return [{ code: "COMMAND_NOT_CHECKED", message }];
}

function hiddenNotice(text: string): Notice {
  const message = `Criterion "${shorten(text)}" has a command with characters that cannot be seen. Write it anew.`;
  return { code: "HIDDEN_CHARACTERS", message };
}

function noTestNotice(text: string): Notice {
  const advice =
    'Set verification.test in ambit.yaml, for example "npm test", or name the command in the criterion.';
  const message = `Criterion "${shorten(text)}" cannot be run: the project names no test command. ${advice}`;
  return { code: "NO_TEST_COMMAND", message };
}

function partlyNotice(text: string, check: CriterionCheck): Notice {
  const rest = "The rest has to be decided by the manager or a person.";
  const message = `Of criterion "${shorten(text)}" only this is checked: ${shorten(describeCheck(check))}. ${rest}`;
  return { code: "PARTLY_CHECKED", message };
}

const LONGEST_SHOWN = 200;

function shorten(text: string): string {
  const safe = safeText(text.trim());
  return safe.length <= LONGEST_SHOWN ? safe : `${safe.slice(0, LONGEST_SHOWN)}…`;
}
