/** What keeps a cluster right; each can be taken out, and then the run must fail. */
import type { OpenRunTools } from "../../../src/orchestrator/create-run-tools.ts";
import { OfferedAttempts } from "../../../src/orchestrator/machines/offered-attempts.ts";

export const defences = ["attempt-fence", "reconciler", "self-fence", "limit", "push"] as const;

export type Defence = (typeof defences)[number];

/** How a run without it fails. A run that only ends late proves nothing. */
export const telling: Readonly<Record<Defence, RegExp>> = {
  "attempt-fence": /overlap|ended partial|closed [2-9]/,
  reconciler: /closed 0 times/,
  "self-fence": /overlap/,
  limit: /ran at once/,
  push: /is not here/,
};

const NO_LIMIT = 4096;

/** The tools of a worker machine without one defence. */
export function weakenWorker(without: Defence | undefined, tools: OpenRunTools): OpenRunTools {
  if (without === "attempt-fence") return { ...tools, store: acceptLateWords(tools.store) };
  if (without === "limit") return { ...tools, slotCap: NO_LIMIT };
  if (without === "push" && tools.cluster !== undefined) tools.cluster.hub.push = async () => undefined;
  return tools;
}

/** The same for the coordinator. */
export function weakenCoordinator(without: Defence | undefined, tools: OpenRunTools): OpenRunTools {
  if (without === "limit") return { ...tools, slotCap: NO_LIMIT };
  const { cluster, store } = tools;
  if (without !== "reconciler" || cluster === undefined) return tools;
  const log = (): void => undefined;
  const checkBase = async (): Promise<void> => undefined;
  return {
    ...tools,
    elsewhere: new OfferedAttempts({ ...cluster, store, checkBase, log, offersOnce: true }),
  };
}

/** A word of an attempt that was given to another machine counts as one of the newest attempt. */
function acceptLateWords(store: OpenRunTools["store"]): OpenRunTools["store"] {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "heartbeat") return async () => "ok";
      if (name === "record")
        return (event: Parameters<typeof store.record>[0]) => recordAnyway(target, event);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function recordAnyway(
  store: OpenRunTools["store"],
  event: Parameters<OpenRunTools["store"]["record"]>[0],
): Promise<"ok" | "stale"> {
  const result = await store.record(event);
  if (result !== "stale" || event.delegation === null) return result;
  const now = await store.delegation(event.delegation);
  return now === undefined ? result : store.record({ ...event, attempt: now.attempt });
}
