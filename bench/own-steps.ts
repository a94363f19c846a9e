import { join } from "node:path";
import { openStore } from "../src/journal/open-store.ts";
import type { Store } from "../src/journal/store.ts";
import { benchLease, openBenchStory } from "./fill-store.ts";

/** What bench/peers compares: a step that is persisted when it starts and when it finishes. */
export interface Steps {
  readonly name: string;
  readonly durable: string;
  /** Gets `count` steps ready; not timed. */
  readonly prepare: (count: number) => Promise<void>;
  /** Runs one prepared step to its end. */
  readonly step: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** Below the 64 workers one story may run at once. */
const STEPS_PER_STORY = 50;

/** Our store: begin and settle, two commits, each flushed to disk before it is acknowledged. */
export function ownSteps(folder: string): Steps {
  const store = openStore(join(folder, "own.db"));
  const ready: string[] = [];
  const step = async (): Promise<void> => {
    const id = ready.pop();
    if (id === undefined) throw new Error("nothing is prepared");
    await finish(store, id);
  };
  const prepare = async (count: number): Promise<void> => {
    for (let made = 0; made < count; made += STEPS_PER_STORY) {
      const story = await newStory(store);
      const requests = Array.from({ length: Math.min(STEPS_PER_STORY, count - made) }, () => ({
        description: "no-op",
      }));
      const admissions = await store.admit({ parent: story, parentAttempt: 1, requests });
      ready.push(...admissions.flatMap((admission) => (admission.admitted ? [admission.delegation.id] : [])));
    }
  };
  return { name: "ambit: start + finish", durable: "fsync", prepare, step, close: () => store.close() };
}

/** The same with the admission inside: three commits, every limit checked. */
export function ownDelegations(folder: string): Steps {
  const store = openStore(join(folder, "own-whole.db"));
  const slots: string[] = [];
  const prepare = async (count: number): Promise<void> => {
    for (let made = 0; made < count; made += STEPS_PER_STORY) {
      const story = await newStory(store);
      slots.push(...Array.from({ length: STEPS_PER_STORY }, () => story));
    }
  };
  const step = async (): Promise<void> => {
    const parent = slots.pop() ?? "";
    const [admission] = await store.admit({ parent, parentAttempt: 1, requests: [{ description: "no-op" }] });
    if (admission?.admitted !== true) throw new Error("refused");
    await finish(store, admission.delegation.id);
  };
  return {
    name: "ambit: admit + start + finish",
    durable: "fsync",
    prepare,
    step,
    close: () => store.close(),
  };
}

let stories = 0;

async function newStory(store: Store): Promise<string> {
  const id = `PEER-${(stories += 1)}`;
  await openBenchStory(store, id);
  return id;
}

async function finish(store: Store, id: string): Promise<void> {
  const begun = await store.begin(id, 1, benchLease);
  const settled = await store.settle(id, 1, { outcome: "partial", summary: "done" });
  if (begun !== "ok" || settled !== "ok") throw new Error(`${id}: ${begun}, ${settled}`);
}
