import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { DelegationRequest } from "../../contract/delegation-request.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";

/** Ambit's own prompt and tools for one worker, as `npm run test:token-cost` measures them. */
const PROMPT_TOKENS = 1100;
/** Fewer bytes than common tokenizers need for prose and code, so that the estimate is rather too high. */
const BYTES_PER_TOKEN = 3;
/** Agents read long files in parts. */
const MAX_FILE_TOKENS = 10_000;
const MAX_FILES = 20;

export interface ContextRequest {
  readonly request: Pick<DelegationRequest, "description" | "context_tokens">;
  /** Includes the agent's instructions and the background. */
  readonly work: Pick<WorkSpec, "context" | "criteria">;
}

/** Estimates the least context that a worker will need: its prompt, and the files of the project that it names (R11). */
export function estimateContext(projectRoot: string, { request, work }: ContextRequest): number {
  const texts = [request.description, work.context, ...work.criteria.map(({ text }) => text)];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const files = [...new Set(texts.flatMap(listPaths))].flatMap((path) => measureFile(projectRoot, path));
  const read = files.slice(0, MAX_FILES).reduce((sum, tokens) => sum + tokens, 0);
  return Math.max(request.context_tokens ?? 0, PROMPT_TOKENS + Math.ceil(bytes / BYTES_PER_TOKEN) + read);
}

const MAX_PATH_LENGTH = 400;
const MAX_WORDS = 20_000;

/** Lists words that may name a file of the project: with a dot or a slash, and not leading out of it. */
function listPaths(text: string): readonly string[] {
  return text
    .split(/[\s"'`(),;:<>[\]{}]/, MAX_WORDS)
    .map((word) => (word.endsWith(".") ? word.slice(0, -1) : word))
    .filter(
      (word) => /[./]/.test(word) && word.length <= MAX_PATH_LENGTH && !/^[/.~]|\.\.|[\0\\]/.test(word),
    );
}

function measureFile(projectRoot: string, path: string): readonly number[] {
  try {
    const file = lstatSync(join(projectRoot, path));
    return file.isFile() ? [Math.min(MAX_FILE_TOKENS, Math.ceil(file.size / BYTES_PER_TOKEN))] : [];
  } catch {
    // The word only looked like a path.
    return [];
  }
}
