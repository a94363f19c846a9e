import { existsSync } from "node:fs";
import axe from "axe-core";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { recordCoverage } from "./record-coverage.ts";

const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The Chromium of this machine. Without one the tests fail, because only a browser shows that the pages work. */
export async function openBrowser(): Promise<Browser> {
  const wanted = process.env["CHROMIUM"] === undefined ? programs : [process.env["CHROMIUM"]];
  const executablePath = wanted.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error(
      `No Chromium at ${wanted.join(", ")}. Install it with: apt-get install chromium, or name yours in CHROMIUM`,
    );
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The errors of the page, and the requests that its policy blocked. */
  readonly complaints: string[];
  /** Every address it asked for. */
  readonly requests: string[];
}

interface PageOptions {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** A page of its own cookies, watched for errors; it is signed in by the printed link. */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<Watched> {
  const { theme = "light", width = 1360, height = 850 } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await recordCoverage(browser, page);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("request", (request) => requests.push(request.url()));
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return { page, context, complaints, requests };
}

const allRules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Rules of WCAG 2.2 A and AA and good practice that the page breaks, with the places. */
export async function axeViolations(
  page: Page,
  rules: readonly string[] = allRules,
): Promise<readonly string[]> {
  if (!(await page.evaluate(`typeof axe === "object"`))) await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(`axe.run(document, {
    resultTypes: ["violations"],
    runOnly: ${JSON.stringify(rules)},
  }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => id + " at " + node.target.join(" ") + ": " + node.failureSummary)))`);
  return Array.isArray(found) ? found.map(String) : ["axe gave no answer"];
}

/** Goes to another place of the app as its own links do, without loading the page again. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `(history.pushState(null, "", ${JSON.stringify(path)}), dispatchEvent(new PopStateEvent("popstate")), undefined)`,
  );
}
