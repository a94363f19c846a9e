import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { randomBase36 } from "../../../src/base/ids.ts";

const ASSETS = resolve("dist/cli/dashboard/assets");
const REPORTS = resolve("reports/coverage");

/** Only a build for coverage has source maps. */
const isForCoverage = existsSync(ASSETS) && readdirSync(ASSETS).some((name) => name.endsWith(".js.map"));

/** Writes down which code of the app the page ran, before the page, its context or its browser is closed. */
export async function recordCoverage(browser: Browser, page: Page): Promise<void> {
  if (!isForCoverage) return;
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  let isWritten = false;
  const write = async (): Promise<void> => {
    if (isWritten || page.isClosed()) return;
    isWritten = true;
    writeReport(await page.coverage.stopJSCoverage());
  };
  for (const closable of [page, page.context(), browser]) closeAfter(closable, write);
}

interface Closable {
  close(options?: object): Promise<void>;
}

function closeAfter(closable: Closable, write: () => Promise<void>): void {
  const close = closable.close.bind(closable);
  closable.close = (options) => write().then(() => close(options));
}

type Ran = Awaited<ReturnType<Page["coverage"]["stopJSCoverage"]>>;

function writeReport(ran: Ran): void {
  const result = ran
    .filter(({ url }) => new URL(url).pathname.startsWith("/assets/"))
    .map(({ url, scriptId, functions }) => {
      const file = join(ASSETS, basename(new URL(url).pathname));
      return { scriptId, url: pathToFileURL(file).href, functions };
    });
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(join(REPORTS, `browser-${randomBase36(8)}.json`), JSON.stringify({ result }));
}
