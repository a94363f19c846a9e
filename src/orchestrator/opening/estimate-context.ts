import { join } from "node:path";
import { estimateTokenCount } from "tokenx";
import { type FileRange, readFileRange } from "../../base/files.ts";
import type { DelegationRequest } from "../../contract/delegation-request.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";

/** Ambit's own prompt and tools for one worker, as `npm run test:token-cost` measures them. */
const PROMPT_TOKENS = 1100;
/** Of long and mixed words: fewer than the library's own figure, so that the estimate is rather too high. */
const CHARACTERS_PER_TOKEN = 4;
/** Agents read long files in parts. */
const MAX_FILE_TOKENS = 10_000;
const MAX_FILES = 20;
/** The beginning of a file shows how many tokens its bytes make. */
const SAMPLE_BYTES = 8 * 1024;

export interface ContextRequest {
  readonly request: Pick<DelegationRequest, "description" | "context_tokens">;
  /** Includes the agent's instructions and the background. */
  readonly work: Pick<WorkSpec, "context" | "criteria">;
}

/** Estimates the least context that a worker will need: its prompt, and the files of the project that it names (R11). */
export function estimateContext(projectRoot: string, { request, work }: ContextRequest): number {
  const texts = [request.description, work.context, ...work.criteria.map(({ text }) => text)];
  const said = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const read = countFiles(projectRoot, new Set(texts.flatMap(listPaths)));
  return Math.max(request.context_tokens ?? 0, PROMPT_TOKENS + said + read);
}

function countFiles(projectRoot: string, paths: ReadonlySet<string>): number {
  let [tokens, files] = [0, 0];
  for (const path of paths) {
    if (files === MAX_FILES) break;
    const sample = readSample(join(projectRoot, path));
    if (sample === undefined) continue;
    files += 1;
    tokens += countFile(sample);
  }
  return tokens;
}

function countFile({ bytes, size }: FileRange): number {
  const perByte = countTokens(bytes.toString("utf8")) / Math.max(1, bytes.length);
  return Math.min(MAX_FILE_TOKENS, Math.ceil(perByte * size));
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

function readSample(file: string): FileRange | undefined {
  try {
    return readFileRange(file, (size) => ({ start: 0, end: Math.min(size, SAMPLE_BYTES) }));
  } catch {
    // The word only looked like a path, or the file is not ours to read.
    return undefined;
  }
}

function countTokens(text: string): number {
  return estimateTokenCount(text, { defaultCharsPerToken: CHARACTERS_PER_TOKEN });
}
