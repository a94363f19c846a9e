import { safeText } from "../base/safe-text.ts";
import { lintCriteria } from "../contract/criteria-lint.ts";
import { childPrd } from "../contract/story.ts";
import type { Criterion, CriterionCheck } from "../contract/task.ts";
import { describeCheck } from "./criteria/check-key.ts";
import { hasHiddenCharacters } from "./reading/is-command.ts";
import { readStatements, type Statement } from "./reading/read-statements.ts";
import type { Terms } from "./reading/terms.ts";

export { describeCheck } from "./criteria/check-key.ts";

export interface CriterionSource {
  readonly text: string;
  readonly check?: CriterionCheck;
  readonly required?: boolean;
  readonly origin?: Criterion["origin"];
}

export interface ReadOptions {
  /** `verification.test`; null if the project names none. */
  readonly testCommand: string | null;
  /** The description of the work, for the default criteria if none were named (R79). */
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
  /** Null for a criterion that was dropped because it is empty. */
  readonly criterionId: string | null;
  readonly message: string;
}

export interface ReadCriteria {
  readonly criteria: readonly Criterion[];
  readonly warnings: readonly CriterionNotice[];
}

/**
 * Turns text from a person or a manager into criteria with checks. A command comes only from between backticks, from a
 * few plain words such as "npm test exits with code 0", or from the project's own settings, never from a worker. Any
 * text is accepted; a statement without a check is left for a manager or a person to decide.
 */
export function readCriteria(
  sources: readonly (string | CriterionSource)[],
  options: ReadOptions,
): ReadCriteria {
  const drafts = areDefaults(sources, options)
    ? listDefaultTexts(options).flatMap((text) => draftDefault(text, options))
    : sources.flatMap((source) =>
        draftCriteria(typeof source === "string" ? { text: source } : source, options),
      );
  const named = numberDrafts(drafts);
  return {
    criteria: named.flatMap(({ id, draft }) => (id === null ? [] : [toCriterion(id, draft)])),
    warnings: named.flatMap(({ id, draft }) =>
      draft.notices.map((notice) => ({ criterionId: id, ...notice })),
    ),
  };
}

interface Draft {
  readonly text: string;
  readonly check: CriterionCheck;
  readonly required: boolean;
  readonly origin?: Criterion["origin"];
  readonly notices: readonly Omit<CriterionNotice, "criterionId">[];
}

const MANUAL: CriterionCheck = { manual: true };

function numberDrafts(
  drafts: readonly Draft[],
): readonly { readonly id: string | null; readonly draft: Draft }[] {
  let count = 0;
  return drafts.map((draft) => {
    if (draft.text === "") return { id: null, draft };
    count += 1;
    return { id: `c${count}`, draft };
  });
}

function toCriterion(id: string, { text, required, check, origin }: Draft): Criterion {
  return { id, text, required, check, verdict: "unverified", ...(origin === undefined ? {} : { origin }) };
}

function draftCriteria(source: CriterionSource, options: ReadOptions): readonly Draft[] {
  return draftSource(source, options).map((draft) => withOrigin(draft, source));
}

function withOrigin(draft: Draft, { origin }: CriterionSource): Draft {
  return origin === undefined ? draft : { ...draft, origin };
}

function draftSource(source: CriterionSource, options: ReadOptions): readonly Draft[] {
  const required = source.required ?? true;
  if (source.check !== undefined) return [draftChecked(source, source.check, required)];
  if (source.text.trim() === "") return [draftEmpty()];
  return readStatements(source.text).flatMap((statement) => draftStatement(statement, options, required));
}

/** No criteria were named, or the runtime itself wrote them earlier. */
function areDefaults(sources: readonly (string | CriterionSource)[], options: ReadOptions): boolean {
  const texts = listDefaultTexts(options);
  if (sources.length === 0) return true;
  return sources.length === texts.length && sources.every((source, at) => source === texts[at]);
}

/** The default criteria of a delegated story. */
function listDefaultTexts({ description }: ReadOptions): readonly string[] {
  if (description === undefined) return [];
  const prd = childPrd({ parentId: "", childId: "", description, depth: 0 });
  return prd.userStories.flatMap((story) => story.acceptanceCriteria);
}

