import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { removeFolder } from "../e2e/remove-folder.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) removeFolder(folder);
});

export function temporaryFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-cli-")));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** A real repository, without commits. */
export function temporaryRepository(files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder(files);
  execFileSync("git", ["init", "--quiet", folder], { stdio: "ignore" });
  return folder;
}

/** Every path below a folder with its content, so that two listings are equal only if nothing changed. */
export function listFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return entries.toSorted().map((entry) => {
    const path = join(folder, entry);
    return statSync(path).isFile() ? `${entry}: ${readFileSync(path, "base64")}` : entry;
  });
}
