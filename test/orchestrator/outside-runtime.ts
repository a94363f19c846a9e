import { randomBytes } from "node:crypto";
import { test } from "vitest";
import { workerCalls, type WorkerCallName } from "../../src/orchestrator/worker-calls.ts";
import { nameExternalManager } from "../../src/orchestrator/external-manager/rules.ts";
import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import { makeProject } from "../e2e/project.ts";
import { runtimeOptions, useRuntime, type TestRuntime } from "./open-runtime.ts";

/** Each test has runtimes of its own, so that tests can run beside each other. */
export const it = test.extend<{
  readonly open: (settings?: string, outsideGraceMs?: number) => Promise<TestRuntime>;
}>({
  open: async ({ onTestFinished }, use) => {
    await use(async (settings = "", outsideGraceMs = 60_000) => {
      const runtime = await openOutsideRuntime(settings, outsideGraceMs);
      onTestFinished(() => runtime.close());
      return runtime;
    });
  },
});

/** A runtime whose managers from outside are given up as soon as this has passed. */
async function openOutsideRuntime(settings: string, outsideGraceMs: number): Promise<TestRuntime> {
  const project = makeProject();
  if (settings !== "") {
    project.write("ambit.yaml", settings);
    project.git("commit", "--quiet", "-am", "settings");
  }
  const nothing = (): void => undefined;
  const options = { ...runtimeOptions(project), onQuiet: nothing, onShutdown: nothing, outsideGraceMs };
  return useRuntime(project, await openProjectRuntime(options));
}

/** Somebody's own agent, as the runtime sees it: a story and a token. */
export interface Outsider {
  readonly story: string;
  readonly token: string;
  readonly call: (name: WorkerCallName, parameters?: object) => Promise<unknown>;
  readonly leave: () => void;
}

export async function comeFromOutside(runtime: TestRuntime, story?: string): Promise<Outsider> {
  const { engine } = runtime;
  const id = story ?? `O-${randomBytes(4).toString("hex")}`;
  const agent = nameExternalManager("Test Client");
  const open = () => engine.openStory({ id, title: "What I do", adapter: "outside", agent });
  const token = await (story === undefined
    ? engine.externalManagers.open(id, open)
    : engine.externalManagers.join(id));
  return {
    story: id,
    token,
    call: (name, parameters = {}) => workerCalls[name](engine, { ...parameters, token }),
    leave: () => engine.externalManagers.leave(id, token),
  };
}
