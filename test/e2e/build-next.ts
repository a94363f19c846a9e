import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface NextBuild {
  readonly cli: string;
  readonly version: string;
  readonly remove: () => void;
}

const VERSION = "99.0.0";
const PROTOCOL = /MACHINE_PROTOCOL = (\d+);/;

/** A build of the same source with a later version and the next protocol between machines. */
export function buildNext(): NextBuild {
  // Beside the usual builds: a build is moved to its place, which must be on the same disk.
  const folder = resolve(`node_modules/.cache/ambit/next-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  for (const name of ["src", "scripts", "package.json"])
    cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  change(join(folder, "package.json"), /"version": "[^"]*"/, () => `"version": "${VERSION}"`);
  change(
    join(folder, "src/contract/machine-owner.ts"),
    PROTOCOL,
    (number) => `MACHINE_PROTOCOL = ${Number(number) + 1};`,
  );
  execFileSync(process.execPath, ["scripts/build.mjs", "--no-types"], { cwd: folder, stdio: "inherit" });
  return {
    cli: join(folder, "dist/cli/main.cjs"),
    version: VERSION,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function change(file: string, found: RegExp, write: (group: string) => string): void {
  const text = readFileSync(file, "utf8");
  const match = found.exec(text);
  if (match === null) throw new Error(`${file} does not hold ${found.source}`);
  writeFileSync(file, text.replace(found, write(match[1] ?? "")));
}
