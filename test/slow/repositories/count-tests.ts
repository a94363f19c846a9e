import { stripVTControlCharacters } from "node:util";

/**
 * How each tool says what it ran. A pattern with a group adds up the numbers that it finds; one without counts its
 * matches.
 */
const patterns = {
  tap: /^# tests +(\d+)/gm,
  tapCount: /^ *ok \d+ /gm,
  node: /^(?:# |ℹ )tests (\d+)/gm,
  mocha: /^ +(\d+) passing/gm,
  jest: /^Tests: .*?(\d+) total/gm,
  vitest: /^ +Tests .*\((\d+)\)/gm,
  ava: /^ *(\d+) tests? passed/gm,
  pytest: /(\d+) passed/g,
  unittest: /^Ran (\d+) tests?/gm,
  go: /^ *--- PASS/gm,
  cargo: /^test result: \w+\. (\d+) passed/gm,
  prove: /^Files=\d+, Tests=(\d+)/gm,
  eslint: /"filePath":/g,
  tsc: /^TSFILE: /gm,
  zlib: /^[a-z].*[a-z]\(\)|test OK/gm,
  conducted: /^(\d+) tests conducted/gm,
  lines: /\S.*$/gm,
} as const;

export type Runner = keyof typeof patterns;

/** How many tests (files for a linter or compiler, lines for a plain program) the output of a command tells of. */
export function countTests(runner: Runner, output: string): number {
  const text = stripVTControlCharacters(output);
  let count = 0;
  for (const [, group] of text.matchAll(patterns[runner])) count += group === undefined ? 1 : Number(group);
  return count;
}
