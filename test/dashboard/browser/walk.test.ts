import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lookAtView } from "../walk/look-at-view.ts";
import { openBigScene } from "../walk/scenes.ts";
import { walkStates } from "../walk/walk-states.ts";
import { views } from "../walk/views.ts";
import { openBrowser, openPage } from "./chromium.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
});

/** The other states, at every size: npm run test:dashboard-walk. */
it("no view of a finished story has a fault on a phone (R182)", async () => {
  expect(await walkStates(browser, { only: ["finished story"], sizes: ["phone"] })).toStrictEqual([]);
});

it("a view that is too wide, empty or broken is found (control)", async () => {
  const scene = await openBigScene(20);
  try {
    const { page } = await openPage(browser, scene.url);
    const [home] = views;
    if (home === undefined) throw new Error("no view");
    const look = {
      page,
      subject: scene.subject,
      sizes: ["phone"],
      rules: ["wcag2a"],
      state: "broken",
      check: async () => [],
    } as const;
    expect(await lookAtView(look, home)).toStrictEqual([]);
    await page.evaluate(`(() => {
      const button = document.createElement("button");
      button.style.minWidth = "999px";
      document.querySelector("main h1").after(button, " NaN");
    })()`);
    const found = (await lookAtView(look, home)).join("\n");
    for (const word of ["px too wide", "it says NaN", "button-name"]) expect(found).toContain(word);
  } finally {
    await scene.close();
  }
});
