import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeProject, until, type Project } from "../../e2e/project.ts";
import { axeViolations, goWithin, openBrowser, openPage } from "./chromium.ts";
import { startDashboard, type StartedDashboard } from "./start-dashboard.ts";
import { ageLogs } from "../walk/scenes.ts";

let project: Project;
let dashboard: StartedDashboard;
let browser: Browser;
let page: Page;
let outside: string;

beforeAll(async () => {
  project = makeProject();
  outside = join(project.root, "..");
  const line = `touch ${outside}/begun; until test -f ${outside}/go; do sleep 0.1; done; echo x > b.txt`;
  await project.ambit(
    "run",
    "Wait",
    "--id",
    "W1",
    "--detach",
    "--check",
    "test -f b.txt",
    "--",
    "sh",
    "-c",
    line,
  );
  await until("the worker runs", () => existsSync(join(outside, "begun")));
  dashboard = await startDashboard(project);
  browser = await openBrowser();
  ({ page } = await openPage(browser, dashboard.url));
  await page.locator("main .state", { hasText: "running" }).waitFor();
});

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
  await project?.remove();
});

it("marks a worker that has written nothing for minutes", async () => {
  await page.getByRole("link", { name: "Wait" }).first().click();
  await page.getByRole("treegrid").waitFor();
  ageLogs(project);
  await page.locator(".c-state .tone-attention", { hasText: "silent 8m" }).waitFor();
  expect(await axeViolations(page)).toStrictEqual([]);
  await goWithin(page, "/");
});

it("shows work as interrupted when its supervisor dies, and resumes it", async () => {
  expect(await page.getByRole("alert").count()).toBe(0);
  process.kill(await project.supervisorPid(), "SIGKILL");
  const alert = page.getByRole("alert");
  await alert.waitFor();
  expect(await alert.textContent()).toContain("No supervisor is running");
  await page.locator("main .state", { hasText: "interrupted" }).waitFor();
  expect(await page.locator("main .state", { hasText: "running" }).count()).toBe(0);
  for (const path of ["/story/W1", "/story/W1/timeline", "/story/W1/graph", "/story/W1?d=W1"]) {
    await goWithin(page, path);
    await page.locator("main .state", { hasText: "interrupted" }).first().waitFor();
    expect(await page.locator(".state", { hasText: "running" }).count()).toBe(0);
    expect(await page.getByText("● live").count()).toBe(0);
  }
  for (const path of ["/", "/inbox", "/board", "/cost", "/audit", "/health"]) {
    await goWithin(page, path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await alert.getByRole("button", { name: "Resume" }).count()).toBe(1);
  }
  expect(await axeViolations(page)).toStrictEqual([]);
  writeFileSync(join(outside, "go"), "");
  await alert.getByRole("button", { name: "Resume" }).click();
  await alert.waitFor({ state: "detached" });
  await until("the story ends", async () => (await project.json("status", "W1"))["is_over"] === true);
  expect(await project.json("status", "W1")).toMatchObject({ status: "completed" });
});
