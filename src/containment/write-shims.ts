import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBase36 } from "../base/ids.ts";
import { containmentErrors } from "../errors/containment.ts";

export const SHIM_EXIT_CODE = 97;

const PROGRAM_NAME = /^[A-Za-z0-9._-]+$/;

/** Fills `directory` with programs that only refuse; put it first in a worker's PATH. Returns the directory. */
export function writeShims(directory: string, names: readonly string[]): string {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  for (const name of names) writeProgram(directory, name, buildRefusalText(name));
  return directory;
}

/** Lets a worker call a program by a short name, whatever its PATH and working folder. */
export function writeLauncher(directory: string, name: string, argv: readonly string[]): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const quoted = argv.map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(" ");
  writeProgram(directory, name, `#!/bin/sh\nexec ${quoted} "$@"\n`);
}

function writeProgram(directory: string, name: string, text: string): void {
  if (!PROGRAM_NAME.test(name) || name.startsWith(".")) throw containmentErrors.invalidProgramName(name);
  const path = join(directory, name);
  // The file is written under another name and renamed: it is never incomplete, and replaces any previous entry, even a
  // link.
  const beside = join(directory, `.${name}-${randomBase36(8)}`);
  writeFileSync(beside, text, { flag: "wx" });
  // The umask would restrict a mode passed to the call above.
  chmodSync(beside, 0o755);
  renameSync(beside, path);
}

function buildRefusalText(name: string): string {
  const text = `ambit: ${name} is not started from inside a worker; use the delegate tool or \`ambit delegate\``;
  return `#!/bin/sh\nprintf '%s\\n' '${text}' >&2\nexit ${SHIM_EXIT_CODE}\n`;
}
