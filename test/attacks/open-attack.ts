import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { probeSandbox } from "../../src/containment/probe-sandbox.ts";
import type { OpenRunTools } from "../../src/orchestrator/create-run-tools.ts";
import { makeProject } from "../e2e/project.ts";
import { openOn, useRuntime, type TestRuntime } from "../orchestrator/open-runtime.ts";

/** Takes one defence out of a runtime, so that a control shows that the attack works without it. */
export type WithoutDefence = (tools: OpenRunTools) => OpenRunTools;

export interface Attack {
  readonly runtime: TestRuntime;
  /** A file that nothing in a sandbox can write. */
  readonly outside: string;
  /** Whether the attack got out. */
  readonly gotOut: () => boolean;
  /** Programs and scripts of the test, which a sandbox otherwise hides. */
  readonly readable: readonly string[];
}

export interface AttackOptions {
  readonly settings: string;
  /** Files of the first commit besides the settings. */
  readonly files?: Readonly<Record<string, string>>;
  readonly without?: WithoutDefence | undefined;
}

/** A repository with a runtime in this process, and a place outside that workers must not reach. */
export async function openAttack({ settings, files = {}, without }: AttackOptions): Promise<Attack> {
  const project = makeProject();
  for (const [path, text] of Object.entries({ ...files, "ambit.yaml": settings })) project.write(path, text);
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "files");
  const opened = await openOn(project, without === undefined ? {} : { adaptTools: without });
  const runtime = useRuntime(project, opened);
  onTestFinished(() => runtime.close());
  const folder = dirname(project.root);
  const outside = join(folder, "outside");
  return {
    runtime,
    outside,
    gotOut: () => existsSync(outside),
    readable: [join(folder, "scripts"), resolve("dist")],
  };
}

/** Checks run in a checkout without a sandbox. */
export const checksOutside: WithoutDefence = (tools) => ({
  ...tools,
  git: { ...tools.git, checkOut: ({ id, commit }) => tools.git.checkOut({ id, commit }) },
});

/** Every worker gets a worktree, and setup runs as the user. */
export const placesOutside: WithoutDefence = (tools) => ({
  ...tools,
  git: {
    ...tools.git,
    makePlace: ({ isolation, sandboxSetUp: _sandboxed, ...request }) =>
      tools.git.makePlace({
        ...request,
        isolation: request.id.includes("-DEL-") ? "worktree" : isolation,
      }),
  },
});

/** These tests prove something only where there is a sandbox. */
export async function requireSandbox(): Promise<void> {
  const { tier, reason } = await probeSandbox();
  if (tier === "none") throw new Error(`these tests need a sandbox, and this machine has none: ${reason}`);
}
