import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { DebianSource, NpmPackage } from "./real-project.ts";

const run = promisify(execFile);
const DEBIAN = "http://deb.debian.org/debian";

/** Downloads are kept here; the next run needs no network for them. */
export const cacheFolder: string =
  process.env["XDG_CACHE_HOME"] === undefined
    ? resolve("node_modules/.cache/ambit/repositories")
    : join(process.env["XDG_CACHE_HOME"], "ambit-repositories");

/** The path of a tarball whose bytes are the pinned ones. */
export async function download(source: NpmPackage | DebianSource): Promise<string> {
  mkdirSync(cacheFolder, { recursive: true });
  const [algorithm, pinned] =
    "npm" in source ? ["sha512", source.integrity] : ["sha256", `sha256-${source.sha256}`];
  const name = "npm" in source ? `${source.npm.replaceAll("/", "-")}.tgz` : basename(source.debian);
  const file = join(cacheFolder, name);
  if (!existsSync(file))
    await ("npm" in source ? packFromNpm(source.npm, file) : fetchFromDebian(source.debian, file));
  const encoding = algorithm === "sha512" ? "base64" : "hex";
  const found = `${algorithm}-${createHash(algorithm).update(readFileSync(file)).digest(encoding)}`;
  if (found === pinned) return file;
  rmSync(file);
  throw new Error(`${name} is not the pinned file: ${found} instead of ${pinned}`);
}

async function packFromNpm(name: string, file: string): Promise<void> {
  const folder = mkdtempSync(join(cacheFolder, "pack-"));
  try {
    await run("npm", ["pack", "--silent", "--pack-destination", folder, name], { timeout: 120_000 });
    const [packed = ""] = readdirSync(folder);
    renameSync(join(folder, packed), file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fetchFromDebian(path: string, file: string): Promise<void> {
  const answer = await fetch(`${DEBIAN}/${path}`, { signal: AbortSignal.timeout(120_000) });
  if (!answer.ok) throw new Error(`${DEBIAN}/${path}: ${answer.status}`);
  writeFileSync(`${file}.part`, Buffer.from(await answer.arrayBuffer()));
  renameSync(`${file}.part`, file);
}
