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

type Caller = Pick<
  AppContext,
  "askTrust" | "directory" | "environment" | "homeDirectory" | "isProjectTrusted"
>;

/**
 * Refuses to run what the project names before its person has seen it and said yes. Answers whether a decision was made
 * or none is needed; false only where the project has no files to look at.
 */
export async function requireTrust(context: Caller): Promise<boolean> {
  const place = findTrustPlace(context);
  // A repository without a checkout has no files here; the command says itself where there is no repository.
  if (place === undefined) return false;
  const check = await checkTrust(place);
  const isDecided = check.state === "nothing-named" || check.state === "trusted";
  if (isDecided || isTrustedByVariable(context, check.items)) return true;
  const answer = await context.askTrust?.(check);
  if (answer === undefined) throw trustErrors.notTrusted(nameChanges(check), check.state === "changed");
  if (!answer) throw trustErrors.declined();
  await recordTrust(place, await requireSame(place, check));
  return true;
}

/** The context of a use case that runs something of the project, with the decision about it. */
export async function withTrust(context: AppContext): Promise<AppContext> {
  // A worker is part of a story that was trusted when it started; a use case may call another one.
  if (context.isProjectTrusted !== undefined || isInsideWorker(context)) return context;
  return { ...context, isProjectTrusted: await requireTrust(context) };
}

export function findTrustPlace(
  context: Pick<AppContext, "directory" | "environment" | "homeDirectory">,
): TrustPlace | undefined {
  const projectRoot = findProjectRoot(context.directory);
  if (projectRoot === undefined || !pathExists(`${projectRoot}/.git`)) return undefined;
  return { projectRoot, environment: context.environment, homeDirectory: context.homeDirectory };
}

/** The person decided about what was shown, so nothing else may be remembered. */
export async function requireSame(place: TrustPlace, shown: Pick<TrustCheck, "hash">): Promise<TrustCheck> {
  const now = await checkTrust(place);
  if (now.hash !== shown.hash) throw trustErrors.changedMeanwhile();
  return now;
}

/**
 * Lets a command of the person change the project. What it wrote is trusted, if everything before it was; what came with
 * a clone stays as untrusted as it is.
 */
export async function keepTrust<Result>(
  context: Pick<AppContext, "directory" | "environment" | "homeDirectory">,
  change: () => Result | Promise<Result>,
): Promise<Result> {
  const place = findTrustPlace(context);
  const before = place === undefined ? undefined : await checkTrust(place);
  const result = await change();
  if (place === undefined || before === undefined) return result;
  if (before.state !== "trusted" && before.state !== "nothing-named") return result;
  const after = await checkTrust(place);
  if (after.state === "unknown" || after.state === "changed")
    await recordTrust(place, after).catch(() => undefined);
  return result;
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
