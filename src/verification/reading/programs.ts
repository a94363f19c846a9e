const makeWordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** These names mean only the program, so any arguments are accepted. */
export const tools = makeWordSet(`
  npx pnpx bunx uvx tsc tsx eslint prettier oxlint oxfmt stylelint vitest jest mocha playwright cypress knip publint
  depcruise webpack esbuild rollup turbo lerna pytest tox nox ruff mypy pyright flake8 pylint rustc rustfmt gofmt
  golangci-lint mvn mvnw gradlew javac ctest bazel meson rspec rubocop phpunit phpstan rebar3 cabal xcodebuild clang
  clang-tidy clang-format gcc g++ shellcheck shfmt bats hadolint actionlint ansible-lint tflint protoc kubectl jq yq rg
  grep awk sed cmp markdownlint markdownlint-cli2 pre-commit mkdocs sphinx-build latexmk pdflatex xmllint yamllint
  codespell psql sqlite3 ambit
`);

/** Programs that need no arguments. */
export const alone = makeWordSet(`
  make tsc vitest jest mocha eslint pytest tox nox ctest rspec rubocop phpunit knip publint pre-commit rake latexmk
`);

/** Programs that prose also mentions ("the Docker image"): any arguments, but only between backticks. */
export const hosts = makeWordSet(`
  npm pnpm yarn bun deno cargo docker docker-compose podman git gh curl wget python python3 pip pip3 uv poetry pdm hatch
  gradle dotnet cmake composer php bundle ruby perl bash sh zsh terraform tofu helm biome opam ghc rake nx
`);

/** Everyday words that are also programs: only between backticks, and only if the text says that they pass or exit. */
export const everyday = makeWordSet(`
  make go node just task test find cat head tail sort echo ls cd env time timeout true false diff swift mix stack lake
  lean dune ninja zig elixir lua tap vale buf hugo stat sleep printf read touch [
`);

/** Subcommands that make an everyday word, or a program in plain prose, a command beyond doubt. */
export const subcommands: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...mapSubcommands("npm pnpm yarn bun", "test t run ci lint build typecheck check format audit pack exec x"),
  ...mapSubcommands("cargo", "test build check clippy fmt doc bench run nextest deny audit"),
  ...mapSubcommands("go", "test build vet run generate mod fmt install tool"),
  ...mapSubcommands("deno", "test check lint fmt task run"),
  ...mapSubcommands("dotnet", "test build format run"),
  ...mapSubcommands("gradle ./gradlew", "test build check assemble lint"),
  ...mapSubcommands("swift", "build test run"),
  ...mapSubcommands("mix", "test compile format credo dialyzer"),
  ...mapSubcommands("lake dune stack zig", "build test runtest exe fmt"),
  ...mapSubcommands("uv poetry pdm hatch bundle", "run exec"),
  ...mapSubcommands("docker-compose", "build config up run"),
  ...mapSubcommands("composer", "validate test run"),
  ...mapSubcommands("git", "diff status fsck"),
  ...mapSubcommands("terraform tofu", "validate plan fmt"),
]);

/** Their first argument is a target of the project's own. */
export const targetRunners = makeWordSet("make just rake");

/** Words of programming languages and protocols that begin code, not commands. */
export const keywords = makeWordSet(`
  const let var function return import export class interface type enum new async await def fn func pub struct impl
  select insert update delete create alter null undefined none nil void throw yield public private static extends package
`);

function mapSubcommands(programs: string, list: string): readonly (readonly [string, ReadonlySet<string>])[] {
  return programs.split(" ").map((program) => [program, makeWordSet(list)] as const);
}
