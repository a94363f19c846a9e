// npm run bench:peers -- --steps 300 --concurrent 1000 --passes 3
// A durable step of our store and of others, in one run, interleaved; ratios are against the same pass.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { bundle } from "../../scripts/run-ts.mjs";
import { bullSteps, langGraphSteps, pQueueSteps } from "./steps.mjs";

const { values } = parseArgs({
  options: {
    steps: { type: "string", default: "300" },
    concurrent: { type: "string", default: "1000" },
    passes: { type: "string", default: "3" },
    port: { type: "string", default: "56379" },
  },
});
const [stepCount, concurrentCount, passes] = [values.steps, values.concurrent, values.passes].map(Number);

const folder = mkdtempSync(join(tmpdir(), "ambit-peers-"));
const redis = await startRedis(Number(values.port));
const program = await bundle(fileURLToPath(new URL("../own-steps.ts", import.meta.url)));
try {
  const { ownSteps, ownDelegations } = await import(pathToFileURL(program).href);
  const variants = [
    ownSteps(folder),
    ownDelegations(folder),
    await bullSteps(Number(values.port), "always"),
    await bullSteps(Number(values.port), "everysec"),
    langGraphSteps(folder, "FULL"),
    langGraphSteps(folder, "NORMAL"),
    pQueueSteps(),
  ];
  const rows = new Map(variants.map(({ name }) => [name, { sequential: [], concurrent: [], waitingMb: [] }]));
  for (let pass = 0; pass < passes; pass += 1) {
    for (const variant of shuffle(variants)) await measure(variant, rows.get(variant.name));
  }
  print(variants, rows);
  for (const variant of variants) await variant.close();
} finally {
  rmSync(program, { force: true });
  redis.kill("SIGTERM");
  await new Promise((resolve) => redis.once("exit", resolve));
  rmSync(folder, { recursive: true, force: true });
}

/** One step after the other, then many asked for at once, with the memory the waiting ones hold. */
async function measure(variant, row) {
  await variant.prepare(stepCount + concurrentCount + 1000);
  const began = performance.now();
  for (let count = 0; count < stepCount; count += 1) await variant.step();
  row.sequential.push((performance.now() - began) / stepCount);

  const start = performance.now();
  await Promise.all(Array.from({ length: concurrentCount }, () => variant.step()));
  row.concurrent.push((performance.now() - start) / concurrentCount);

  const before = memory();
  const waiting = Array.from({ length: 1000 }, () => variant.step());
  const asked = memory();
  await new Promise(setImmediate);
  row.waitingMb.push((Math.max(asked, memory()) - before) / 2 ** 20);
  await Promise.all(waiting);
}

/** What is really held: collected first. */
function memory() {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function print(variants, rows) {
  const ours = rows.get("ambit: start + finish");
  const results = variants.map(({ name, durable }) => {
    const { sequential, concurrent, waitingMb } = rows.get(name);
    const times = (list, base) => median(list.map((value, pass) => value / base[pass]));
    return {
      name,
      durable,
      sequentialMs: median(sequential),
      concurrentMs: median(concurrent),
      waitingMb: median(waitingMb),
      sequentialRatio: times(sequential, ours.sequential),
      concurrentRatio: times(concurrent, ours.concurrent),
    };
  });
  console.log(
    JSON.stringify(
      { bench: "peers", node: process.version, stepCount, concurrentCount, passes, results },
      null,
      1,
    ),
  );
  console.log(
    `\n| step | durable | one by one, ms | × ours | ${concurrentCount} at once, ms each | × ours | MB per 1,000 waiting |`,
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const row of results) {
    const cells = [row.sequentialMs.toFixed(3), row.sequentialRatio.toFixed(1), row.concurrentMs.toFixed(3)];
    const more = [row.concurrentRatio.toFixed(1), row.waitingMb.toFixed(1)];
    console.log(`| ${[row.name, row.durable, ...cells, ...more].join(" | ")} |`);
  }
}

async function startRedis(port) {
  const options = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "yes",
  ];
  const server = spawn("redis-server", [...options, "--maxmemory-policy", "noeviction"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => server.kill("SIGKILL"));
  server.once("error", () => {
    console.error("redis-server was not found. On Debian: apt-get install redis-server");
    process.exit(6);
  });
  let output = "";
  server.stdout.on("data", (chunk) => (output += chunk));
  for (let waited = 0; waited < 10_000; waited += 50) {
    if (output.includes("Ready to accept connections")) return server;
    await delay(50);
  }
  server.kill("SIGKILL");
  throw new Error(`redis-server did not start: ${output.slice(-500)}`);
}

function median(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

function shuffle(items) {
  const keyed = items.map((item) => ({ item, rank: Math.random() }));
  return keyed.sort((left, right) => left.rank - right.rank).map(({ item }) => item);
}
