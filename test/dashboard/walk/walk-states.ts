import type { Browser, Page } from "playwright-core";
import { openPage } from "../browser/chromium.ts";
import { lookAtView, type SizeName } from "./look-at-view.ts";
import { openBigScene, openFinishedScene, openLiveScene, type Scene } from "./scenes.ts";
import { states, type State } from "./states.ts";
import { views } from "./views.ts";

export interface WalkOptions {
  readonly only?: readonly string[] | undefined;
  readonly sizes?: readonly SizeName[];
  readonly pictures?: string | undefined;
  readonly onState?: (name: string, problems: readonly string[]) => void;
}

const scenes = { live: openLiveScene, finished: openFinishedScene, big: openBigScene } as const;

/** Looks at every view in every state that was asked for, and names all that is wrong. */
export async function walkStates(browser: Browser, options: WalkOptions = {}): Promise<readonly string[]> {
  const wanted = states.filter(({ name }) => options.only?.includes(name) ?? true);
  const found: string[] = [];
  for (const name of new Set(wanted.map(({ scene }) => scene))) {
    const scene = await scenes[name]();
    try {
      const ofScene = wanted.filter((one) => one.scene === name);
      found.push(...(await walkScene(browser, { scene, wanted: ofScene }, options)));
    } finally {
      await scene.close();
    }
  }
  return found;
}

async function walkScene(
  browser: Browser,
  { scene, wanted }: { readonly scene: Scene; readonly wanted: readonly State[] },
  options: WalkOptions,
): Promise<readonly string[]> {
  const { page, complaints } = await openPage(browser, scene.url);
  const found: string[] = [];
  for (const state of wanted) {
    const problems = [...(await walkState({ page, scene, state }, options))];
    if (state.mayComplain !== true) problems.push(...complaints.map((text) => `${state.name}: ${text}`));
    complaints.length = 0;
    options.onState?.(state.name, problems);
    found.push(...problems);
  }
  await page.context().close();
  return found;
}

interface Walked {
  readonly page: Page;
  readonly scene: Scene;
  readonly state: State;
}

async function walkState({ page, scene, state }: Walked, options: WalkOptions): Promise<readonly string[]> {
  const { sizes = state.sizes, pictures } = options;
  const found: string[] = [];
  await state.enter(page, scene);
  for (const view of views)
    found.push(
      ...(await lookAtView(
        {
          page,
          pictures,
          subject: state.subject ?? scene.subject,
          sizes: state.sizes.filter((size) => sizes.includes(size)),
          rules: state.rules,
          state: state.name,
          check: state.check,
        },
        view,
      )),
    );
  await state.leave?.(page);
  return found;
}
