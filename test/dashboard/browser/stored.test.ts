import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DashboardServing } from "../../../src/dashboard/serve-dashboard.ts";
import { openStore } from "../../../src/journal/open-store.ts";
import { removeMembership, writeMembership } from "../../../src/journal/postgres/membership.ts";
import { storeFile } from "../../../src/journal/store-file.ts";
import { makeBigStore } from "../big-store.ts";
import { axeViolations, goWithin, openBrowser, openPage, type Watched } from "./chromium.ts";
import { serveBuiltApp } from "./serve-built-app.ts";
import { ownStoreFile } from "../../own-store-file.ts";
import { openUnservedStory } from "../../unserved-story.ts";

const WORKERS = 1000;
let root: string;
let serving: DashboardServing;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "ambit-browser-")));
  await makeBigStore(ownStoreFile(root), { delegations: WORKERS, events: 16_000, others: 12 });
  serving = await serveBuiltApp(root);
  browser = await openBrowser();
  watched = await openPage(browser, serving.url);
  ({ page } = watched);
});

afterAll(async () => {
  await browser?.close();
  await serving?.close();
  rmSync(root, { recursive: true, force: true });
});

/** Each place, and the element that must be there before the place is checked. */
const places: readonly (readonly [string, string, string])[] = [
  ["home", "/", "text=Add OAuth login"],
  ["tree", "/story/S-big", "[role=treegrid] [role=row][data-index]"],
  ["timeline", "/story/S-big/timeline", ".trace-row[data-index]"],
  ["graph", "/story/S-big/graph", ".node-box"],
  ["log", "/story/S-big?d=S-big-DEL-001&tab=log", ".panel [role=log]"],
  ["criteria", "/story/S-big?d=S-big-DEL-001&tab=criteria", ".panel .card"],
  ["return", "/story/S-big?d=S-big-DEL-001&tab=return", ".panel [role=tabpanel] > *"],
  ["messages", "/story/S-big?d=S-big-DEL-001&tab=messages", ".panel [role=tabpanel] > *"],
  ["cost of one", "/story/S-big?d=S-big-DEL-001&tab=cost", ".panel dl"],
  ["limits", "/story/S-big?d=S-big-DEL-001&tab=limits", ".panel .limit-list"],
  ["inbox", "/inbox", ".entry"],
  ["board", "/board", ".empty, .board"],
  ["cost", "/cost/S-big", ".treemap"],
  ["audit", "/audit", "[role=grid] [role=row][data-index]"],
  ["health", "/health", "table.rows"],
  ["new story", "/new", "form"],
];

