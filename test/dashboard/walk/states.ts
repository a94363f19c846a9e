import type { Page } from "playwright-core";
import { ageLogs, editBoardByHand, type Scene } from "./scenes.ts";
import type { SizeName } from "./look-at-view.ts";
import type { Subject, View } from "./views.ts";

export interface State {
  readonly name: string;
  readonly scene: "live" | "finished" | "big";
  /** Brings the scene into the state, once. */
  readonly enter: (page: Page, scene: Scene) => Promise<void>;
  readonly leave?: (page: Page) => Promise<void>;
  readonly sizes: readonly SizeName[];
  readonly rules: readonly string[] | undefined;
  /** What this state promises for each view. */
  readonly check: (page: Page, view: View) => Promise<readonly string[]>;
  /** The subject of this state, in place of the scene's own. */
  readonly subject?: Subject;
  /** The page complains about a server that is away. */
  readonly mayComplain?: boolean;
}

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const everySize: readonly SizeName[] = ["wide", "small", "phone"];
const nothing = async (): Promise<void> => undefined;

/** The order matters, because some states cannot be left again. */
export const states: readonly State[] = [
  {
    name: "finished story",
    scene: "finished",
    enter: nothing,
    sizes: everySize,
    rules: wcag,
    check: async (page, { name, isAboutStory }) => [
      ...(await expectNone(page, "main .state", /^\W*(running|waiting|interrupted)/)),
      ...(["tree", "timeline", "graph"].includes(name)
        ? await expectSome(page, "[aria-label='Where the work is']", /ambit\/F1/)
        : []),
      ...(isAboutStory ? await expectSome(page, "main .state", /done/) : []),
      ...(await expectNone(page, "[role=alert]", /supervisor/)),
      ...(name === "panel log" ? await expectSome(page, ".ink-green", /all is green/) : []),
      ...(name === "panel log" ? await expectSome(page, ".line-time", /\d\d:\d\d:\d\d/) : []),
    ],
  },
  {
    name: "1,000 workers",
    scene: "big",
    enter: nothing,
    sizes: everySize,
    rules: wcag,
    check: async (page) => {
      const nodes = Number(await page.evaluate(`document.querySelectorAll("*").length`));
      return nodes < 6000 ? [] : [`${nodes} elements`];
    },
  },
  {
    name: "refused",
    scene: "big",
    enter: nothing,
    sizes: everySize,
    rules: undefined,
    check: async (page, { isAboutStory }) => (isAboutStory ? expectSome(page, "main a", /^1 refused$/) : []),
  },
  {
    name: "open questions",
    scene: "live",
    enter: nothing,
    sizes: everySize,
    rules: wcag,
    check: async (page, { name }) => [
      ...(await expectSome(page, "header .counts", /3\s+need you/)),
      ...((await page.title()).startsWith("(3) ") ? [] : ["its title does not count the questions"]),
      ...(["tree", "timeline", "graph"].includes(name)
        ? await expectSome(page, "[aria-label='Needs you']", /3 questions wait for you/)
        : []),
      ...(name === "inbox" || name === "home" ? await expectSome(page, "main", /uuid or bigint\?/) : []),
    ],
  },
  {
    name: "phone",
    scene: "live",
    enter: nothing,
    sizes: ["phone"],
    rules: undefined,
    check: async (page) => listNamelessButtons(page),
  },
  {
    name: "dark",
    scene: "live",
    enter: (page) => chooseTheme(page, "dark"),
    leave: (page) => chooseTheme(page, "light"),
    sizes: everySize,
    rules: ["color-contrast"],
    check: async (page) => {
      const ground = String(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
      const [red = 255] = (ground.match(/\d+/g) ?? []).map(Number);
      return red < 60 ? [] : [`its ground is ${ground}`];
    },
  },
  {
    name: "forced colours",
    scene: "live",
    enter: (page) => page.emulateMedia({ forcedColors: "active" }),
    leave: (page) => page.emulateMedia({ forcedColors: "none" }),
    sizes: everySize,
    // The system sets the contrast now, but axe computes it from the page's own colours.
    rules: ["wcag2a", "wcag21a", "best-practice"],
    check: async (page) => listInvisible(page),
  },
  {
    name: "print",
    scene: "live",
    enter: (page) => page.emulateMedia({ media: "print" }),
    leave: (page) => page.emulateMedia({ media: "screen" }),
    sizes: ["wide"],
    rules: undefined,
    check: async (page) => listPrintFaults(page),
  },
  {
    name: "stalled",
    scene: "live",
    subject: { story: "W1", worker: "W1" },
    enter: async (_page, { project }) => {
      if (project !== undefined) ageLogs(project);
    },
    sizes: everySize,
    rules: wcag,
    check: async (page, { isAboutStory }) =>
      isAboutStory ? expectSome(page, "main .state.tone-attention", /silent \d+m/) : [],
  },
  {
    name: "hand-edited board",
    scene: "live",
    enter: async (_page, { project }) => {
      if (project !== undefined) editBoardByHand(project);
    },
    sizes: everySize,
    rules: wcag,
    check: async (page, { name }) => [
      ...(name === "board" ? await expectSome(page, ".task-card", /edited by hand.*of the shop/s) : []),
      ...(name === "board"
        ? await expectSome(page, "[aria-label='In progress'] .task-card", /Add OAuth login/)
        : []),
    ],
  },
  {
    name: "hidden tab",
    scene: "live",
    enter: (page) => setHidden(page, true),
    leave: (page) => setHidden(page, false),
    sizes: ["wide"],
    rules: undefined,
    check: async (page) =>
      (await page.title()).startsWith("(3) ") ? [] : [`its title is ${await page.title()}`],
  },
  {
    name: "dead supervisor",
    scene: "live",
    enter: async (page, { project }) => {
      if (project !== undefined) process.kill(await project.supervisorPid(), "SIGKILL");
      await page.locator(".banner", { hasText: "No supervisor" }).waitFor();
    },
    sizes: everySize,
    rules: wcag,
    check: async (page, { isAboutStory }) => [
      ...(await expectSome(page, ".banner", /No supervisor is running.*Resume/s)),
      ...(await expectNone(page, ".state", /running|working/)),
      ...(await expectNone(page, "main", /● live/)),
      ...(isAboutStory ? await expectSome(page, "main .state", /interrupted/) : []),
    ],
  },
  {
    name: "server away",
    scene: "live",
    enter: async (page, scene) => {
      // Without a server only loaded views can be shown. The page loads the others when it is idle.
      await page.waitForLoadState("networkidle").catch(() => undefined);
      await scene.stopServer();
      await page.locator(".banner", { hasText: "Not connected" }).waitFor({ timeout: 60_000 });
    },
    sizes: everySize,
    rules: wcag,
    mayComplain: true,
    check: async (page) => [
      ...(await expectSome(page, ".banner", /Not connected/)),
      ...(await expectSome(page, "nav[aria-label=Views]", /Inbox/)),
    ],
  },
];

const PATIENCE_MS = 90_000;

/** Waits for an expected change, because live pages change by themselves. */
async function expectSome(page: Page, selector: string, text: RegExp): Promise<readonly string[]> {
  try {
    await page.locator(selector, { hasText: text }).first().waitFor({ timeout: PATIENCE_MS });
    return [];
  } catch {
    const seen = await page.locator(selector).allTextContents();
    return [`${selector} does not say ${text.source} but ${JSON.stringify(seen.slice(0, 5)).slice(0, 300)}`];
  }
}

async function expectNone(page: Page, selector: string, text: RegExp): Promise<readonly string[]> {
  const found = await page.locator(selector, { hasText: text }).allTextContents();
  return found.length === 0 ? [] : [`${selector} says ${JSON.stringify(found[0]).slice(0, 200)}`];
}

async function listNamelessButtons(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`[...document.querySelectorAll("button, a, select, input")]
    .filter((one) => one.checkVisibility() && one.tabIndex >= 0)
    .filter((one) => !(one.getAttribute("aria-label") || one.innerText?.trim() || one.labels?.length || one.title))
    .map((one) => one.outerHTML.slice(0, 120))`);
  return Array.isArray(found) ? found.map((html) => `no name: ${String(html)}`) : ["no answer"];
}

