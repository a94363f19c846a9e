// A story that writes 1,000 events a second, watched in a browser: node scripts/run-ts.mjs test/slow/dashboard-flood.ts [seconds]
// Fails when the page is ever busy for more than 100 ms at a stretch, or when an event is lost or told twice.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openStore } from "../../src/journal/open-store.ts";
import type { Store } from "../../src/journal/store.ts";
import { breakableLine, type BreakableLine } from "../dashboard/browser/breakable-line.ts";
import { openBrowser } from "../dashboard/browser/chromium.ts";
import { serveBuiltApp } from "../dashboard/browser/serve-built-app.ts";
import { watchStream, type SeenStream } from "../dashboard/browser/watch-stream.ts";
import { makeBigStore } from "../dashboard/big-store.ts";
import { writeSteadily } from "../dashboard/write-events.ts";
import { ownStoreFile } from "../own-store-file.ts";

const PER_SECOND = 1000;
const MAX_BUSY_MS = 100;
const seconds = Number(process.argv[2] ?? 60);

const root = realpathSync(mkdtempSync(join(tmpdir(), "ambit-flood-")));
const { story } = await makeBigStore(ownStoreFile(root), { delegations: 1000, events: 16_000 });
const store = openStore(ownStoreFile(root));
const serving = await serveBuiltApp(root);
const line = await breakableLine(serving.port);
const browser = await openBrowser();
try {
  const page = await browser.newPage();
  const seen = await watchStream(page, story);
  // The store takes nothing of an attempt that is not the newest one.
  const tree = await store.storyTree(story);
  const workers = tree
    .filter(({ state, attempt }) => state !== "closed" && attempt === 1)
    .map(({ id }) => id);
  await page.goto(`${line.origin}/#token=${serving.token}`);
  await page.getByRole("heading", { name: "Stories" }).waitFor();
  const problems: string[] = [];
  for (const form of ["", "/timeline", "/graph"]) {
    const { seq: first } = await store.head();
    await page.goto(`${line.origin}/story/${story}${form}`);
    await page.locator("[role=treegrid], .trace-row, .node-box").first().waitFor();
    const before = await settled(seen, store, first);
    const written = await writeBroken(store, workers, line);
    const after = await settled(seen, store, first);
    problems.push(...judge({ form, first, before, after, last: (await store.head()).seq }));
    console.log(`${form || "/tree"}: ${written} events in ${seconds} s, ${describe(before, after)}`);
  }
  await page.goto(`${line.origin}/story/${story}`);
  await page.getByRole("treegrid").waitFor();
  console.log(`idle: the page used ${await idleShare(page)} % of a processor`);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await browser.close();
  line.close();
  await serving.close();
  await store.close();
  rmSync(root, { recursive: true, force: true });
}

/** Halfway through, the line breaks for a moment. */
async function writeBroken(
  target: Store,
  workers: readonly string[],
  broken: BreakableLine,
): Promise<number> {
  const timer = setTimeout(() => {
    broken.cut();
    setTimeout(() => broken.mend(), 700);
  }, seconds * 500);
  try {
    return await writeSteadily(target, workers, { perSecond: PER_SECOND, seconds });
  } finally {
    clearTimeout(timer);
    broken.mend();
  }
}

/** Once the page has heard of the newest event there is. */
async function settled(seen: () => Promise<SeenStream>, target: Store, first: number): Promise<SeenStream> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const now = await seen();
    const { seq } = await target.head();
    if (seq === first || now.numbers.at(-1) === seq || performance.now() > deadline) return now;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

interface Finding {
  readonly form: string;
  readonly first: number;
  readonly last: number;
  readonly before: SeenStream;
  readonly after: SeenStream;
}

function judge({ form, first, last, before, after }: Finding): readonly string[] {
  const isExact =
    after.numbers.length === last - first &&
    after.numbers.every((number, index) => number === first + 1 + index);
  const long = after.longTasksMs.slice(before.longTasksMs.length).filter((ms) => ms > MAX_BUSY_MS);
  return [
    ...(isExact
      ? []
      : [`${form}: ${after.numbers.length} events were told of ${last - first}, or not in order`]),
    ...(long.length === 0 ? [] : [`${form}: busy for ${long.map(Math.round).join(", ")} ms at a stretch`]),
  ];
}

function describe(before: SeenStream, after: SeenStream): string {
  const tasks = after.longTasksMs.slice(before.longTasksMs.length);
  const longest = Math.round(Math.max(0, ...tasks));
  return `${after.numbers.length} told once and in order, ${tasks.length} tasks over 50 ms, the longest ${longest} ms`;
}

/** What a page that shows a story in which nothing happens costs. */
async function idleShare(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const start = await busy();
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  return (((await busy()) - start) * 10).toFixed(1);
}
