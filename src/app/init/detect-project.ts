import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Facts about a project that its files show; nothing is run. */
export interface ProjectFacts {
  readonly languages: readonly string[];
  readonly test: TestCommand | undefined;
}

export interface TestCommand {
  readonly command: string;
  /** Where it was seen. */
  readonly because: string;
}

export function detectProject(root: string): ProjectFacts {
  const names = new Set(listNames(root));
  const languages = markers
    .filter(({ isMarker }) => [...names].some(isMarker))
    .map(({ language }) => language);
  const test = testFinders.map((find) => find(root, names)).find((found) => found !== undefined);
  return { languages: [...new Set(languages)], test };
}

function listNames(root: string): readonly string[] {
  try {
    return readdirSync(root);
  } catch {
    // A folder that cannot be listed tells nothing.
    return [];
  }
}

interface Marker {
  readonly language: string;
  readonly isMarker: (name: string) => boolean;
}

const named =
  (...wanted: readonly string[]) =>
  (name: string): boolean =>
    wanted.includes(name);

const markers: readonly Marker[] = [
  { language: "TypeScript", isMarker: named("tsconfig.json") },
  { language: "JavaScript", isMarker: named("package.json") },
  {
    language: "Python",
    isMarker: named("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"),
  },
  { language: "Rust", isMarker: named("Cargo.toml") },
  { language: "Go", isMarker: named("go.mod") },
  { language: "Java", isMarker: named("pom.xml", "build.gradle", "build.gradle.kts") },
  { language: "Ruby", isMarker: named("Gemfile") },
  { language: "PHP", isMarker: named("composer.json") },
  { language: "Elixir", isMarker: named("mix.exs") },
  { language: "Swift", isMarker: named("Package.swift") },
  { language: "C#", isMarker: (name) => name.endsWith(".sln") || name.endsWith(".csproj") },
  { language: "C or C++", isMarker: named("CMakeLists.txt", "meson.build") },
  { language: "Lean", isMarker: named("lakefile.lean", "lakefile.toml") },
];

type FindTest = (root: string, names: ReadonlySet<string>) => TestCommand | undefined;

/** Settings of the project itself take precedence over the habits of its language. */
const testFinders: readonly FindTest[] = [
  fromPackageJson,
  fromMakefile,
  ifNamed("Cargo.toml", "cargo test"),
  ifNamed("go.mod", "go test ./..."),
  fromPython,
  ifNamed("mix.exs", "mix test"),
  ifNamed("gradlew", "./gradlew test"),
  ifNamed("pom.xml", "mvn test"),
  ifNamed(".rspec", "bundle exec rspec"),
  ifNamed("Package.swift", "swift test"),
];

function ifNamed(file: string, command: string): FindTest {
  return (_root, names) => (names.has(file) ? { command, because: file } : undefined);
}

/** What `npm init` writes where there is no test. */
const NO_TEST = "no test specified";

function fromPackageJson(root: string, names: ReadonlySet<string>): TestCommand | undefined {
  if (!names.has("package.json")) return undefined;
  const script = readTestScript(join(root, "package.json"));
  if (script === undefined || script.trim() === "" || script.includes(NO_TEST)) return undefined;
  return { command: `${runnerOf(names)} test`, because: "scripts.test in package.json" };
}

function runnerOf(names: ReadonlySet<string>): string {
  if (names.has("pnpm-lock.yaml")) return "pnpm";
  if (names.has("yarn.lock")) return "yarn";
  return names.has("bun.lock") || names.has("bun.lockb") ? "bun run" : "npm";
}

function readTestScript(file: string): string | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    const scripts = fieldOf(content, "scripts");
    const test = fieldOf(scripts, "test");
    return typeof test === "string" ? test : undefined;
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

function fromMakefile(root: string, names: ReadonlySet<string>): TestCommand | undefined {
  const file = ["GNUmakefile", "Makefile", "makefile"].find((name) => names.has(name));
  if (file === undefined) return undefined;
  const hasTarget = readText(join(root, file))
    .split("\n")
    .some((line) => /^test\s{0,9}:(?!=)/.test(line));
  return hasTarget ? { command: "make test", because: `target test in ${file}` } : undefined;
}

function fromPython(root: string, names: ReadonlySet<string>): TestCommand | undefined {
  const file = ["pytest.ini", "conftest.py"].find((name) => names.has(name));
  if (file !== undefined) return { command: "pytest", because: file };
  if (readText(join(root, "pyproject.toml")).includes("[tool.pytest"))
    return { command: "pytest", because: "tool.pytest in pyproject.toml" };
  if (names.has("tox.ini")) return { command: "tox", because: "tox.ini" };
  return existsSync(join(root, "tests", "conftest.py"))
    ? { command: "pytest", because: "tests/conftest.py" }
    : undefined;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Not there, or not readable: as good as empty.
    return "";
  }
}
