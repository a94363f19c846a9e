import type { ErrorCode } from "../contract/error-code.ts";
import type { Limits } from "../contract/limits.ts";
import { passed, type Failed, type Guard } from "./verdict.ts";

/**
 * Descriptions never reach a shell and are quoted wherever they are shown, so by default only the text form
 * `[delegate:…]` is refused when it looks like an attempt to reach one (C40). `warn` lets suspicious characters and paths
 * through with a warning. Empty or over-long text never passes.
 */
export const descriptionGuard: Guard = (request, _facts, limits) => {
  const [first] = judgeDescription(request.description, limits);
  if (first === undefined) return passed("description_safe");
  const isSuspicion = first.code === "SUSPICIOUS_CHARACTERS" || first.code === "SUSPICIOUS_PATH";
  if (!isSuspicion || limits.descriptionPolicy === "refuse") return first;
  if (limits.descriptionPolicy === "warn") return { ...passed("description_safe"), warning: first.message };
  return request.isDirective === true ? { ...first, suggestion: USE_A_CALL } : passed("description_safe");
};

/** Finds every problem of a description, the most important first. */
export function judgeDescription(text: string, limits: Pick<Limits, "descriptionMaxLength">): Failed[] {
  const problems: Failed[] = [];
  if (text.trim() === "") problems.push(empty);
  const length = countCharacters(text);
  if (length > limits.descriptionMaxLength) problems.push(tooLong(length, limits.descriptionMaxLength));
  const characters = SUSPICIOUS_CHARACTERS.filter((part) => text.includes(part));
  if (characters.length > 0) problems.push(reportSuspicious("SUSPICIOUS_CHARACTERS", characters));
  const paths = SUSPICIOUS_PATHS.filter((part) => text.includes(part));
  if (paths.length > 0) problems.push(reportSuspicious("SUSPICIOUS_PATH", paths));
  return problems;
}

const SUSPICIOUS_CHARACTERS = ["$", "`", "&&", "||", ";"] as const;
const SUSPICIOUS_PATHS = ["../", "/etc/", "/root/"] as const;

const USE_A_CALL =
  "Write it in plain words, or use the delegate tool or ambit delegate, which take such text.";

const empty: Failed = {
  ok: false,
  code: "EMPTY_DESCRIPTION",
  message: "Delegation description is empty",
  details: [],
  suggestion: "Say in one sentence what the worker should achieve.",
};

function tooLong(length: number, maximum: number): Failed {
  return {
    ok: false,
    code: "DESCRIPTION_TOO_LONG",
    message: `Delegation description too long (max ${maximum} chars)`,
    details: [`Length: ${length}`, `Maximum allowed: ${maximum}`],
    suggestion: "Keep the description short and put background into the context field.",
  };
}

function reportSuspicious(code: ErrorCode, found: readonly string[]): Failed {
  const isPath = code === "SUSPICIOUS_PATH";
  return {
    ok: false,
    code,
    message: isPath
      ? "Suspicious file paths in delegation"
      : "Suspicious characters in delegation description",
    details: [`Found: ${found.join(" ")}`],
    suggestion: "Write it in plain words, or set delegation.description.policy to neutralise.",
  };
}

/** Counts characters as a person does; stops early on text that is far too long. */
function countCharacters(text: string): number {
  if (text.length > 100_000) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
