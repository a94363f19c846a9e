import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser, Page } from "playwright-core";
import { makeCluster, type Cluster } from "../../e2e/cluster-machines.ts";
import { startPostgres, type PostgresService } from "../../services.ts";
import { axeViolations, openBrowser, openPage } from "./chromium.ts";
import { startDashboard, type StartedDashboard } from "./start-dashboard.ts";

let postgres: PostgresService;
let cluster: Cluster;
let dashboard: StartedDashboard;
let browser: Browser;

beforeAll(async () => {
  postgres = await startPostgres();
  cluster = makeCluster({ url: postgres.url });
  await cluster.begin();
  dashboard = await startDashboard(cluster.project);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
  await cluster?.remove();
  await postgres?.stop();
});

it("shows every machine of the project with its slots and its pool, and a machine that is not heard", async () => {
  const { page, complaints } = await openPage(browser, dashboard.url);
  await page.getByRole("link", { name: "Health" }).click();
  await page.getByText("None takes work").waitFor();
  const north = await cluster.start("north", "--slots", "4", "--pool", "gpu", "--trust-agents");
  await cluster.start("south", "--slots", "2", "--trust-agents");
  await lookAgain(page);
  const table = page.getByRole("table", { name: "Machines" });
  await table.getByRole("row", { name: /south/ }).waitFor();
  expect(await table.getByRole("row").allInnerTexts()).toEqual([
    expect.stringMatching(/Machine\s+State\s+Slots in use\s+Pool\s+Version/i),
    expect.stringMatching(/north\s+✔ takes work\s+0 of 4\s+gpu\s/),
    expect.stringMatching(/south\s+✔ takes work\s+0 of 2\s+default\s/),
  ]);
  expect(await axeViolations(page)).toStrictEqual([]);

  await north.kill();
  await expect
    .poll(async () => {
      await lookAgain(page);
      return table.getByRole("row", { name: /north/ }).innerText();
    })
    .toMatch(/✖ not heard/);
  expect(complaints).toStrictEqual([]);
});

/** Waits for the answer, because the next look would abort it. */
async function lookAgain(page: Page): Promise<void> {
  const looked = page.waitForResponse((response) => response.url().endsWith("/api/health"));
  await page.getByRole("button", { name: "Look again" }).click();
  await looked;
}
