import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeProject, type Project } from "../../e2e/project.ts";
import { axeViolations, openBrowser, openPage } from "./chromium.ts";
import { startDashboard, type StartedDashboard } from "./start-dashboard.ts";

let project: Project;
let dashboard: StartedDashboard;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  project = makeProject();
  await project.ambit("task", "add", "Add OAuth login");
  await project.ambit("task", "divide", "1", "--into", "Token service", "Login routes");
  await project.ambit("task", "add", "Release notes", "--depends", "2,3");
  dashboard = await startDashboard(project);
  browser = await openBrowser();
  ({ page } = await openPage(browser, dashboard.url));
  await page.keyboard.press("3");
  await page.getByText("Token service").first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
  await project?.remove();
});

it("shows tasks by status, with their subtasks and dependencies", async () => {
  expect(await cards("To do")).toStrictEqual(["Token service", "Login routes", "Release notes"]);
  expect(await cards("In progress")).toStrictEqual(["Add OAuth login"]);
  expect(await cards("Closed")).toStrictEqual([]);
  expect(await card("Add OAuth login").textContent()).toContain("0 of 2 subtasks done");
  expect(await card("Release notes").textContent()).toContain("waits for 2, 3");
  expect(await card("Token service").textContent()).toContain("part of 1");
  expect(await axeViolations(page)).toStrictEqual([]);
});

it("moves a task by keyboard, after a confirmation, to an allowed status (R133)", async () => {
  await card("Token service").focus();
  await page.keyboard.press("m");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  expect(await axeViolations(page)).toStrictEqual([]);
  expect(await dialog.getByRole("radio").count()).toBeGreaterThan(3);
  expect(await dialog.getByRole("radio", { name: "completed" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await cards("To do")).toContain("Token service");
  await card("Token service").focus();
  await page.keyboard.press("m");
  await dialog.getByRole("radio", { name: "implementing" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect.poll(() => cards("In progress")).toStrictEqual(["Add OAuth login", "Token service"]);
  expect(await project.json("task", "show", "2")).toMatchObject({ status: "implementing" });
});

it("moves a task by drag, after a confirmation", async () => {
  await card("Login routes").dragTo(page.getByRole("region", { name: "Waiting" }));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "blocked" }).check();
  await dialog.getByRole("button", { name: "Move" }).click();
  await expect.poll(() => cards("Waiting")).toStrictEqual(["Login routes"]);
});

it("shows hand edits of the task file, without a command", async () => {
  const file = join(project.root, "specs/TODO.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("Release notes", "Release notes for people"));
  await page.getByText(/1 edit by hand/).waitFor();
  expect(await card("Release notes for people").textContent()).toContain("edited by hand");
  expect(await cards("To do")).not.toContain("Release notes");
  await page.getByText(/1 edit by hand/).click();
  await page.getByText('title "Release notes" → "Release notes for people" in TODO.md').waitFor();
  expect(await axeViolations(page)).toStrictEqual([]);
});

function card(title: string) {
  return page.locator(".task-card").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
}

async function cards(column: string): Promise<readonly string[]> {
  return page.getByRole("region", { name: column }).locator(".task-title").allTextContents();
}
