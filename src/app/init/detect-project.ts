import { join } from "node:path";
import { listFolder, readTextOrEmpty } from "../../base/files.ts";
import { findNodeTests } from "./node-tests.ts";
import { type TestCommand } from "./project-files.ts";
import { findPythonTests } from "./python-tests.ts";

export type { TestCommand } from "./project-files.ts";

/** Facts about a project that its files show; nothing is run. */
export interface ProjectFacts {
  readonly languages: readonly string[];
  readonly test: TestCommand | undefined;
}

export function detectProject(root: string): ProjectFacts {
  const names = new Set(listFolder(root));
  const languages = markers
    .filter(({ isMarker }) => [...names].some(isMarker))
    .map(({ language }) => language);
  const test = testFinders.map((find) => find(root, names)).find((found) => found !== undefined);
  return { languages: [...new Set(languages)], test };
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
  { language: "Go", isMarker: named("go.mod", "go.work") },
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
  findNodeTests,
  fromMakefile,
  fromCargo,
  // `./...` means one module; a work space has several.
  ifNamed("go.work", "go list -f '{{.Dir}}/...' -m | xargs go test"),
  ifNamed("go.mod", "go test ./..."),
  findPythonTests,
  ifNamed("mix.exs", "mix test"),
  ifNamed("gradlew", "./gradlew test"),
  ifNamed("build.gradle", "gradle test"),
  ifNamed("build.gradle.kts", "gradle test"),
  ifNamed("mvnw", "./mvnw test"),
  ifNamed("pom.xml", "mvn test"),
  ifNamed(".rspec", "bundle exec rspec"),
  ifNamed("Package.swift", "swift test"),
];

function ifNamed(file: string, command: string): FindTest {
  return (_root, names) => (names.has(file) ? { command, because: file } : undefined);
}

const makeTargets: readonly string[] = ["test", "tests", "check"];

function fromMakefile(root: string, names: ReadonlySet<string>): TestCommand | undefined {
  const file = ["GNUmakefile", "Makefile", "makefile"].find((name) => names.has(name));
  if (file === undefined) return undefined;
  const lines = readTextOrEmpty(join(root, file)).split("\n");
  const targets = new Set(lines.map((line) => /^([\w-]{1,99})\s{0,9}:(?!=)/.exec(line)?.[1]));
  const target = makeTargets.find((name) => targets.has(name));
  return target === undefined
    ? undefined
    : { command: `make ${target}`, because: `target ${target} in ${file}` };
}

function fromCargo(root: string, names: ReadonlySet<string>): TestCommand | undefined {
  if (!names.has("Cargo.toml")) return undefined;
  const isWorkspace = readTextOrEmpty(join(root, "Cargo.toml")).includes("[workspace]");
  return isWorkspace
    ? { command: "cargo test --workspace", because: "workspace in Cargo.toml" }
    : { command: "cargo test", because: "Cargo.toml" };
}
