import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DashboardServing } from "../../../src/dashboard/serve-dashboard.ts";
import { openStore } from "../../../src/journal/open-store.ts";
import type { Store } from "../../../src/journal/store.ts";
import { openRun, writeNotes } from "../write-events.ts";
import { breakableLine, type BreakableLine } from "./breakable-line.ts";
import { openBrowser } from "./chromium.ts";
import { serveBuiltApp } from "./serve-built-app.ts";
import { watchStream } from "./watch-stream.ts";
import { removeFolder } from "../../e2e/remove-folder.ts";
import { ownStoreFile } from "../../own-store-file.ts";

let root: string;
let store: Store;
let serving: DashboardServing;
let line: BreakableLine;
let browser: Browser;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "ambit-resume-")));
  store = openStore(ownStoreFile(root));
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

it("reports a lost connection, and gets exactly what it missed after reconnecting (R182)", async () => {
  const workers = await openRun(store, "S-1", ["Count to many", "Count to more"]);
  const page = await browser.newPage();
  const seen = await watchStream(page, "S-1");
  await page.goto(`${line.origin}/#token=${serving.token}`);
  await page.getByRole("link", { name: "run S-1" }).click();
  await page.getByRole("treegrid").waitFor();
  const { seq: first } = await store.head();
  await writeNotes(store, workers, 300);
  await page
    .getByText(/step 29\d of/)
    .first()
    .waitFor();
  line.cut();
  await page.getByText(/Not connected/).waitFor();
  await writeNotes(store, workers, 500);
  line.mend();
  await page
    .getByText(/step 49\d of/)
    .first()
    .waitFor();
  await page.getByText(/Not connected/).waitFor({ state: "detached" });
  const { seq: last } = await store.head();
  const wanted = Array.from({ length: last - first }, (_, index) => first + 1 + index);
  await expect.poll(async () => (await seen()).numbers.at(-1)).toBe(last);
  expect((await seen()).numbers).toStrictEqual(wanted);
});

it("says how to sign in again after the server restarted, and does not continue as if nothing happened", async () => {
  const page = await browser.newPage();
  await page.goto(serving.url);
  await page.getByRole("link", { name: "run S-1" }).waitFor();
  const { port } = serving;
  await serving.close();
  await page.getByText(/Not connected/).waitFor();
  serving = await serveBuiltApp(root, port);
  await page.getByRole("heading", { name: "The dashboard cannot be shown" }).waitFor();
  await page.getByText(/Open the whole link/).waitFor();
  await page.goto("about:blank");
  await page.goto(serving.url);
  await page.getByRole("link", { name: "run S-1" }).waitFor();
});

it("refuses a link with a wrong token, and says why", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${serving.origin}/#token=wrong`);
  await page.getByText(/belongs to another start of the dashboard/).waitFor();
  expect(page.url()).not.toContain("wrong");
});