/** Bars and meters that are drawn by a background alone vanish in a person's own colours. */
async function listInvisible(page: Page): Promise<readonly string[]> {
  const found: unknown =
    await page.evaluate(`[...document.querySelectorAll(".meter, .tag, .count, .card, .node-box")]
    .filter((one) => one.checkVisibility())
    .filter((one) => getComputedStyle(one).borderTopStyle === "none")
    .map((one) => one.className)`);
  return Array.isArray(found) ? [...new Set(found.map((name) => `no line: ${String(name)}`))] : ["no answer"];
}

async function listPrintFaults(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`(() => {
    const problems = [];
    for (const [name, selector] of [["navigation", "nav"], ["header", "header"], ["tools", ".toolbar"], ["actions", ".actions"]])
      if ([...document.querySelectorAll(selector)].some((one) => one.checkVisibility())) problems.push("prints its " + name);
    const main = document.querySelector("main");
    for (const one of [main, ...main.querySelectorAll(".scroll, .view, .panel")])
      if (one.scrollHeight > one.clientHeight + 4 && getComputedStyle(one).overflowY !== "visible")
        problems.push("cuts " + one.className);
    return problems;
  })()`);
  return Array.isArray(found) ? found.map(String) : ["no answer"];
}

async function chooseTheme(page: Page, theme: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByLabel("Theme").selectOption(theme);
}

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, "hidden", { get: () => ${String(isHidden)}, configurable: true });
     document.dispatchEvent(new Event("visibilitychange"))`,
  );
}
