import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { axeViolations, openBrowser, openPage, type Watched } from "./chromium.ts";
import { runStory, startLiveStory, type LiveStory } from "./live-story.ts";

let live: LiveStory;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  live = await startLiveStory();
  browser = await openBrowser();
  watched = await openPage(browser, live.url);
  ({ page } = watched);
});

afterAll(async () => {
  await browser?.close();
  await live?.close();
});

it("removes the token from the address, says what to do without a story, and shows a story as soon as it starts (R182)", async () => {
  expect(page.url()).not.toContain("token");
  await page.getByText("No story yet").waitFor();
  expect(await axeViolations(page)).toStrictEqual([]);
  await runStory(live);
  await page.getByRole("link", { name: "Manage four parts" }).click();
  await page.getByRole("treegrid").waitFor();
});

it("shows the state of every worker as it changes (R85)", async () => {
  const states = {
    "Choose ids": "needs you",
    "Lock versions": "needs you",
    "Lock versions otherwise": "needs you",
    "Paint the wall": "done",
    "Talk for ever": "running",
  };
  for (const [title, word] of Object.entries(states)) {
    const row = rowOf(title);
    await expect.poll(() => row.locator(".c-state").textContent()).toContain(word);
  }
  await expect.poll(() => rowOf("Manage four parts").locator(".c-state").textContent()).toContain("waiting");
  expect(await page.locator("[data-announcer]").textContent()).toMatch(/needs you|done/);
});

it("shows a log while it grows, and follows its end", async () => {
  await rowOf("Talk for ever").click();
  const log = page.getByRole("log");
  await log.getByText("I begin.").waitFor();
  const before = await lastIndex();
  await expect.poll(lastIndex).toBeGreaterThan(before);
  await page.keyboard.press("Escape");
});

it("shows what a running worker has changed so far, and its newest line in its row", async () => {
  const row = rowOf("Talk for ever");
  await expect.poll(() => row.locator(".c-latest").textContent()).toMatch(/\S/);
  await row.click();
  const panel = page.getByRole("complementary", { name: "Delegation" });
  await panel.getByRole("tab", { name: /Diff/ }).click();
  await panel.getByText("words so far").waitFor();
  await panel.getByText(/nothing of it is proven or kept yet/).waitFor();
  expect(await axeViolations(page)).toStrictEqual([]);
  await page.keyboard.press("Escape");
});

it("lists pending requests on the story's page, with the changes next to the button", async () => {
  const bar = page.getByRole("region", { name: "Needs you" });
  await bar.getByText("3 questions wait for you").waitFor();
  expect(await rowOf("Choose ids").locator(".c-latest").textContent()).toContain("uuid or bigint?");
  await bar.getByText("2 Lock versions", { exact: true }).click();
  const opened = bar.locator("details[open]");
  await opened.getByText("second of two").waitFor();
  await opened.getByText(/without an answer it ends in/).waitFor();
  await opened.getByText(/blocks Manage four parts/).waitFor();
  expect(await opened.getByRole("button", { name: "Approve" }).isEnabled()).toBe(true);
  expect(await axeViolations(page)).toStrictEqual([]);
});

it("never approves changes that are not on the screen", async () => {
  await page.route("**/api/delegations/S1-DEL-002/diff", (route) => route.abort());
  await page.keyboard.press("1");
  const card = page
    .locator(".question-card")
    .filter({ has: page.getByRole("link", { name: "2 Lock versions", exact: true }) });
  await card.getByText(/server does not answer/).waitFor();
  await card.getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/could not be loaded/).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.unroute("**/api/delegations/S1-DEL-002/diff");
  expect(await card.count()).toBe(1);
  watched.complaints.length = 0;
  await page.getByRole("link", { name: "Manage four parts" }).last().click();
  await page.getByRole("treegrid").waitFor();
});

it("shows hostile text as plain text: no sequences, no markup, nothing reversed, long lines cut", async () => {
  await rowOf("Paint the wall").click();
  const panel = page.getByRole("complementary", { name: "Delegation" });
  const log = panel.getByRole("log");
  await log.getByText("after the flood").waitFor();
  await log.evaluate((element) => void (element.scrollTop = 0));
  await page.getByRole("button", { name: "Follow" }).click();
  for (;;) {
    const earlier = log.getByRole("button", { name: /Show earlier lines/ });
    if ((await earlier.count()) === 0) break;
    await log.evaluate((element) => void (element.scrollTop = 0));
    const label = await earlier.textContent();
    await earlier.click();
    await expect
      .poll(async () => ((await earlier.count()) === 0 ? "" : earlier.textContent()))
      .not.toBe(label);
  }
  await log.evaluate((element) => void (element.scrollTop = 0));
  await log.getByText("<img src=x onerror").waitFor();
  const text = (await log.textContent()) ?? "";
  expect(text).toContain("red");
  expect(text).toContain("gnp.exe");
  for (const mark of ["\u001b", "\u202e", "\u2066"]) expect(text).not.toContain(mark);
  expect(await page.title()).not.toContain("owned");
  expect(await page.locator("img, script:not([src])").count()).toBe(0);
  expect(text.length).toBeLessThan(100_000);
  await page.keyboard.press("Escape");
});

