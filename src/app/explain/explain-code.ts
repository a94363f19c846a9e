import { exitCodeFor } from "../../contract/error-code.ts";
import { exitCode, exitCodeMeanings } from "../../contract/exit-code.ts";
import { explainedCodes, findCodeMeaning, stripCodeDetail } from "../../errors/code-meanings.ts";
import { usageError } from "../../errors/usage.ts";

export interface ExplainedCode {
  readonly [key: string]: unknown;
  readonly code: string;
  readonly means: string;
  readonly exit_status: number;
  readonly exit_status_means: string;
  readonly next: string;
}

/** Explains a code. Undefined for a word that is probably an id. */
export function explainCode(word: string): ExplainedCode | undefined {
  const meaning = findCodeMeaning(word);
  if (meaning === undefined) {
    // Only words that can hardly be an id are refused as codes.
    if (!word.includes("_")) return undefined;
    throw usageError(`there is no code ${word}`, suggestCodes(word));
  }
  const [means, next] = meaning;
  const status = exitCodeFor(stripCodeDetail(word));
  return { code: word, means, exit_status: status, exit_status_means: findStatusMeaning(status), next };
}

function findStatusMeaning(status: number): string {
  const [name] = Object.entries(exitCode).find(([, value]) => value === status) ?? [];
  return Object.entries(exitCodeMeanings).find(([key]) => key === name)?.[1] ?? "";
}

const MAX_SUGGESTED = 3;

/** Codes that share a word with what was typed. */
function suggestCodes(word: string): string {
  const parts = word.split("_").filter((part) => part.length > 2);
  const close = explainedCodes.filter((code) => parts.some((part) => code.split("_").includes(part)));
  const all = "All codes: ambit help exit-codes.";
  return close.length === 0 ? all : `Did you mean ${close.slice(0, MAX_SUGGESTED).join(", ")}? ${all}`;
}
