// A stored story of 1,000 delegations and 100,000 events in a real browser: node scripts/run-ts.mjs test/slow/dashboard-big.ts [events]
// Opens every view in both themes; fails on a rule of accessibility, a complaint, or a view that takes too long.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { makeBigStore } from "../dashboard/big-store.ts";
import { axeViolations, openBrowser, openPage } from "../dashboard/browser/chromium.ts";
import { serveBuiltApp } from "../dashboard/browser/serve-built-app.ts";
import { ownStoreFile } from "../own-store-file.ts";

const events = Number(process.argv[2] ?? 100_000);
const MAX_MS = 3000;
const pictures = "reports/screenshots/big";
/** Each place, and what must be there before it counts as shown. */
const places: readonly (readonly [string, string, string])[] = [
  ["home", "/", ".story-name"],
  ["tree", "/story/S-big", "[role=treegrid] [data-index]"],
  ["timeline", "/story/S-big/timeline", ".trace-row .track"],
  ["graph", "/story/S-big/graph", ".node-box"],
  ["panel", "/story/S-big?d=S-big-DEL-001&tab=criteria", ".panel .card"],
  ["inbox", "/inbox", ".entry"],
  ["cost", "/cost/S-big", ".treemap"],
  ["audit", "/audit", "[role=grid] [data-index]"],
];

const root = realpathSync(mkdtempSync(join(tmpdir(), "ambit-big-")));
await makeBigStore(ownStoreFile(root), { events });
const serving = await serveBuiltApp(root);
const browser = await openBrowser();
const problems: string[] = [];
mkdirSync(pictures, { recursive: true });
try {
  for (const theme of ["light", "dark"] as const) {
    const watched = await openPage(browser, serving.url, { theme });
    for (const place of places) problems.push(...(await lookAt(watched.page, place, theme)));
    problems.push(...watched.complaints);
  }
} finally {
  await browser.close();
  await serving.close();
  rmSync(root, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

async function lookAt(
  page: Page,
  [name, path, ready]: (typeof places)[number],
  theme: "light" | "dark",
): Promise<readonly string[]> {
  const began = performance.now();
  await page.goto(serving.origin + path, { waitUntil: "commit" });
  await page.locator(ready).first().waitFor({ timeout: 60_000 });
  const tookMs = Math.round(performance.now() - began);
  const violations = await axeViolations(page);
  await page.screenshot({ path: join(pictures, `${name}-${theme}.png`) });
  console.log(`${theme} ${name}: ${tookMs} ms, ${violations.length} violations`);
  // The first look at a story reads all its events; later ones only what is new.
  const isSlow = tookMs > MAX_MS && !(theme === "light" && name === "tree");
  return [...violations, ...(isSlow ? [`took ${tookMs} ms`] : [])].map((what) => `${theme} ${name}: ${what}`);
}
