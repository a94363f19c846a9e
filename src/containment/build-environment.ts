export interface EnvironmentRequest {
  /** The variables to choose from, usually our own. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** Names to pass in addition to the usual ones; `LC_*` matches all that begin so. */
  readonly allow?: readonly string[];
  /** Our own values: always set, whatever their names. */
  readonly set?: Readonly<Record<string, string>>;
}

const ALWAYS: readonly string[] = ["PATH", "HOME", "LANG", "LC_*", "TERM", "TZ", "TMPDIR", "USER", "SHELL"];

/**
 * Never passed on, even if a caller's pattern matches them: they change which code runs, make an agent believe it
 * runs inside another one, or are ours to set.
 */
const NEVER: readonly string[] = [
  "CLAUDECODE",
  "CLAUDE_CODE_*",
  "GIT_*",
  "NODE_OPTIONS",
  "LD_*",
  "DYLD_*",
  "PERL5*",
  "PERLLIB",
  "BASH_ENV",
  "ENV",
  "npm_*",
  "AMBIT_*",
];

/** Builds a worker's environment from named variables only, so that our keys and settings do not leak into it. */
export function buildEnvironment(request: EnvironmentRequest): Readonly<Record<string, string>> {
  const allowed = [...ALWAYS, ...(request.allow ?? [])];
  const passed = Object.entries(request.base).filter(
    ([name, value]) =>
      value !== undefined && matchesAnyPattern(name, allowed) && !isRefusedName(name, allowed),
  );
  const entries = [...passed, ...Object.entries(request.set ?? {})];
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Naming one of these names in full is a decision; a pattern that happens to match it is not. */
function isRefusedName(name: string, allowed: readonly string[]): boolean {
  return matchesAnyPattern(name, NEVER) && !allowed.includes(name);
}

function matchesAnyPattern(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}
