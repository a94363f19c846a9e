import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";

/** Finds the file of a program name on the PATH of `environment`; undefined if none can be executed. */
export function resolveProgram(
  name: string,
  environment: Readonly<Record<string, string>>,
  cwd: string,
): string | undefined {
  if (name === "") return undefined;
  if (isAbsolute(name) || name.includes("/")) return ifExecutable(resolve(cwd, name));
  const folders = (environment["PATH"] ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => resolve(cwd, folder, name)).find((path) => ifExecutable(path) !== undefined);
}

function ifExecutable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
