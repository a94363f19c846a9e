/**
 * Calls with tokens that are invalid or another worker's, against a runtime with real workers: npm run test:mcp-tokens -- --calls 10000
 * None may act: the journal must hold nothing that such a call could have caused, and every call must be refused.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import { makeProject, until } from "../e2e/project.ts";
import { attack, attackCalls, wrongToken } from "../mcp/token-attack.ts";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "10000" }, together: { type: "string", default: "50" } },
});
const [wanted, together] = [Number(values.calls), Number(values.together)];
const refusals = new Set(["NOT_A_WORKER", "DELEGATION_NOT_FOUND", "APPROVAL_NOT_FOUND"]);
const project = makeProject();
const folder = dirname(project.root);
const nothing = (): void => undefined;
const runtime = await openProjectRuntime({
  projectRoot: project.root,
  version: "0.0.0-test",
  environment: { PATH: process.env["PATH"], HOME: folder },
  workerProgram: [process.execPath, resolve("dist/cli/main.cjs"), "__worker"],
  program: [process.execPath, resolve("dist/cli/main.cjs")],
  onQuiet: nothing,
  onShutdown: nothing,
});
try {
  process.exitCode = await main();
} finally {
  await runtime.close();
  await project.remove();
}

async function main(): Promise<number> {
  const expired = await hold("OLD");
  letGo("OLD");
  await runtime.engine.whenEnded("OLD");
  const live = await hold("LIVE");
  const foreign = await hold("FOREIGN");
  const store = runtime.engine.tools.store;
  const before = await store.head();
  const calls = attackCalls("LIVE");
  const about = calls
    .filter(({ fields }) => "id" in fields)
    .map(({ method, fields }) => ({ method, fields: { ...fields, id: "LIVE" } }));
  const socket = runtime.engine.tools.socket;
  const counts = new Map<string, number>();
  const start = performance.now();
  for (let made = 0; made < wanted; made += together) {
    const size = Math.min(together, wanted - made);
    const answers = await Promise.all(
      Array.from({ length: size }, (_, index) => {
        const number = made + index;
        // Every fifth is made by somebody who runs, about what is not theirs.
        if (number % 5 === 0) return attack(socket, pick(about, number / 5), foreign);
        return attack(
          socket,
          pick(calls, number),
          wrongToken({ live, expired }, Math.floor(number / calls.length)),
        );
      }),
    );
    for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  const seconds = (performance.now() - start) / 1000;
  const after = await store.head();
  const control = await attack(socket, { method: "status", fields: {} }, live);
  letGo("LIVE");
  letGo("FOREIGN");
  const ended = await runtime.engine.whenEnded("LIVE");
  const isClean =
    [...counts.keys()].every((answer) => refusals.has(answer)) &&
    [...counts.values()].reduce((sum, count) => sum + count, 0) === wanted &&
    after.seq === before.seq &&
    control.startsWith("ACTED") &&
    ended.outcome === "completed" &&
    ended.workers === 0;
  const told = [...counts].map(([answer, count]) => `${count} ${answer.slice(0, 60)}`).join(", ");
  console.log(
    `${wanted} calls in ${seconds.toFixed(1)} s: ${told}; ${after.seq - before.seq} events written`,
  );
  console.log(isClean ? "none acted" : "SOMETHING ACTED");
  return isClean ? 0 : 1;
}

function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}

/** Starts a worker that leaves its token in a file and waits to be let go. */
async function hold(id: string): Promise<string> {
  const known = join(folder, `${id}-token`);
  const script = join(folder, "scripts", `${id}.yaml`);
  mkdirSync(dirname(script), { recursive: true });
  const line = `printf %s "$AMBIT_TOKEN" > ${known}.part; mv ${known}.part ${known}; until [ -e ${known}.go ]; do sleep 0.05; done`;
  const steps = [
    { run: ["sh", "-c", line] },
    { return: { status: "completed", summary: "Held. Let go.", artifacts: [], errors: [] } },
  ];
  writeFileSync(script, JSON.stringify(steps));
  await runtime.engine.openStory({ id, title: id, adapter: "scripted", command: [script] });
  await until(`${id} runs`, () => existsSync(known));
  return readFileSync(known, "utf8");
}

function letGo(id: string): void {
  writeFileSync(join(folder, `${id}-token.go`), "");
}
