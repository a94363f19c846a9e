import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readTextOrEmpty } from "../../base/files.ts";
import { type TestCommand } from "./project-files.ts";

const markers: readonly string[] = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"];
const testFolders: readonly string[] = ["tests", "test"];

/** The command for the tests of a Python project: pytest, tox or unittest, in its own environment if it has one. */
export function findPythonTests(root: string, names: ReadonlySet<string>): TestCommand | undefined {
  const because = findPytestSign(root, names);
  if (because !== undefined) return { command: runPytest(root, names), because };
  if (names.has("tox.ini")) return { command: "tox", because: "tox.ini" };
  if (!markers.some((name) => names.has(name))) return undefined;
  const folder = testFolders.find((name) => listTestFiles(join(root, name)).length > 0);
  if (folder === undefined) return undefined;
  if (isForPytest(join(root, folder)))
    return { command: runPytest(root, names), because: `test functions in ${folder}/` };
  return { command: runUnittest(root, folder), because: `unittest in ${folder}/` };
}

/** Where the project says that it uses pytest. */
function findPytestSign(root: string, names: ReadonlySet<string>): string | undefined {
  const file = ["pytest.ini", "conftest.py"].find((name) => names.has(name));
  if (file !== undefined) return file;
  if (readTextOrEmpty(join(root, "pyproject.toml")).includes("[tool.pytest"))
    return "tool.pytest in pyproject.toml";
  if (readTextOrEmpty(join(root, "setup.cfg")).includes("[tool:pytest]")) return "tool:pytest in setup.cfg";
  if (readTextOrEmpty(join(root, "tox.ini")).includes("[pytest]")) return "pytest in tox.ini";
  const folder = testFolders.find((name) => existsSync(join(root, name, "conftest.py")));
  if (folder !== undefined) return `${folder}/conftest.py`;
  if (names.has("tox.ini")) return undefined;
  const named = [...markers, ...[...names].filter((name) => /^requirements.*\.txt$/.test(name))];
  return named
    .map((name) => (readTextOrEmpty(join(root, name)).includes("pytest") ? `pytest in ${name}` : undefined))
    .find(Boolean);
}

/** Plain functions are tests for pytest only; unittest would find none of them and succeed. */
function isForPytest(folder: string): boolean {
  const texts = listTestFiles(folder)
    .slice(0, MAX_READ)
    .map((name) => readTextOrEmpty(join(folder, name)));
  return (
    texts.some((text) => /^(?:async )?def test/m.test(text)) &&
    !texts.some((text) => text.includes("unittest"))
  );
}

const MAX_READ = 50;

function runPytest(root: string, names: ReadonlySet<string>): string {
  const program = findInEnvironment(root, "pytest");
  if (program !== undefined) return program;
  if (names.has("uv.lock")) return "uv run pytest";
  return names.has("poetry.lock") ? "poetry run pytest" : "pytest";
}

function runUnittest(root: string, folder: string): string {
  const python = findInEnvironment(root, "python") ?? "python3";
  const isPackage = existsSync(join(root, folder, "__init__.py"));
  return `${python} -m unittest discover${isPackage ? "" : ` -s ${folder}`}`;
}

/** A program of the environment in the project; it is brought into workspaces. */
function findInEnvironment(root: string, program: string): string | undefined {
  return [".venv", "venv"]
    .map((folder) => `${folder}/bin/${program}`)
    .find((path) => existsSync(join(root, path)));
}

function listTestFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^test.*\.py$/.test(name));
  } catch {
    // Not there, or not readable: no tests to be found.
    return [];
  }
}
