import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Roots {
  readonly fromRoot: string;
  readonly toRoot: string;
}

/** Scripts and path lists are small; a larger file is a program, not text. */
const MAX_TEXT_BYTES = 256 * 1024;

/** Every tool that makes an environment leaves this file in it. */
export function isPythonEnvironment(folder: string): boolean {
  return existsSync(join(folder, "pyvenv.cfg"));
}

/**
 * A Python environment names its own place in its scripts: a copied `pip` would install into the user's environment,
 * and an editable install would import the user's sources. Both are pointed at the copy.
 */
export function relocateEnvironment(folder: string, roots: Roots): void {
  const scripts = listFilesIn(join(folder, "bin"));
  const libraries = listFoldersIn(join(folder, "lib")).map((name) => join(name, "site-packages"));
  const lists = libraries
    .flatMap(listFilesIn)
    .filter((path) => path.endsWith(".pth") || path.endsWith(".egg-link"));
  for (const path of [join(folder, "pyvenv.cfg"), ...scripts, ...lists]) relocateText(path, roots);
}

function relocateText(path: string, { fromRoot, toRoot }: Roots): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MAX_TEXT_BYTES) return;
  // Byte for byte, so that text in any encoding survives.
  const text = readFileSync(path, "latin1");
  const moved = replaceRootPath(text, toLatin1Bytes(fromRoot), toLatin1Bytes(toRoot));
  if (moved !== text) writeFileSync(path, moved, "latin1");
}

function toLatin1Bytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** `/work/app` must not match in `/work/app2`. */
function replaceRootPath(text: string, from: string, to: string): string {
  const [first = "", ...rest] = text.split(from);
  return first + rest.map((part) => (/^[A-Za-z0-9._-]/.test(part) ? from : to) + part).join("");
}

function listFilesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, entry.name));
}

function listFoldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}
