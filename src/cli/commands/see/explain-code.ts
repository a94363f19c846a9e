import { exitCodeFor } from "../../../contract/error-code.ts";
import { exitCode, exitCodeMeanings } from "../../../contract/exit-code.ts";
import { findProjectRoot } from "../../../config/find-project.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { renderColumns } from "../../render/columns.ts";
import { readStore } from "../../../app/open-project.ts";
import { explainedCodes, meaningOf, plainCode } from "../../../errors/code-meanings.ts";

/** What a code means. Undefined when the word names a story here instead. */
export async function explainCode(
  context: CommandContext,
  word: string,
): Promise<CommandOutcome | undefined> {
  if (await isStory(context, word)) return undefined;
  const meaning = meaningOf(word);
  if (meaning === undefined) {
    // Only words that can hardly be an id are refused as codes.
    if (!word.includes("_")) return undefined;
    throw usage(`there is no code ${word}`, suggestion(word));
  }
  const [means, next] = meaning;
  const status = exitCodeFor(plainCode(word));
  const statusMeans = statusMeaning(status);
  return {
    exitCode: exitCode.completed,
    json: { code: word, means, exit_status: status, exit_status_means: statusMeans, next },
    text: renderColumns([
      ["code", word],
      ["means", means],
      ["exit", `${status}: ${statusMeans}`],
      ["next", next],
    ]),
  };
}

/** Ids may be capitals too, and a story that is there goes before a code of the same name. */
async function isStory(context: CommandContext, word: string): Promise<boolean> {
  if (findProjectRoot(context.directory) === undefined) return false;
  return readStore(context, async (reader) => (await reader?.delegation(word)) !== undefined);
}

function statusMeaning(status: number): string {
  const [name] = Object.entries(exitCode).find(([, value]) => value === status) ?? [];
  return Object.entries(exitCodeMeanings).find(([key]) => key === name)?.[1] ?? "";
}

const SUGGESTED = 3;

/** Codes that share a word with what was typed. */
function suggestion(word: string): string {
  const parts = word.split("_").filter((part) => part.length > 2);
  const close = explainedCodes.filter((code) => parts.some((part) => code.split("_").includes(part)));
  const all = "All codes: ambit help exit-codes.";
  return close.length === 0 ? all : `Did you mean ${close.slice(0, SUGGESTED).join(", ")}? ${all}`;
}
