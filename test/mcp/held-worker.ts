import { readFileSync } from "node:fs";
import type { Delegation } from "../../src/journal/store.ts";
import { until } from "../e2e/project.ts";
import type { TestRuntime } from "../orchestrator/open-runtime.ts";
import { shell, waitFor } from "../orchestrator/steps.ts";

/** A worker that runs and does nothing until it is let go, so that a test can speak in its place. */
export interface HeldWorker {
  readonly id: string;
  readonly token: string;
  readonly socket: string;
  /** What our server is started with for it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Lets it end its turn; resolves when its story has ended. */
  readonly release: () => Promise<Delegation>;
}

/** Steps that leave the token of their worker in a file and wait for another one. */
export function heldSteps(runtime: TestRuntime, name: string): readonly object[] {
  const [known, go] = [runtime.signal(`${name}-known`), runtime.signal(`${name}-go`)];
  return [shell(`printf '%s\\n' "$AMBIT_TOKEN" > ${known}.part; mv ${known}.part ${known}`), waitFor(go)];
}

/** Starts a story whose manager is held. */
export async function holdManager(
  runtime: TestRuntime,
  id: string,
  { after = [], more = {} }: { readonly after?: readonly object[]; readonly more?: object } = {},
): Promise<HeldWorker> {
  await runtime.start(id, [...heldSteps(runtime, id), ...after], more);
  return speakFor(runtime, id, { id, story: id });
}

/** The worker that follows `heldSteps` of this name, once it runs. */
export async function speakFor(
  runtime: TestRuntime,
  name: string,
  { id, story }: { readonly id: string; readonly story: string },
): Promise<HeldWorker> {
  const known = runtime.signal(`${name}-known`);
  await until(`${id} runs`, () => runtime.isOpen(known));
  const [token = ""] = readFileSync(known, "utf8").split("\n");
  // A worker may see it at another path.
  const { socket } = runtime.engine.tools;
  return {
    id,
    token,
    socket,
    environment: { AMBIT_TOKEN: token, AMBIT_SOCKET: socket },
    release: () => {
      runtime.open(runtime.signal(`${name}-go`));
      return runtime.engine.whenEnded(story);
    },
  };
}
