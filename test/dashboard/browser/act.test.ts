import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeProject, type Project } from "../../e2e/project.ts";
import { axeViolations, openBrowser, openPage, type Watched } from "./chromium.ts";
import { startDashboard, type StartedDashboard } from "./start-dashboard.ts";

let project: Project;
let dashboard: StartedDashboard;
let browser: Browser;
let watched: Watched;
let page: Page;

const scripts = {
  maker: `- write: {path: made.txt, text: "made\\n"}
- return: {status: completed, summary: 'Made it. It works.'}
`,
  keyless: `- return: {status: blocked, summary: 'The key is missing.', errors: [{type: execution, code: NO_KEY, message: 'No key.', recoverable: true, recommendation: 'Give me the key.'}]}
`,
} as const;

beforeAll(async () => {
  project = makeProject();
  for (const [name, script] of Object.entries(scripts)) {
    project.write(join("..", `${name}.yaml`), script);
    const file = join(dirname(project.root), `${name}.yaml`);
    project.write(
      `.ambit/agents/${name}.md`,
      `---\nname: ${name}\nadapter: scripted\ncommand: [${file}]\n---\n`,
    );
  }
  project.write("ambit.yaml", "agents:\n  default: maker\n");
  project.git("add", "ambit.yaml", ".ambit/agents");
  project.git("commit", "--quiet", "-m", "agents");
  dashboard = await startDashboard(project);
  browser = await openBrowser();
  watched = await openPage(browser, dashboard.url);
  ({ page } = watched);
});

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
  await project?.remove();
});

it("starts a story with the dry run's advice next to the form (R182)", async () => {
  await page.getByRole("link", { name: "New story" }).click();
  await page.getByLabel("What is to be done").fill("Make it <b>now</b>");
  await page.getByLabel(/Commands that must pass/).fill("test -f made.txt");
  await page.getByLabel(/Budget in dollars/).fill("2");
  const advice = page.getByRole("region", { name: "Advice" });
  await advice.getByText(/at most \$2\.00/).waitFor();
  expect(await advice.textContent()).toContain("test -f made.txt");
  expect(await advice.textContent()).toContain("maker");
  expect(await axeViolations(page)).toStrictEqual([]);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Make it <b>now</b>" }).waitFor();
  await page.locator(".story-head .state", { hasText: "done" }).waitFor({ timeout: 60_000 });
});

it("shows where the work is, merges it after a preview and undoes the merge", async () => {
  const work = page.getByRole("region", { name: "Where the work is" });
  await work.getByText(/not yet in/).waitFor();
  expect(await work.textContent()).toContain("The proven work is on branch");
  expect(existsSync(join(project.root, "made.txt"))).toBe(false);
  await work.getByRole("button", { name: /^Merge into/ }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.textContent()).toContain("1 file (+1 −0): made.txt");
  await dialog.getByRole("radio", { name: "its own commits" }).check();
  expect(await axeViolations(page)).toStrictEqual([]);
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await work.getByText(/and in your branch/).waitFor();
  expect(existsSync(join(project.root, "made.txt"))).toBe(true);
  await work.getByRole("button", { name: /^Undo the merge/ }).click();
  await dialog.getByRole("button", { name: "Undo the merge" }).click();
  await work.getByText(/not yet in/).waitFor();
  expect(existsSync(join(project.root, "made.txt"))).toBe(false);
});

it("does not call work proven for which no check ran, and says so before it merges it (R79)", async () => {
  const run = await project.ambit("run", "Make it unseen", "--id", "N1", "--agent", "maker");
  expect(run.status, run.stderr).toBe(0);
  await page.keyboard.press("1");
  await page.getByRole("link", { name: "Make it unseen" }).click();
  const work = page.getByRole("region", { name: "Where the work is" });
  await work.getByText(/not yet in/).waitFor();
  expect(await work.textContent()).toContain("The unproven work is on branch ambit/N1");
  await work.getByRole("button", { name: /^Merge into/ }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.textContent()).toContain("Not proven: no check ran for this work.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

it("adds a task, runs it, and leads to its story", async () => {
  await page.keyboard.press("3");
  await page.getByRole("button", { name: "Add task" }).click();
  await page.getByRole("dialog").getByLabel("What is to be done").fill("Make it again");
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
  await page.getByRole("heading", { name: "Make it again" }).waitFor();
  await page.getByRole("button", { name: "Run task 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run" }).click();
  await page.locator(".toast").getByRole("link", { name: "Open" }).click();
  await page.getByRole("heading", { level: 1, name: "Make it again" }).waitFor();
  await page.locator(".story-head .state", { hasText: "done" }).waitFor({ timeout: 60_000 });
});

it("resumes ended work with a raised limit", async () => {
  const limits = ["--budget", "1", "--check", "test -f never.txt"];
  const run = await project.ambit("run", "Half of it", "--id", "H1", ...limits, "--detach");
  expect(run.status, run.stderr).toBe(0);
  await page.keyboard.press("1");
  await page.getByRole("link", { name: "Half of it" }).click();
  await expect
    .poll(() => page.getByRole("main").textContent(), { timeout: 60_000 })
    .toMatch(/Half of it.{0,3}partial/);
  await page.locator("[role=row][data-index='0']").click();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByLabel("New budget in dollars (optional)").fill("3");
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await page.locator(".toast", { hasText: "continues" }).getByRole("link", { name: "Open" }).click();
  await expect.poll(() => page.locator(".story-head").textContent()).toContain("of $3.00");
});

it("lists a story that ended blocked in the inbox, and continues it with the answer", async () => {
  const run = await project.ambit("run", "Open the door", "--id", "K1", "--agent", "keyless");
  expect(run.status, run.stderr).toBe(4);
  await page.keyboard.press("2");
  const blocked = page.getByRole("region", { name: "Ended blocked" });
  await blocked.getByText("No key. Give me the key.").waitFor();
  expect(await page.getByText("Nothing waits for you").count()).toBe(0);
  expect(await axeViolations(page)).toStrictEqual([]);
  await blocked.getByRole("button", { name: "Answer" }).click();
  await page.getByLabel("Your answer").fill("It is under the mat.");
  await page.getByRole("dialog").getByRole("button", { name: "Answer and continue" }).click();
  await page.locator(".toast", { hasText: "continues K1 with your answer" }).waitFor();
  // The story that continues it ends blocked too, and takes its place.
  await blocked.locator("a[href='/story/K1.2']").waitFor({ timeout: 60_000 });
  expect(await blocked.locator("a[href='/story/K1']").count()).toBe(0);
});

it("reports no errors and contacts no other server", () => {
  expect(watched.complaints).toStrictEqual([]);
  expect(watched.requests.filter((url) => !url.startsWith(new URL(dashboard.url).origin))).toStrictEqual([]);
});
