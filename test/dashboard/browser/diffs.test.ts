import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeProject, until, type Project } from "../../e2e/project.ts";
import { axeViolations, goWithin, openBrowser, openPage, type Watched } from "./chromium.ts";
import { startDashboard, type StartedDashboard } from "./start-dashboard.ts";

let project: Project;
let dashboard: StartedDashboard;
let browser: Browser;
let watched: Watched;
let page: Page;

/** The first attempt hands in no return, so that there is a second one. */
const twice = `begin:
  - write: {path: text.txt, text: "first\\n"}
  - write: {path: same.txt, text: "same\\n"}
  - say: That is all.
repair:
  - write: {path: text.txt, text: "second\\n"}
  - return: {status: completed, summary: 'Wrote it. It works.'}
`;

beforeAll(async () => {
  project = makeProject();
  project.write("../twice.yaml", twice);
  const script = join(dirname(project.root), "twice.yaml");
  await project.ambit("run", "Write it twice", "--id", "TWICE", "--script", script);
  const words = ["--isolation", "sandbox", "--detach", "--", "sh", "-c", "echo half > half.txt; sleep 3600"];
  await project.ambit("run", "Work in a sandbox", "--id", "BOXED", ...words);
  dashboard = await startDashboard(project);
  browser = await openBrowser();
  watched = await openPage(browser, dashboard.url);
  ({ page } = watched);
});

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
  await project?.ambit("stop", "BOXED");
  await project?.remove();
});

const names = async (...words: string[]): Promise<string> =>
  (await project.ambit("diff", ...words, "--name-only")).stdout;

it("compares the changes of two attempts, in the terminal and in the page", async () => {
  expect(await names("TWICE", "--attempt", "1")).toBe("same.txt\ntext.txt\n");
  expect(await names("TWICE", "--compare", "1")).toBe("text.txt\n");
  expect((await project.ambit("diff", "TWICE", "--attempt", "7")).stderr).toContain("attempt 7");
  await goWithin(page, "/story/TWICE?d=TWICE&tab=diff");
  await page.getByText("2 files").waitFor();
  await page.getByLabel("Attempt", { exact: true }).selectOption("2");
  await page.getByLabel("Compare with").selectOption("1");
  await page.getByText("What changed from attempt 1 to attempt 2").waitFor();
  await page.getByText("1 file", { exact: false }).first().waitFor();
  const shown = await page.locator(".file").allTextContents();
  expect(shown).toHaveLength(1);
  expect(shown[0]).toContain("second");
  expect(shown[0]).toContain("first");
  expect(await axeViolations(page)).toStrictEqual([]);
});

it("shows what a worker in a sandbox has changed so far", async () => {
  await until("it has begun", async () => (await names("BOXED")) === "half.txt\n");
  expect(await project.json("diff", "BOXED")).toMatchObject({ is_live: true, added: 1 });
  await goWithin(page, "/story/BOXED?d=BOXED&tab=diff");
  await page.getByText("As its files are now").waitFor();
  await page.locator(".file", { hasText: "half.txt" }).waitFor();
  await page.locator(".counts", { hasText: "1 working" }).waitFor();
  expect(watched.complaints).toStrictEqual([]);
});