it("sends a comment on a line of the diff to the worker, by keyboard", async () => {
  await rowOf("Lock versions").click();
  const panel = page.getByRole("complementary", { name: "Delegation" });
  await panel.getByRole("tab", { name: /Diff/ }).click();
  const diff = panel.getByRole("tabpanel", { name: /Diff/ });
  await diff.getByText("second of two").waitFor();
  expect(await axeViolations(page)).toStrictEqual([]);
  await diff.locator("tr[tabindex='0']").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Three would be better");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page
    .locator(".toast")
    .getByText(/^Sent to S1-DEL-002/)
    .waitFor();
  await panel.getByRole("tab", { name: /Messages/ }).click();
  await panel.getByText("About package-lock.json:2: Three would be better").waitFor();
  await page.keyboard.press("Escape");
});

it("answers every inbox entry by keyboard: approve, reject with a reason, reply", async () => {
  await page.keyboard.press("2");
  await page.locator(".entry").nth(2).waitFor();
  expect(await page.title()).toMatch(/^\(3\) Inbox/);
  await page.locator(".entry.active").focus();
  await focusEntry("Lock versions otherwise");
  await page.keyboard.press("r");
  await page.getByLabel("Reason").waitFor();
  await page.keyboard.type("Not with this tool");
  await page.keyboard.press("Control+Enter");
  await page
    .getByText(/is rejected\./)
    .first()
    .waitFor();
  await waitForEntries(2);
  await focusEntry("Lock versions");
  await page.locator(".entry.active").getByText("second of two").waitFor();
  await page.keyboard.press("a");
  await page
    .getByText(/is approved\./)
    .first()
    .waitFor();
  await waitForEntries(1);
  await focusEntry("Choose ids");
  expect(await page.locator(".entry.active").textContent()).toContain("<img src=x onerror");
  await page.keyboard.press("e");
  await page.getByLabel("Your answer").waitFor();
  await page.keyboard.type("uuid");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Nothing waits for you").waitFor();
});

it("stops a worker only after a confirmation, and keeps its work", async () => {
  await page.keyboard.press("1");
  await page.getByRole("link", { name: "Manage four parts" }).click();
  await rowOf("Talk for ever").click();
  const panel = page.getByRole("complementary", { name: "Delegation" });
  await panel.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await panel.getByRole("button", { name: "Stop" }).click();
  await page.getByLabel("Reason (optional)").fill("Said enough");
  await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
  await expect.poll(() => rowOf("Talk for ever").locator(".c-state").textContent()).toContain("cancelled");
  await panel.getByRole("button", { name: "Resume" }).waitFor();
});

it("shows how work ended, and a retry as a story of its own", async () => {
  await expect.poll(() => rowOf("Choose ids").locator(".c-state").textContent()).toContain("done");
  expect(await rowOf("Lock versions otherwise").locator(".c-state").textContent()).toMatch(
    /blocked|partial|failed/,
  );
  const panel = page.getByRole("complementary", { name: "Delegation" });
  await panel.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
  await page.locator(".toast").getByRole("link", { name: "Open" }).click();
  await expect.poll(() => page.url()).not.toContain("/story/S1?");
  await page.getByRole("heading", { level: 1, name: /Talk for ever/ }).waitFor();
  await page.getByRole("button", { name: "Stop" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
  await expect.poll(() => rowOf("Talk for ever").locator(".c-state").textContent()).toContain("cancelled");
});

it("reports no errors and contacts no other server", () => {
  expect(watched.complaints).toStrictEqual([]);
  expect(watched.requests.filter((url) => !url.startsWith(new URL(live.url).origin))).toStrictEqual([]);
});

function rowOf(title: string) {
  return page.locator("[role=treegrid] [role=row]").filter({ has: page.getByText(title, { exact: true }) });
}

async function lastIndex(): Promise<number> {
  const indexes = await page
    .locator(".log-line")
    .evaluateAll((lines) => lines.map((line) => line.getAttribute("data-index")));
  return Math.max(-1, ...indexes.map(Number));
}

/** Waits until an answered entry has gone and the next entry has the focus. */
async function waitForEntries(count: number): Promise<void> {
  await expect.poll(() => page.locator(".entry").count()).toBe(count);
  await expect.poll(() => page.locator(".entry.active:focus").count()).toBe(1);
}

async function focusEntry(title: string): Promise<void> {
  const entry = page
    .locator(".entry")
    .filter({ has: page.getByRole("link", { name: new RegExp(`${title}$`) }) });
  await entry.waitFor();
  for (let step = 0; step < 5 && !(await isActive(title)); step += 1) await page.keyboard.press("ArrowDown");
  for (let step = 0; step < 5 && !(await isActive(title)); step += 1) await page.keyboard.press("ArrowUp");
  expect(await isActive(title)).toBe(true);
}

async function isActive(title: string): Promise<boolean> {
  const text = (await page.locator(".entry.active a").first().textContent()) ?? "";
  return text.endsWith(title);
}