/** All rules are checked once, because the themes differ in contrast alone. */
describe.each([
  ["light", undefined],
  ["dark", ["color-contrast"]],
] as const)("in the %s theme", (theme, rules) => {
  it("no view breaks an accessibility rule (R182)", async () => {
    await page.getByLabel("Theme").selectOption(theme);
    const broken: string[] = [];
    for (const [name, path, ready] of places) {
      await goWithin(page, path);
      await page.locator(ready).first().waitFor();
      for (const violation of await axeViolations(page, rules)) broken.push(`${name}: ${violation}`);
    }
    expect(broken).toStrictEqual([]);
  });

  it("no dialog breaks an accessibility rule (R182)", async () => {
    await goWithin(page, "/inbox");
    await page.locator(".entry").first().waitFor();
    for (const open of ["Control+k", "?"]) {
      await page.keyboard.press(open);
      await page.getByRole("dialog").waitFor();
      expect(await axeViolations(page, rules)).toStrictEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  });
});

/** Texts that reach beyond their cell, over the next one or the edge of the card. */
const spilledCells = `[...document.querySelectorAll("td, [role=gridcell]")]
  .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflowX === "visible")
  .map((cell) => cell.textContent).join("; ")`;

describe.each([
  ["a phone", 390, 844],
  ["a small window", 1024, 700],
] as const)("in %s", (_name, width, height) => {
  it("no view breaks an accessibility rule, and none scrolls sideways (R182)", async () => {
    await page.setViewportSize({ width, height });
    const broken: string[] = [];
    for (const [name, path, ready] of places) {
      await goWithin(page, path);
      await page.locator(ready).first().waitFor();
      const excess = await page.evaluate("document.scrollingElement.scrollWidth - innerWidth");
      if (Number(excess) > 0) broken.push(`${name}: ${String(excess)} px too wide`);
      const spilled = await page.evaluate(spilledCells);
      if (String(spilled) !== "") broken.push(`${name}: wider than its cell: ${String(spilled)}`);
      for (const violation of await axeViolations(page)) broken.push(`${name}: ${violation}`);
    }
    await page.setViewportSize({ width: 1360, height: 850 });
    expect(broken).toStrictEqual([]);
  });
});

describe("in other media", () => {
  it("forced colours keep meters and bars visible, and break no rule", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await goWithin(page, "/story/S-big/timeline");
    await page.locator(".trace-row[data-index]").first().waitFor();
    expect(await readStyle(".segment.running", "stroke")).not.toBe("none");
    await goWithin(page, "/story/S-big");
    await page.locator(".tree .meter").first().waitFor();
    expect(await readStyle(".tree .meter", "borderTopStyle")).toBe("solid");
    // The system sets the contrast now, but axe computes it from the page's own colours.
    expect(await axeViolations(page, ["wcag2a", "wcag21a", "best-practice"])).toStrictEqual([]);
    await page.emulateMedia({ forcedColors: "none" });
  });

  it("a print has every row, and no buttons", async () => {
    await goWithin(page, "/story/S-big?q=part");
    await page.emulateMedia({ media: "print" });
    await expect
      .poll(() => page.locator("[role=treegrid] [role=row][data-index]").count())
      .toBeGreaterThan(WORKERS);
    expect(await page.locator(".toolbar").first().isVisible()).toBe(false);
    expect(await page.getByRole("navigation", { name: "Views" }).isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    await expect.poll(() => page.locator("[role=treegrid] [role=row][data-index]").count()).toBeLessThan(80);
  });
});

describe("a story of a thousand delegations", () => {
  it("opens only the branches that need attention, and leads from a refusal to its reason", async () => {
    await goWithin(page, "/story/S-big");
    await page.locator("[role=treegrid] [role=row][data-index]").first().waitFor();
    const count = Number(await page.locator("[role=treegrid]").getAttribute("aria-rowcount"));
    expect(count).toBeLessThan(WORKERS + 2);
    await page.getByRole("link", { name: "1 refused" }).click();
    await page.getByText("TOO_MANY_DELEGATIONS").waitFor();
    await page.keyboard.press("Escape");
  });

  it("sorts by a column, and keeps order and filter in the address", async () => {
    await goWithin(page, "/story/S-big");
    await page.getByRole("button", { name: "Cost", exact: true }).click();
    expect(page.url()).toContain("sort=cost");
    expect(await page.getByRole("columnheader", { name: "Cost" }).getAttribute("aria-sort")).toBe(
      "descending",
    );
    await page.getByLabel("Filter delegations").fill("Part 955");
    await page.reload();
    await expect.poll(() => page.locator("[role=treegrid]").getAttribute("aria-rowcount")).toBe("5");
    expect(await page.getByLabel("Filter delegations").inputValue()).toBe("Part 955");
  });

  it("draws only the visible part, and every row can be reached by keyboard (R182)", async () => {
    await goWithin(page, "/story/S-big");
    const rows = page.locator("[role=treegrid] [role=row][data-index]");
    await rows.first().waitFor();
    await page.getByRole("button", { name: "Expand all" }).click();
    expect(await page.locator("[role=treegrid]").getAttribute("aria-rowcount")).toBe(String(WORKERS + 2));
    expect(await rows.count()).toBeLessThan(80);
    await rows.first().focus();
    await page.keyboard.press("End");
    await focusOn(page, WORKERS);
    await page.keyboard.press("Home");
    await focusOn(page, 0);
    await page.keyboard.press("ArrowDown");
    await focusOn(page, 1);
    const before = await page.locator("[role=treegrid]").getAttribute("aria-rowcount");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => page.locator("[role=treegrid]").getAttribute("aria-rowcount")).not.toBe(before);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.locator("[role=treegrid]").getAttribute("aria-rowcount")).toBe(before);
    await page.keyboard.press("ArrowRight");
    await focusOn(page, 2);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await page.locator("[role=row]:focus").getAttribute("aria-level")).toBe("2");
  });

  it("opens the panel with Enter, moves through its tabs with arrows, and returns the focus on Escape", async () => {
    await goWithin(page, "/story/S-big");
    await page.locator("[role=row][data-index='1']").focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("complementary", { name: "Delegation" });
    await panel.getByRole("tab", { name: "Log" }).focus();
    await page.keyboard.press("End");
    await expect.poll(() => page.url()).toContain("tab=limits");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => page.url()).toContain("tab=cost");
    expect(await panel.getByRole("tab", { name: "Cost" }).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await focusOn(page, 1);
  });

  it("filters delegations and shows matches with their managers", async () => {
    await goWithin(page, "/story/S-big");
    await page.keyboard.press("/");
    await page.keyboard.type("Part 955");
    await expect.poll(() => page.locator("[role=treegrid]").getAttribute("aria-rowcount")).toBe("5");
    await page.getByLabel("Filter delegations").fill("nothing of that kind");
    await page.getByText("No delegation matches").waitFor();
    await page.getByLabel("Filter delegations").fill("");
  });

  it("shows as many rows on the timeline, and dependencies in the graph", async () => {
    await goWithin(page, "/story/S-big/timeline");
    const rows = page.locator(".trace-row[data-index]");
    await rows.first().waitFor();
    await page.getByRole("button", { name: "Expand all" }).click();
    expect(await rows.count()).toBeLessThan(80);
    await rows.first().focus();
    await page.keyboard.press("End");
    await focusOn(page, WORKERS);
    await goWithin(page, "/story/S-big/graph");
    await page.locator(".node-box").first().focus();
    expect(await page.locator(".node-box").count()).toBeLessThan(120);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.locator(".node-box:focus .place").textContent()).toBe("1");
    await page.keyboard.press("End");
    await expect.poll(() => page.locator(".node-box:focus").count()).toBe(1);
  });
});

