import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DashboardServing } from "../../../src/dashboard/serve-dashboard.ts";
import { openStore } from "../../../src/journal/open-store.ts";
import type { Store } from "../../../src/journal/store.ts";
import { removeFolder } from "../../e2e/remove-folder.ts";
import { ownStoreFile } from "../../own-store-file.ts";
import { openRun } from "../write-events.ts";
import { breakableLine, type BreakableLine } from "./breakable-line.ts";
import { goWithin, openBrowser } from "./chromium.ts";
import { serveBuiltApp } from "./serve-built-app.ts";

let root: string;
let store: Store;
let serving: DashboardServing;
let line: BreakableLine;
let browser: Browser;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "ambit-away-")));
  store = openStore(ownStoreFile(root));
  await openRun(store, "S-1", ["Count to many", "Count to more"]);
  serving = await serveBuiltApp(root);
  line = await breakableLine(serving.port);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  line?.close();
  await serving?.close();
  await store?.close();
  removeFolder(root);
});

async function openStory(): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${line.origin}/#token=${serving.token}`);
  await page.getByRole("link", { name: "run S-1" }).click();
  await page.getByRole("treegrid").waitFor();
  return page;
}

it("keeps the page when a view cannot be loaded, says why, and shows it when the server is back", async () => {
  const page = await browser.newPage();
  // The code of this view cannot be loaded ahead.
  let isBlocked = true;
  await page.route(/timeline-[^/]+\.js$/, (route) => (isBlocked ? route.abort() : route.continue()));
  await page.goto(`${line.origin}/#token=${serving.token}`);
  await page.getByRole("link", { name: "run S-1" }).click();
  await page.getByRole("treegrid").waitFor();
  line.cut();
  await page.getByText(/Not connected/).waitFor();
  await page.getByRole("link", { name: "Timeline" }).click();
  await page.getByText(/the timeline cannot be shown yet/).waitFor();
  expect(await page.getByRole("navigation", { name: "Views" }).count()).toBe(1);
  await page.getByText(/Not connected/).waitFor();
  isBlocked = false;
  line.mend();
  await page.locator(".trace-row[data-index]").first().waitFor();
  await page.close();
});

it("has loaded every view ahead, so that none is missing while the server is away", async () => {
  const page = await openStory();
  const names = ["inbox", "board", "cost", "audit", "graph"];
  const listMissing = async (): Promise<readonly string[]> => {
    const loaded = await page.evaluate(
      `performance.getEntriesByType("resource").map(({ name }) => name).join(" ")`,
    );
    return names.filter((name) => !String(loaded).includes(`/${name}-`));
  };
  await expect.poll(listMissing).toStrictEqual([]);
  // The modules that a view imports have to be loaded, too.
  await page.evaluate(
    `Promise.all(performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).map(({ name }) => import(name))).then(() => undefined)`,
  );
  line.cut();
  await page.getByText(/Not connected/).waitFor();
  for (const [path, heading] of [
    ["/inbox", "Inbox"],
    ["/board", "Board"],
    ["/cost", "Cost"],
    ["/audit", "Audit"],
  ] as const) {
    await goWithin(page, path);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  }
  line.mend();
  await page.getByText(/Not connected/).waitFor({ state: "detached" });
  await page.close();
});

it("updates the count in the title while its window is hidden", async () => {
  const page = await browser.newPage();
  await page.clock.install();
  await page.goto(`${line.origin}/#token=${serving.token}`);
  await page.getByRole("link", { name: "run S-1" }).waitFor();
  expect(await page.title()).not.toMatch(/^\(/);
  await page.evaluate(
    `Object.defineProperty(document, "hidden", { get: () => true }); document.dispatchEvent(new Event("visibilitychange"))`,
  );
  await page.clock.runFor(31_000);
  await store.record({
    story: "S-1",
    delegation: "S-1-DEL-001",
    attempt: 1,
    type: "approval-requested",
    data: {
      approvalId: "S-1-DEL-001-clarification-1",
      kind: "clarification",
      question: "Which?",
      details: [],
    },
  });
  await expect
    .poll(
      async () => {
        await page.clock.runFor(21_000);
        return page.title();
      },
      { timeout: 90_000 },
    )
    .toMatch(/^\(1\)/);
  await page.close();
});
