/**
 * A supervisor for tests to kill: reads one launch request as JSON from stdin, launches it, and prints what happens
 * as JSON lines. The request comes by stdin so that no token is in this command line. With `timeoutAtReady` its clock
 * jumps to the deadline when the agent says that it is ready; with `opensAllAtReady` it has no descriptor left from then
 * until the agent says that it is done; with `reap` it only ends what those records name.
 */
import { closeSync, openSync, readFileSync } from "node:fs";
import { DelegationError } from "../../src/base/delegation-error.ts";
import type { ContainmentEvent } from "../../src/containment/contained-process.ts";
import { launchProcess } from "../../src/containment/launch.ts";
import { reapLeftovers } from "../../src/containment/reap-leftovers.ts";
import { movableClock } from "./movable-clock.ts";

const { timeoutAtReady, opensAllAtReady, reap, ...spec } = JSON.parse(readFileSync(0, "utf8"));
const clock = movableClock();
const opened: number[] = [];
if (reap === undefined) await contain();
else print({ kind: "reaped", outcomes: await reapLeftovers(reap) });

async function contain(): Promise<void> {
  try {
    const contained = await launchProcess({ ...spec, onEvent }, { clock });
    print({ kind: "launched", record: contained.record });
    const facts = await contained.exited;
    print({ kind: "exited", facts });
  } catch (error) {
    if (!(error instanceof DelegationError)) throw error;
    print({ kind: "refused", code: error.code, message: error.message });
  }
}

function onEvent(event: ContainmentEvent): void {
  print(event);
  const said = event.kind === "line-read" ? event.text : "";
  if (timeoutAtReady && said === "ready") clock.moveOn(spec.limits.timeoutMs);
  if (opensAllAtReady && said === "ready") openAll();
  if (said === "done") for (const descriptor of opened.splice(0)) closeSync(descriptor);
}

function openAll(): void {
  try {
    for (;;) opened.push(openSync("/dev/null", "r"));
  } catch {
    // None is left.
  }
}

function print(value: object): void {
  const times = { atMs: performance.timeOrigin + performance.now(), wallMs: Date.now() };
  process.stdout.write(`${JSON.stringify({ ...value, ...times })}\n`);
}
