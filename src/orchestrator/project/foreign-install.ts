import { readdirSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join, normalize } from "node:path";
import { isInside, readRegularFile } from "../../base/files.ts";

type Environment = Readonly<Record<string, string>>;

const MAX_ENTRIES = 2000;
const MAX_FILE_BYTES = 64 * 1024;

/** Settings in the home folder that can lead a build tool into the project. */
const HOME_FILES = [
  ".cargo/config.toml",
  ".cargo/config",
  ".config/go/env",
  ".config/pip/pip.conf",
  ".npmrc",
] as const;

/**
 * Finds a word of a check that leads into the project: its path, a link to it, or a program on the PATH that names it.
 */
export function findForeignWord(
  command: string,
  environment: Environment,
  projectRoot: string,
): string | undefined {
  const folders = (environment["PATH"] ?? "").split(delimiter).filter(Boolean);
  const home = environment["HOME"] ?? "~";
  return command
    .split(/[\s;|&()<>"'`=:]+/)
    .filter(Boolean)
    .find((word) => {
      const path = word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home);
      if (path.startsWith("/")) return leadsInto(normalize(path), projectRoot);
      return (
        !word.includes("/") && folders.some((folder) => isForeignProgram(join(folder, word), projectRoot))
      );
    });
}

/** A script that names the project, or a link into it as `npm link` leaves it. */
function isForeignProgram(path: string, projectRoot: string): boolean {
  return mentions(path, projectRoot) || isInside(findReal(path), projectRoot);
}

/** A path inside the project, a link to one, or the programs of an environment that leads there. */
function leadsInto(path: string, projectRoot: string): boolean {
  if (isInside(path, projectRoot) || isInside(findReal(path), projectRoot)) return true;
  const folder = basename(path) === "bin" ? path : dirname(path);
  if (basename(folder) === "node_modules" || basename(path) === "node_modules")
    return findLinked(basename(path) === "node_modules" ? path : folder, projectRoot) !== undefined;
  return basename(folder) === "bin" && findInPrefix(dirname(folder), projectRoot) !== undefined;
}

function findReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return "";
  }
}

/**
 * A file or link outside the project that leads programs of this environment into it: an editable install, a linked
 * package, a setting that replaces a dependency. Such programs run the user's own files, not those being checked.
 */
export function findForeignInstall(environment: Environment, projectRoot: string): string | undefined {
  const prefixes = new Set((environment["PATH"] ?? "").split(delimiter).filter(Boolean).map(dirname));
  const home = environment["HOME"];
  const places = [...prefixes, ...(home === undefined ? [] : [join(home, ".local")])];
  for (const prefix of places) {
    const found = findInPrefix(prefix, projectRoot);
    if (found !== undefined) return found;
  }
  if (home === undefined) return undefined;
  return HOME_FILES.map((name) => join(home, name)).find((file) => mentions(file, projectRoot));
}

function findInPrefix(prefix: string, projectRoot: string): string | undefined {
  const lib = join(prefix, "lib");
  const pythons = listNames(lib).filter((name) => name.startsWith("python"));
  const packages = pythons.flatMap((name) =>
    ["site-packages", "dist-packages"].map((folder) => join(lib, name, folder)),
  );
  return (
    packages.map((folder) => findEditable(folder, projectRoot)).find((found) => found !== undefined) ??
    findLinked(join(lib, "node_modules"), projectRoot)
  );
}

/** `pip install -e` and `setup.py develop` leave a `.pth` file, a finder, or the address of the project. */
function findEditable(folder: string, projectRoot: string): string | undefined {
  const names = listNames(folder);
  const files = names.flatMap((name) => {
    if (/\.(?:pth|egg-link)$|^__editable__.*\.py$/.test(name)) return [name];
    return name.endsWith(".dist-info") ? [join(name, "direct_url.json")] : [];
  });
  return files.map((name) => join(folder, name)).find((file) => mentions(file, projectRoot));
}

/** `npm link` leaves a link to the project. */
function findLinked(folder: string, projectRoot: string): string | undefined {
  return listNames(folder)
    .flatMap((name) =>
      name.startsWith("@") ? listNames(join(folder, name)).map((one) => join(name, one)) : [name],
    )
    .map((name) => join(folder, name))
    .find((path) => isInside(findReal(path), projectRoot));
}

function mentions(file: string, projectRoot: string): boolean {
  const parts = readRegularFile(file, MAX_FILE_BYTES)?.toString("utf8").split(projectRoot) ?? [];
  // `/home/me/app.worktrees` is not inside `/home/me/app`.
  return parts.slice(1).some((rest) => !/^[\w.-]/.test(rest));
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, MAX_ENTRIES);
  } catch {
    return [];
  }
}
