/**
 * Many events, several listeners that come and go, for a minute: npm run test:dashboard-stream -- --seconds 60
 *
 * Every listener must have every event once and in order; the server must keep up and its memory must not grow. At the
 * end, with nothing happening, it must cost next to nothing.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as z from "zod";
import { serveDashboard } from "../../src/dashboard/serve-dashboard.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { makeContext } from "../app/make-context.ts";
import { signInTo } from "../dashboard/ask-dashboard.ts";
import { listenTo } from "../dashboard/listen-stream.ts";
import { idlePercent, memoryOf } from "../dashboard/process-cost.ts";
import { openRun, writeSteadily } from "../dashboard/write-events.ts";
import { ownStoreFile } from "../own-store-file.ts";

const MAX_IDLE_PERCENT = 1;
const MAX_GROWTH_BYTES = 80 * 1024 * 1024;

const startedSchema = z.object({ port: z.number(), origin: z.string(), token: z.string() });

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      rate: { type: "string", default: "1000" },
      listeners: { type: "string", default: "4" },
      idle: { type: "string", default: "10" },
    },
  });
  const root = mkdtempSync(join(tmpdir(), "ambit-dashboard-stream-"));
  mkdirSync(join(root, "app"));
  const store = openStore(ownStoreFile(root));
  const server = fork(process.argv[1] ?? "", ["--serve", root], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    const [started] = await once(server, "message");
    const place = startedSchema.parse(started);
    const workers = await openRun(
      store,
      "S-1",
      Array.from({ length: 8 }, (_, index) => `worker ${index}`),
    );
    const { seq } = await store.head();
    const cookie = await signInTo(place);
    const end = new AbortController();
    const listeners = Array.from({ length: Number(values.listeners) }, (_, index) =>
      keepListening({ port: place.port, cookie, after: seq, stableMs: 700 + index * 900 }, end.signal),
    );
    const before = memoryOf(server);
    const began = performance.now();
    const written = await writeSteadily(store, workers, {
      perSecond: Number(values.rate),
      seconds: Number(values.seconds),
    });
    const seconds = (performance.now() - began) / 1000;
    await delay(2000);
    end.abort();
    const wanted = Array.from({ length: written }, (_, index) => seq + 1 + index);
    const heard = await Promise.all(listeners);
    const grown = memoryOf(server) - before;
    const idle = await idlePercent(
      server,
      ["", "?run=S-1"].map((query) => ({ port: place.port, cookie, query })),
      Number(values.idle),
    );
    const facts = [
      ["events per second", (written / seconds).toFixed(0), written / seconds > Number(values.rate) * 0.95],
      ...heard.map(({ numbers, connections, slowestMs }, index) => [
        `listener ${index + 1}: ${connections} connections, at most ${slowestMs} ms behind`,
        `${numbers.length} of ${written}`,
        isSame(numbers, wanted),
      ]),
      ["memory grew by", `${(grown / 1024 / 1024).toFixed(0)} MB`, grown < MAX_GROWTH_BYTES],
      ["idle, with a page open", `${idle.toFixed(2)} % CPU`, idle < MAX_IDLE_PERCENT],
    ] as const;
    for (const [what, value, ok] of facts)
      process.stdout.write(`${ok ? "ok  " : "FAIL"} ${what}: ${value}\n`);
    return facts.every(([, , ok]) => ok) ? 0 : 1;
  } finally {
    server.kill("SIGTERM");
    await store.close();
    rmSync(root, { recursive: true, force: true });
  }
}

interface Heard {
  readonly numbers: number[];
  readonly connections: number;
  /** The longest time between an event and its arrival. */
  readonly slowestMs: number;
}

/** Listens, is cut off after a while, and comes back with the last number it had, until the end. */
async function keepListening(
  place: {
    readonly port: number;
    readonly cookie: string;
    readonly after: number;
    readonly stableMs: number;
  },
  end: AbortSignal,
): Promise<Heard> {
  const numbers: number[] = [];
  const aborted = once(end, "abort");
  let [lastEventId, connections, slowestMs] = [String(place.after), 0, 0];
  while (!end.aborted) {
    const listening = await listenTo({ ...place, query: "?run=S-1", lastEventId });
    connections += 1;
    await Promise.race([delay(place.stableMs), aborted]);
    listening.close();
    await listening.ended;
    numbers.push(...listening.numbers());
    for (const { nowMs, events } of listening.batches)
      slowestMs = Math.max(slowestMs, nowMs - Date.parse(events[0]?.at ?? ""));
    lastEventId = listening.lastId();
  }
  return { numbers, connections, slowestMs };
}

function isSame(numbers: readonly number[], wanted: readonly number[]): boolean {
  return numbers.length === wanted.length && numbers.every((number, index) => number === wanted[index]);
}

/** The server in a process of its own, so that its time and memory are its own. */
async function serve(root: string): Promise<void> {
  const { port, origin, token } = await serveDashboard({
    context: makeContext(root),
    tasksDir: "specs",
    assets: join(root, "app"),
  });
  process.send?.({ port, origin, token });
}

const [mode, root] = process.argv.slice(2);
if (mode === "--serve") await serve(root ?? "");
else process.exitCode = await main();
