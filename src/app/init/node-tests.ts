import { join } from "node:path";
import { readTextOrEmpty } from "../../base/files.ts";
import { type TestCommand } from "./project-files.ts";

/** The text that `npm init` writes if there is no test. */
const NO_TEST = "no test specified";

/** The test script of a package, or the test scripts of all packages of a monorepo. */
export function findNodeTests(root: string, names: ReadonlySet<string>): TestCommand | undefined {
  if (!names.has("package.json")) return undefined;
  const content = readPackage(join(root, "package.json"));
  const script = fieldOf(fieldOf(content, "scripts"), "test");
  if (typeof script === "string" && script.trim() !== "" && !script.includes(NO_TEST))
    return { command: `${runnerOf(names)} test`, because: "scripts.test in package.json" };
  if (names.has("pnpm-workspace.yaml"))
    return { command: "pnpm --recursive --if-present test", because: "pnpm-workspace.yaml" };
  if (fieldOf(content, "workspaces") === undefined) return undefined;
  return { command: runAllOf(root, names), because: "workspaces in package.json" };
}

function runnerOf(names: ReadonlySet<string>): string {
  if (names.has("pnpm-lock.yaml")) return "pnpm";
  if (names.has("yarn.lock")) return "yarn";
  return names.has("bun.lock") || names.has("bun.lockb") ? "bun run" : "npm";
}

function runAllOf(root: string, names: ReadonlySet<string>): string {
  if (names.has("bun.lock") || names.has("bun.lockb")) return "bun run --filter '*' test";
  if (!names.has("yarn.lock")) return "npm test --workspaces --if-present";
  const isModern = readTextOrEmpty(join(root, "yarn.lock")).includes("__metadata:");
  return isModern ? "yarn workspaces foreach --all run test" : "yarn workspaces run test";
}

function readPackage(file: string): unknown {
  try {
    return JSON.parse(readTextOrEmpty(file));
  } catch {
    // A package.json that cannot be read says nothing about tests.
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
