import { compileGlobs } from "../../base/glob.ts";

/** Why a path needs the consent of a person or a rule before it is merged. */
export type SensitiveReason =
  | "git-rules"
  | "hooks"
  | "continuous-integration"
  | "editor-settings"
  | "agent-settings"
  | "environment"
  | "lockfile"
  | "build-rules"
  | "package-scripts";

/** Files that control other programs: changing them decides what later runs on the user's machine. */
const patterns: Readonly<Record<Exclude<SensitiveReason, "package-scripts">, readonly string[]>> = {
  "git-rules": ["**/.gitattributes", "**/.gitmodules", ".gitconfig", "**/.lfsconfig", ".worktreeinclude"],
  hooks: [
    "**/.husky",
    "**/.githooks",
    "**/.hooks",
    "**/lefthook.{yml,yaml,toml}",
    "**/.pre-commit-config.{yaml,yml}",
  ],
  "continuous-integration": [
    ".github",
    "**/.gitlab-ci.yml",
    ".circleci",
    ".buildkite",
    "**/Jenkinsfile",
    "azure-pipelines.{yml,yaml}",
    "bitbucket-pipelines.yml",
    ".travis.yml",
  ],
  "editor-settings": ["**/.vscode", "**/.idea", "**/.devcontainer", "**/.zed", "**/.nvim.lua", "**/.exrc"],
  "agent-settings": ["**/.cursor", "**/.agents", "**/.cursorrules", "**/.mcp.json", ".ambit", "ambit.yaml"],
  environment: [
    "**/.envrc",
    "**/.env",
    "**/.env.*",
    "**/.npmrc",
    "**/.yarnrc",
    "**/.yarnrc.yml",
    "**/.tool-versions",
  ],
  lockfile: [
    "**/package-lock.json",
    "**/npm-shrinkwrap.json",
    "**/yarn.lock",
    "**/pnpm-lock.yaml",
    "**/bun.{lock,lockb}",
    "**/deno.lock",
    "**/{Cargo,Gemfile,poetry,uv,Pipfile,composer,flake,mix,pubspec}.lock",
    "**/go.sum",
    "**/packages.lock.json",
  ],
  "build-rules": [
    "**/{Makefile,makefile,GNUmakefile,justfile,Justfile,Rakefile,Taskfile.yml}",
    "**/Dockerfile",
    "**/Dockerfile.*",
    "**/{docker-compose,compose}.{yml,yaml}",
    "**/setup.py",
    "**/conftest.py",
    "**/build.rs",
  ],
};

/**
 * Finds the reason for a path. Names are compared without regard to case: on many systems `MAKEFILE` is `Makefile`.
 * `agentSettings` are globs of the settings that agents read.
 */
export function compileSensitivePaths(
  agentSettings: readonly string[],
): (path: string) => SensitiveReason | undefined {
  const matchers = Object.keys(patterns)
    .filter(isListedReason)
    .map((reason) => {
      const globs = [...patterns[reason], ...(reason === "agent-settings" ? agentSettings : [])];
      return { reason, matches: compileGlobs(globs.map((glob) => glob.toLowerCase())) };
    });
  return (path) => {
    const folded = path.toLowerCase();
    return matchers.find(({ matches }) => matches(folded))?.reason;
  };
}

function isListedReason(text: string): text is keyof typeof patterns {
  return Object.hasOwn(patterns, text);
}
