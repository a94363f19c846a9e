import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentSettingsPaths as agentSettings } from "../../src/agents/agent-programs.ts";
import { checkScope, judgeChanges, type ScopeReport } from "../../src/workspace/scope.ts";
import { sensitiveFiles } from "../../src/workspace/scope/sensitive-files.ts";
import { makeRepository, type TemporaryRepository } from "../workspace/temporary-repository.ts";

/** Names that decide what runs later, as a worker would write them. */
const names = `
  .gitattributes sub/.gitattributes .gitmodules .lfsconfig .worktreeinclude
  .husky/pre-commit .huskyrc.json .githooks/pre-push lefthook.yml .lefthook-local.toml .pre-commit-config.yaml
  lint-staged.config.mjs .lintstagedrc.json .simple-git-hooks.cjs .overcommit.yml captainhook.json
  .github/workflows/ci.yml action.yml .forgejo/workflows/x.yml .gitea/workflows/x.yml .gitlab-ci.yml .circleci/config.yml
  .buildkite/pipeline.yml Jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .travis.yml .woodpecker.yml
  .woodpecker/test.yaml .drone.yml .drone.star cloudbuild.yaml buildspec.yml appveyor.yml .appveyor.yml
  .semaphore/semaphore.yml .cirrus.yml .teamcity/settings.kts .build.yml .builds/x.yml bitrise.yml codemagic.yaml
  .tekton/run.yaml dagger.json renovate.json .renovaterc netlify.toml vercel.json Procfile
  .vscode/tasks.json x.code-workspace .idea/workspace.xml .run/all.run.xml .devcontainer/devcontainer.json
  .devcontainer.json .zed/tasks.json .nvim.lua .exrc .dir-locals.el .helix/config.toml x.sublime-project .gitpod.yml
  .replit
  .claude/settings.json CLAUDE.md CLAUDE.local.md .codex/config.toml .gemini/settings.json GEMINI.md
  .opencode/agent/x.md opencode.json AGENTS.md AGENTS.override.md sub/AGENTS.md .agents/skills/x.md .mcp.json
  .cursor/rules/x.mdc .cursorrules .qwen/settings.json QWEN.md .copilot/config.json copilot-instructions.md
  x.instructions.md .goosehints .goose/config.yaml .kimi/config.toml KIMI.md .grok/settings.json GROK.md
  .pi/settings.json SYSTEM.md .windsurfrules .windsurf/rules/x.md .clinerules .clinerules/x.md .roo/rules/x.md
  .roomodes .kilocode/rules/x.md .kiro/steering/x.md .amazonq/rules/x.md .aider.conf.yml .amp/settings.json
  .augment/rules/x.md .continue/config.yaml crush.json CRUSH.md .factory/droids/x.md .openhands/setup.sh
  .junie/guidelines.md .trae/rules/x.md WARP.md .rules gemini-extension.json .claude-plugin/plugin.json
  .ambit/agents/x.md ambit.yaml
  .env .env.local .envrc .npmrc sub/.npmrc .yarnrc .yarnrc.yml .yarn/releases/yarn.cjs .yarn/plugins/x.cjs .pnp.cjs
  .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml .tool-versions mise.toml .mise.toml .mise/tasks/x .config/mise/config.toml
  .cargo/config.toml rust-toolchain.toml pip.conf uv.toml .pypirc sitecustomize.py x.pth .bundle/config .mvn/jvm.config
  gradle/wrapper/gradle-wrapper.properties gradle.properties nuget.config flake.nix shell.nix devbox.json .bashrc
  .curlrc .gdbinit .htaccess
  package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock deno.lock Cargo.lock Gemfile.lock
  poetry.lock uv.lock go.sum packages.lock.json Package.resolved gradle.lockfile
  Makefile makefile justfile Taskfile.yml Dockerfile Dockerfile.dev Containerfile compose.yaml compose.override.yml
  docker-bake.hcl setup.py conftest.py noxfile.py build.rs binding.gyp Vagrantfile Tiltfile build.gradle.kts
  settings.gradle gradlew mvnw WORKSPACE.bazel MODULE.bazel .bazelrc Directory.Build.props
`
  .trim()
  .split(/\s+/);