describe("keys", () => {
  it("switch views, and do nothing in a text field (R182)", async () => {
    const headings = ["Inbox", "Board", "Cost", "Audit", "Health"];
    for (const [index, heading] of [...headings.entries(), [-1, "Stories"] as const]) {
      await page.keyboard.press(String(index + 2));
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    }
    await page.getByLabel("Filter stories").focus();
    await page.keyboard.type("5");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Stories");
    await page.getByLabel("Filter stories").fill("");
  });

  it("open the command palette, which reaches everything", async () => {
    await goWithin(page, "/");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("oauth");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("/story/S-big");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("part 955");
    await page.getByRole("option", { name: /Part 955/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Part 955/ }).waitFor();
  });

  it("can be switched off", async () => {
    await goWithin(page, "/inbox");
    await page.keyboard.press("?");
    await page.getByLabel("Single-letter keys are on").uncheck();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("3");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Inbox");
    await page.getByRole("button", { name: "Keys" }).click();
    await page.getByLabel("Single-letter keys are on").check();
    await page.getByRole("button", { name: "Close" }).click();
  });

  it("reach the skip link first, which leads to the content", async () => {
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").textContent()).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.locator(":focus").getAttribute("id")).toBe("main");
  });
});

describe("the audit", () => {
  it("reports the verified chain, pages through all events and filters them (R94)", async () => {
    await goWithin(page, "/audit");
    await page.getByText(/verified: 16,000 events/).waitFor();
    const grid = page.locator("[role=grid]");
    await grid.locator("[data-index='0']").waitFor();
    expect(await grid.locator("[data-index='0'] [role=rowheader]").textContent()).toBe("16000");
    await grid.locator("[data-index='0']").focus();
    await page.keyboard.press("End");
    await page.getByText(/1,000 events loaded/).waitFor();
    await page.getByLabel("Kind of event").selectOption("story-opened");
    await page.getByText("13 events in all").waitFor();
    await grid.locator("[data-index='0']").click();
    await page
      .getByRole("region", { name: /^Event / })
      .getByText('"type": "story-opened"')
      .waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export JSONL" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.jsonl$/);
  });
});

it("the inbox names the machine that work waits for, and no longer once it has begun", async () => {
  const file = storeFile(root);
  const store = openStore(file);
  const text = "It waits: no machine serves the pool gpu; start ambit worker --pool gpu on one";
  await openUnservedStory(store, "M-1", text);
  const waiting = page.getByRole("region", { name: "Waits for a machine" });
  await goWithin(page, "/inbox");
  await page.locator(".entry").first().waitFor();
  // Without a cluster there is no machine to wait for.
  expect(await waiting.count()).toBe(0);
  writeMembership(file, "P");
  await waiting.getByText(text).waitFor();
  expect(await waiting.innerText()).toMatch(/!\s+No machine\s+Paint it/);
  expect(await axeViolations(page)).toStrictEqual([]);
  await store.begin("M-1", 1, { owner: "test", leaseMs: 60_000, maxConcurrent: 8 });
  await waiting.waitFor({ state: "detached" });
  removeMembership(file);
  await store.close();
});

it("contacts no other server and reports no errors", () => {
  const elsewhere = watched.requests.filter((url) => !url.startsWith(serving.origin));
  expect(elsewhere).toStrictEqual([]);
  expect(watched.complaints).toStrictEqual([]);
});

async function readStyle(selector: string, name: string): Promise<string> {
  const found: unknown = await page.evaluate(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(name)}]`,
  );
  return String(found);
}

async function focusOn(shown: Page, index: number): Promise<void> {
  await expect.poll(() => shown.locator(":focus").getAttribute("data-index")).toBe(String(index));
}
