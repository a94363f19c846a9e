// Pictures of the dashboard as it is, made from the real program: node scripts/screenshots.mjs
// It runs `ambit demo`, opens its dashboard in Chromium and writes reports/screenshots/ and, for the README, docs/images/.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const CLI = resolve("dist/cli/main.cjs");
const PICTURES = "reports/screenshots";
const DOCS = "docs/images";
const STORY = "/story/TILL-1";
const WORKER = `${STORY}?d=TILL-1-DEL-002`;

/** Name, address, what must be there, and the name it has in the documentation, if it is shown there. */
const places = [
  ["home", "/", "text=History"],
  ["tree", STORY, "[role=treegrid]"],
  ["timeline", `${STORY}/timeline`, ".trace-row .track", "dashboard-timeline"],
  ["graph", `${STORY}/graph`, ".node-box"],
  ["log", `${WORKER}&tab=log`, ".log-line"],
  ["diff", `${WORKER}&tab=diff`, ".panel .file", "dashboard-diff"],
  ["criteria", `${WORKER}&tab=criteria`, ".panel .card"],
  ["return", `${WORKER}&tab=return`, ".panel pre"],
  ["messages", `${WORKER}&tab=messages`, ".panel .empty, .panel .messages"],
  ["limits", `${WORKER}&tab=limits`, ".limit-list"],
  ["inbox", "/inbox", "text=Nothing waits for you"],
  ["board", "/board", ".board, .empty"],
  ["cost", "/cost", ".treemap", "dashboard-cost"],
  ["audit", "/audit", "[role=grid] [data-index]"],
];
const sizes = [
  ["wide", 1280, 760],
  ["medium", 900, 760],
  ["narrow", 420, 800],
];

if (!existsSync(CLI)) throw new Error("There is no dist/cli/main.cjs: run npm run build first.");
const demo = spawn(process.execPath, [CLI, "demo", "--keep"], { stdio: ["ignore", "pipe", "pipe"] });
const demoEnds = once(demo, "exit");
const [, root] = await printed(demo, /tests: (\/\S+)/);
const dashboard = spawn(process.execPath, [CLI, "dashboard", "--no-open"], { cwd: root });
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  rmSync(PICTURES, { recursive: true, force: true });
  mkdirSync(PICTURES, { recursive: true });
  mkdirSync(DOCS, { recursive: true });
  const [url] = await printed(dashboard, /http:\/\/\S+#token=[\w-]+/);
  await Promise.all(["light", "dark"].map((theme) => takeLive(url, theme)));
  await demoEnds;
  for (const theme of ["light", "dark"]) for (const size of sizes) await takeAll(url, theme, size);
} finally {
  await demoEnds;
  await browser.close();
  dashboard.kill("SIGTERM");
  await once(dashboard, "exit");
  rmSync(root, { recursive: true, force: true });
}

/** What a program said, as soon as it says something of that kind. */
async function printed(child, pattern) {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (text += piece));
  for (let tries = 0; tries < 300; tries += 1) {
    const found = pattern.exec(text);
    if (found !== null) return found;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error(`Nothing like ${pattern} was printed: ${text}`);
}

/** The story while its workers are at it. */
async function takeLive(url, theme) {
  const [name, width, height] = sizes[0];
  const page = await openPage(url, { theme, width, height });
  await page.getByRole("link", { name: /Write the functions/ }).click();
  await page.locator("[role=row][data-index='5'] .state").waitFor({ timeout: 30_000 });
  const file = join(PICTURES, `live-${name}-${theme}.png`);
  await page.screenshot({ path: file });
  copyFileSync(file, join(DOCS, `dashboard-live-${theme}.png`));
  await page.context().close();
}

async function openPage(url, { theme, width, height }) {
  const viewport = { width, height };
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

async function takeAll(url, theme, [sizeName, width, height]) {
  const page = await openPage(url, { theme, width, height });
  for (const [name, path, ready, shownAs] of places) {
    await page.goto(new URL(path, url).href);
    await page.locator(ready).first().waitFor();
    await page.evaluate("document.fonts.ready");
    const file = join(PICTURES, `${name}-${sizeName}-${theme}.png`);
    await page.screenshot({ path: file });
    if (shownAs !== undefined && sizeName === "wide" && theme === "light")
      copyFileSync(file, join(DOCS, `${shownAs}.png`));
  }
  await page.context().close();
}