const harmless = `
  src/index.ts README.md docs/our-agents.md src/agents/claude.ts src/claude.md.ts lib/env.ts src/github/client.ts
  src/make/file.ts test/fixtures/package-lock.txt docs/makefile.md src/docker/file.ts src/cursor/cursor.tsx
  src/husky.ts src/hooks/use-thing.ts src/pipelines/azure.ts environment.ts .editorconfig .prettierrc .gitignore
  src/lock.ts src/cargo.rs src/mcp.ts src/vscode/extension.ts docs/ci.md app/goose.py src/pi/digits.ts src/workspace/pool.ts src/module/a.ts
  src/settings.py src/conftest_helpers.py docs/rules.md src/kiro.go src/procfile.rb tests/test_setup.py
`
  .trim()
  .split(/\s+/);

function judge(path: string): ScopeReport {
  const bytes = Buffer.from(path);
  const added = {
    path,
    bytes,
    kind: "added",
    oldMode: "000000",
    newMode: "100644",
    oldId: "",
    newId: "",
  } as const;
  return judgeChanges({ changes: [added], twins: [], scripts: [], fileScope: [], agentSettings });
}

describe("the merge gate", () => {
  it("is tested with at least 120 names", () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(120);
  });

  it.each(names)("asks about %s", (path) => {
    expect(judge(path).sensitive.map((found) => found.path)).toStrictEqual([path]);
    expect(judge(path.toUpperCase()).isClear).toBe(false);
  });

  it.each(harmless)("lets %s through", (path) => {
    expect(judge(path)).toMatchObject({ isClear: true, sensitive: [] });
  });

  it("lets a text file through that only has such a name inside its own name (control)", () => {
    const others = names.map((path) => `docs/notes-about-${path.replaceAll("/", "-")}-and-more.txt`);
    expect(others.filter((path) => !judge(path).isClear)).toStrictEqual([]);
  });

  it("has a source for every row of its list, and no row twice", () => {
    const rows = Object.values(sensitiveFiles).flat();
    expect(rows.filter(([, source]) => !/^[\w.-]+[./]/.test(source))).toStrictEqual([]);
    expect(new Set(rows.map(([glob]) => glob)).size).toBe(rows.length);
  });
});

describe("package.json", () => {
  let project: TemporaryRepository;
  const plain = { name: "x", version: "1.0.0", scripts: { test: "true" }, dependencies: { left: "^1.0.0" } };

  beforeEach(async () => {
    project = await makeRepository({ "package.json": JSON.stringify(plain) });
  });
  afterEach(() => project.remove());

  async function judgePackage(fields: object): Promise<readonly string[]> {
    const base = project.git("rev-parse", "HEAD").trim();
    project.write("package.json", JSON.stringify({ ...plain, ...fields }));
    project.git("add", "-A");
    project.git("commit", "-qm", "Change");
    const tip = project.git("rev-parse", "HEAD").trim();
    const report = await checkScope(project.repository, { base, tip, fileScope: [], agentSettings });
    return report.sensitive.map(({ reason }) => reason);
  }

  it.each([
    ["scripts", { scripts: { test: "true", postinstall: "evil" } }],
    ["husky", { husky: { hooks: { "pre-commit": "evil" } } }],
    ["lint-staged", { "lint-staged": { "*": "evil" } }],
    ["simple-git-hooks", { "simple-git-hooks": { "pre-commit": "evil" } }],
    ["gypfile", { gypfile: true }],
    ["bin", { bin: { git: "./evil.js" } }],
    ["packageManager", { packageManager: "yarn@https://evil.example/yarn.tgz" }],
    ["pnpm", { pnpm: { onlyBuiltDependencies: ["evil"] } }],
    ["trustedDependencies", { trustedDependencies: ["evil"] }],
    ["overrides", { overrides: { left: "npm:evil@1" } }],
    ["resolutions", { resolutions: { left: "npm:evil@1" } }],
    ["a git dependency", { dependencies: { left: "git+https://evil.example/x.git" } }],
    ["a shorthand dependency", { dependencies: { left: "evil/x" } }],
    ["a file dependency", { devDependencies: { left: "file:./evil" } }],
    ["an address", { optionalDependencies: { left: "https://evil.example/x.tgz" } }],
  ])("asks about %s", async (_name, fields) => {
    expect(await judgePackage(fields)).toStrictEqual(["package-scripts"]);
  });

  it.each([
    ["its version", { version: "1.0.1" }],
    ["its description", { description: "evil" }],
    ["a version of a dependency", { dependencies: { left: "^1.2.0" } }],
    ["a new dependency of the registry", { dependencies: { left: "^1.0.0", right: "npm:other@^2.0.0" } }],
    ["a workspace", { dependencies: { left: "workspace:*" } }],
    ["keywords", { keywords: ["husky"] }],
  ])("does not ask about %s (control)", async (_name, fields) => {
    expect(await judgePackage(fields)).toStrictEqual([]);
  });
});
