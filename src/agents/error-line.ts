/**
 * The line of error output to report after one more line: the newest that says something. A runtime ends its output with
 * the frames of the stack, the fields of the error and its own version, which say less than the line before them.
 */
export function chooseErrorLine(chosen: string, line: string): string {
  const text = line.trim();
  if (text === "" || (chosen !== "" && isTrailer(line, text))) return chosen;
  return text;
}

function isTrailer(line: string, text: string): boolean {
  const isIndented = line.startsWith(" ") || line.startsWith("\t");
  return isIndented || CLOSING_BRACKETS.has(text) || NODE_VERSION.test(text);
}

const CLOSING_BRACKETS: ReadonlySet<string> = new Set(["}", "]", ")"]);
const NODE_VERSION = /^Node\.js v\d+(?:\.\d+)*$/;

/**
 * The program that a sandbox does not have, from its launcher's last words; undefined if it was started. Outside a
 * sandbox this is known before the start.
 */
export function findMissingInSandbox(code: number | null, line: string): string | undefined {
  return code === NOT_STARTED ? LAUNCHER_FAILED.exec(line)?.[1] : undefined;
}

const NOT_STARTED = 127;
const LAUNCHER_FAILED = /^ambit-(?:guard|relay): cannot run (.+)$/;