/**
 * Default criteria are required only if a program can check them. Only "All tests pass" is read as a statement: the
 * others quote the description, where text in backticks is not meant as a proof.
 */
function draftDefault(text: string, options: ReadOptions): readonly Draft[] {
  const statements = readStatements(text).filter(({ reading }) => reading.kind === "tests");
  const drafts =
    statements.length === 0
      ? [draftManual(text, false, [])]
      : statements.flatMap((statement) => draftStatement(statement, options, true));
  return drafts.map(({ text: shown, check, notices }) => ({
    text: shown,
    check,
    required: !("manual" in check),
    notices,
  }));
}

function draftChecked({ text }: CriterionSource, check: CriterionCheck, required: boolean): Draft {
  // Line breaks of a script are visible; a mark that changes the text direction is not.
  const isHidden = "command" in check && check.command.split(/[\n\t]/).some(hasHiddenCharacters);
  const shown = text.trim() === "" ? describeCheck(check) : text.trim();
  return { text: shown, check, required, notices: isHidden ? [warnAboutHidden(shown)] : [] };
}

function draftEmpty(): Draft {
  const message = "A criterion without text was ignored. Write what must be true, or remove it.";
  return { text: "", check: MANUAL, required: false, notices: [{ code: "EMPTY_CRITERION", message }] };
}

function draftManual(text: string, required: boolean, notices: Draft["notices"] = []): Draft {
  const vague = notices.length === 0 ? lintCriteria(text) : undefined;
  const all = vague === undefined ? notices : [{ code: vague.code, message: safeText(vague.message) }];
  return { text: text.trim(), check: MANUAL, required, notices: all };
}

function draftStatement(statement: Statement, options: ReadOptions, required: boolean): readonly Draft[] {
  const { reading } = statement;
  const text = statement.text ?? (reading.kind === "check" ? describeCheck(reading.check) : "");
  if (reading.kind === "unknown") return [draftManual(text, required, warnAboutUnknown(text, reading))];
  const check = reading.kind === "tests" ? findTestCheck(options, reading.terms) : reading.check;
  if (check === undefined) return [draftManual(text, required, [warnAboutNoTest(text)])];
  if (reading.isWhole) return [{ text, check, required, notices: [] }];
  const checked = { text: describeCheck(check), check, required, notices: [] };
  return [checked, draftManual(text, required, [warnAboutRest(text, check)])];
}

function findTestCheck({ testCommand }: ReadOptions, terms: Terms = {}): CriterionCheck | undefined {
  return testCommand === null || testCommand.trim() === "" ? undefined : { command: testCommand, ...terms };
}

type Notice = Omit<CriterionNotice, "criterionId">;

function warnAboutUnknown(
  text: string,
  { command, isHidden }: { readonly command?: string; readonly isHidden?: boolean },
): readonly Notice[] {
  if (isHidden === true) return [warnAboutHidden(text)];
  if (command === undefined) return [];
  const advice = `To run it, write "running \`${shortenText(command)}\` exits with code 0".`;
  const message = `Criterion "${shortenText(text)}" may name a command, but does not clearly say that it must pass; it will not be run. ${advice}`;
  return [{ code: "COMMAND_NOT_CHECKED", message }];
}

function warnAboutHidden(text: string): Notice {
  const message = `Criterion "${shortenText(text)}" has a command with invisible characters. Type it again.`;
  return { code: "HIDDEN_CHARACTERS", message };
}

function warnAboutNoTest(text: string): Notice {
  const advice =
    'Set verification.test in ambit.yaml, for example "npm test", or name the command in the criterion.';
  const message = `Criterion "${shortenText(text)}" cannot be run: the project names no test command. ${advice}`;
  return { code: "NO_TEST_COMMAND", message };
}

function warnAboutRest(text: string, check: CriterionCheck): Notice {
  const rest = "The manager or a person has to decide the rest.";
  const message = `Only part of criterion "${shortenText(text)}" is checked: ${shortenText(describeCheck(check))}. ${rest}`;
  return { code: "PARTLY_CHECKED", message };
}

const MAX_SHOWN_LENGTH = 200;

function shortenText(text: string): string {
  const safe = safeText(text.trim());
  return safe.length <= MAX_SHOWN_LENGTH ? safe : `${safe.slice(0, MAX_SHOWN_LENGTH)}…`;
}
