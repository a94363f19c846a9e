import { closeSync, fstatSync, readdirSync, readSync, realpathSync, statSync, type Dirent } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Carrier } from "../../agents/agent-programs.ts";
import { isInside, openWithoutFollowing, pathExists } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { hashText, type TrustItem } from "./trust-item.ts";

/** Reads the items of one carrier in a project. `root` is the project's real path. */
export function readCarrier(root: string, carrier: Carrier): readonly TrustItem[] {
  const { path, kind, harmless = [], names = [] } = carrier;
  if (!pathExists(join(root, path))) return pathIsLinked(root, path) ? [readFile(root, path)] : [];
  if (kind === "folder") return readFolder(root, path);
  const item = readFile(root, path);
  if (kind === "variables") return findVariables(item, names);
  return kind === "fields" ? splitFields(item, harmless) : [item];
}

/** A link in the way that leads nowhere yet may lead somewhere once something else was made. */
function pathIsLinked(root: string, path: string): boolean {
  const parent = path.split("/").slice(0, -1).join("/");
  return parent !== "" && pathExists(join(root, parent)) && findRealPath(join(root, parent)) === undefined;
}

/** One chunk is kept as the item's text. */
const CHUNK_BYTES = 1024 * 1024;

/** Links inside the project are followed, as the programs do that read the file; others are only named. */
function readFile(root: string, file: string): TrustItem {
  const real = findRealPath(join(root, file));
  if (real === undefined) return describeOther(file, "a link that leads nowhere");
  if (!isInside(real, root)) return describeOther(file, `a link to ${real}`);
  const descriptor = openForReading(real);
  if (descriptor === undefined) return describeOther(file, "not readable");
  try {
    if (!fstatSync(descriptor).isFile()) return describeOther(file, "not a regular file");
    return { file, field: null, ...readContent(descriptor) };
  } finally {
    closeSync(descriptor);
  }
}

function readContent(descriptor: number): Pick<TrustItem, "text" | "hash" | "isCut"> {
  const hash = createHash("sha256");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let start: Buffer | undefined;
  let size = 0;
  for (let read = -1; read !== 0; size += read) {
    read = readSync(descriptor, chunk, 0, CHUNK_BYTES, size);
    hash.update(chunk.subarray(0, read));
    start ??= Buffer.from(chunk.subarray(0, read));
  }
  const isBinary = start?.includes(0) === true;
  const text = isBinary ? `(binary, ${size} bytes)` : (start?.toString("utf8") ?? "");
  return { text, hash: hash.digest("hex"), ...(size > CHUNK_BYTES ? { isCut: true } : {}) };
}

/** The content is not known, so a changed target is all that can be noticed. */
function describeOther(file: string, what: string): TrustItem {
  return { file, field: null, text: `(${what})`, hash: hashText(what) };
}

function openForReading(path: string): number | undefined {
  try {
    return openWithoutFollowing(path);
  } catch {
    // Not readable for us, so not for a program that we start either.
    return undefined;
  }
}

const MAX_FILES = 20_000;
const MAX_LEVELS = 20;
/** Packages that a tool installs by itself; what names them is read. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

function readFolder(root: string, folder: string): readonly TrustItem[] {
  const found: string[] = [];
  const waiting = [{ path: folder, level: 0 }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (isFolderInside(root, next.path) && next.level < MAX_LEVELS) {
      const { path, level } = next;
      const entries = listEntries(join(root, path)).filter(({ name }) => !SKIPPED.has(name));
      for (const { name } of entries) waiting.push({ path: `${path}/${name}`, level: level + 1 });
    } else found.push(next.path);
    if (found.length + waiting.length > MAX_FILES) return [describeTooMany(folder)];
  }
  return found.toSorted().map((file) => readFile(root, file));
}

/** Never the same twice, so it is asked about each time. */
function describeTooMany(file: string): TrustItem {
  const text = `(more than ${MAX_FILES} files)`;
  return { file, field: null, text, hash: hashText(randomBase36(16)) };
}

function isFolderInside(root: string, path: string): boolean {
  const real = findRealPath(join(root, path));
  return real !== undefined && real !== root && isInside(real, root) && statSync(real).isDirectory();
}

function listEntries(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // A folder that we may not read is as good as empty, also for the programs that we start.
    return [];
  }
}

function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Nothing is there, or links lead in a circle.
    return undefined;
  }
}

/** Each field with a value counts for itself, so that a question can show what matters. */
function splitFields(item: TrustItem, harmless: readonly string[]): readonly TrustItem[] {
  const fields = parseFields(item.text);
  if (fields === undefined) return [item];
  return Object.entries(fields)
    .filter(([name, value]) => !harmless.includes(name) && !isEmpty(value))
    .map(([field, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      return { file: item.file, field, text, hash: hashText(text) };
    });
}

/** A name may be set several times; which one counts is up to the program. */
function findVariables({ file, text }: TrustItem, names: readonly string[]): readonly TrustItem[] {
  const lines = text.split(/\r?\n|\r/u).map((line) => line.trim().replace(/^export\s+/u, ""));
  return names.flatMap((field) => {
    const set = lines.filter((line) => line.startsWith(field) && /^\s*[:=]/u.test(line.slice(field.length)));
    const value = set.map((line) => line.slice(field.length).replace(/^\s*[:=]\s*/u, "")).join("\n");
    return set.length === 0 ? [] : [{ file, field, text: value, hash: hashText(value) }];
  });
}

/** Undefined for anything but a JSON object, also for JSON with comments and for the beginning of a long file. */
function parseFields(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    // Not plain JSON: then the whole file counts.
    return undefined;
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && (value === null || Object.keys(value).length === 0);
}
