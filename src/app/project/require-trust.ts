import { resolve } from "node:path";
import { pathExists } from "../../base/files.ts";
import { trustErrors } from "../../errors/trust.ts";
import { findProjectRoot } from "../../project/find-project.ts";
import {
  checkTrust,
  isTrustedByVariable,
  recordTrust,
  type TrustCheck,
  type TrustPlace,
} from "../../trust/check-trust.ts";
import type { AppContext } from "./app-context.ts";
import { isInsideWorker } from "./require-person.ts";
import { isKnownWorker } from "./known-worker.ts";

type Place = Pick<AppContext, "directory" | "environment" | "homeDirectory"> &
  Partial<Pick<AppContext, "configFile">>;
type Caller = Place & Pick<AppContext, "askTrust">;

/**
 * Refuses to run what the project names before its person has seen it and said yes. Answers whether a decision was made
 * or none is needed; false only where the project has no files to look at.
 */
export async function requireTrust(context: Caller, prd?: string): Promise<boolean> {
  const place = findTrustPlace(context, prd);
  // A repository without a checkout has no files here; the command says itself where there is no repository.
  if (place === undefined) return false;
  const check = await checkTrust(place);
  if (isAllowed(context, check)) return true;
  // Whatever looks like a worker cannot answer for the person.
  const answer = isInsideWorker(context) ? undefined : await context.askTrust?.(check);
  if (answer === undefined)
    throw trustErrors.notTrusted(nameChanges(check), check.state === "changed", {
      prd,
      config: context.configFile,
    });
  if (!answer) throw trustErrors.declined();
  await recordTrust(place, await requireSame(place, check));
  return true;
}

/** Whether the project may run what it names, without a question. */
export async function isTrusted(context: Place): Promise<boolean> {
  const place = findTrustPlace(context);
  return place === undefined || isAllowed(context, await checkTrust(place));
}

function isAllowed(context: Place, { state, items }: TrustCheck): boolean {
  return state === "nothing-named" || state === "trusted" || isTrustedByVariable(context, items);
}

/** The context of a use case that runs something of the project, with the decision about it. */
export async function withTrust(context: AppContext, prd?: string): Promise<AppContext> {
  // A worker is part of a story that was trusted when it started; a use case may call another one.
  if (context.isProjectTrusted !== undefined || (await isKnownWorker(context))) return context;
  return { ...context, isProjectTrusted: await requireTrust(context, prd) };
}

/** `prd` is the PRD file that is about to run. */
export function findTrustPlace(context: Place, prd?: string): TrustPlace | undefined {
  const { directory, environment, homeDirectory, configFile } = context;
  const projectRoot = findProjectRoot(directory);
  if (projectRoot === undefined || !pathExists(`${projectRoot}/.git`)) return undefined;
  const file = prd === undefined ? undefined : resolve(directory, prd);
  return { projectRoot, environment, homeDirectory, configFile, prd: file };
}

/** The person decided about what was shown, so nothing else may be remembered. */
export async function requireSame(place: TrustPlace, shown: Pick<TrustCheck, "hash">): Promise<TrustCheck> {
  const now = await checkTrust(place);
  if (now.hash !== shown.hash) throw trustErrors.changedMeanwhile();
  return now;
}

/**
 * Lets a command of the person change the project. What it wrote is trusted, if everything before it was; what came with
 * a clone stays as untrusted as it is. Only a command that writes criteria brings new ones: another folder of tasks, for
 * example, may hold what came with a clone.
 */
export async function keepTrust<Result>(
  context: Place,
  change: () => Result | Promise<Result>,
  { writesCriteria = false } = {},
): Promise<Result> {
  const place = findTrustPlace(context);
  const before = place === undefined ? undefined : await checkTrust(place);
  const result = await change();
  if (place === undefined || before === undefined) return result;
  if (before.state !== "trusted" && before.state !== "nothing-named") return result;
  const after = await checkTrust(place);
  const isOwn = writesCriteria || !hasNewCriteria(before, after);
  if (isOwn && (after.state === "unknown" || after.state === "changed"))
    await recordTrust(place, after).catch(() => undefined);
  return result;
}

function hasNewCriteria(before: TrustCheck, after: TrustCheck): boolean {
  const known = new Set(before.items.map(({ hash }) => hash));
  return after.items.some(({ isCriterion, hash }) => isCriterion === true && !known.has(hash));
}

/** Each in a few words: where it is and what it says. */
function nameChanges({ changes }: TrustCheck): readonly string[] {
  return changes.map(({ file, field, change, lines }) => {
    const where = field === null ? file : `${file} ${field}`;
    if (change === "removed") return `${where} (removed)`;
    return `${where}: ${summarizeLines(lines.flatMap(({ sign, text }) => (sign === "+" ? [text] : [])))}`;
  });
}

const TELLING = /^"?(?:adapter|args|command|url)"?\s*[:=]/u;

/** The lines that say what is started come first; fences, brackets and empty lines say nothing. */
export function summarizeLines(lines: readonly string[]): string {
  const full = lines.map((line) => line.trim()).filter((line) => /\w/u.test(line));
  const telling = full.filter((line) => TELLING.test(line));
  return [...telling, ...full.filter((line) => !TELLING.test(line))].join("; ");
}
