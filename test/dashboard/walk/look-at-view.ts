import { join } from "node:path";
import type { Page } from "playwright-core";
import { axeViolations, goWithin } from "../browser/chromium.ts";
import type { Subject, View } from "./views.ts";

export const sizes = {
  wide: { width: 1440, height: 900 },
  small: { width: 1024, height: 700 },
  phone: { width: 390, height: 844 },
} as const;

export type SizeName = keyof typeof sizes;

export interface Look {
  readonly page: Page;
  readonly subject: Subject;
  readonly sizes: readonly SizeName[];
  /** The rules of accessibility that make sense in this state; none where it is undefined. */
  readonly rules?: readonly string[] | undefined;
  /** Where pictures go; none are taken without it. */
  readonly pictures?: string | undefined;
  readonly state: string;
  /** What this state promises for this view. */
  readonly check: (page: Page, view: View) => Promise<readonly string[]>;
}

const SETTLE_MS = 20_000;

/** Opens one view and names all that is wrong with it, at each size. */
export async function lookAtView(look: Look, view: View): Promise<readonly string[]> {
  const { page, subject, state, check } = look;
  const found: string[] = [];
  await goWithin(page, view.path(subject));
  for (const name of look.sizes) {
    await page.setViewportSize(sizes[name]);
    const problems = [
      ...(await waitForView(page)),
      ...(await checkPage(page)),
      ...(look.rules === undefined ? [] : await axeViolations(page, look.rules)),
    ];
    found.push(...problems.map((problem) => `${name}: ${problem}`));
    if (look.pictures !== undefined)
      await page.screenshot({
        path: join(look.pictures, `${state}-${view.name}-${name}.png`.replaceAll(" ", "_")),
      });
  }
  found.push(...(await check(page, view)));
  return found.map((problem) => `${state}, ${view.name}, ${problem}`);
}

async function waitForView(page: Page): Promise<readonly string[]> {
  try {
    await page.locator("main h1, main [role=alert]").first().waitFor({ timeout: SETTLE_MS });
    await page.locator("main .loading").first().waitFor({ state: "hidden", timeout: SETTLE_MS });
    return [];
  } catch {
    return ["it never came, or goes on loading"];
  }
}

/** What holds for every view in every state. */
async function checkPage(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`(() => {
    const problems = [];
    const main = document.querySelector("main");
    const text = main?.innerText ?? "";
    if (text.trim().length < 3) problems.push("it is empty");
    const pages = [document.scrollingElement, main, ...document.querySelectorAll("main .view, main .panel, main [role=tabpanel]")];
    for (const one of pages) {
      const excess = one.scrollWidth - one.clientWidth;
      if (excess > 1) problems.push(excess + " px too wide: " + one.tagName + "." + one.className);
    }
    for (const word of ["undefined", "NaN", "[object", "Invalid Date", "WORKSPACE_NOT_FOUND"])
      if (text.includes(word)) problems.push("it says " + word);
    if (/[\\u001b\\u202e\\u2066]/.test(text)) problems.push("a sequence reached the page");
    return problems;
  })()`);
  return Array.isArray(found) ? found.map(String) : ["the page gave no answer"];
}
