import type { Page } from "playwright-core";

export interface SeenStream {
  /** Numbers of all events of the stream that carries the story, in the order in which they came. */
  readonly numbers: readonly number[];
  /** The times for which the page was busy without a break, if longer than 50 ms. */
  readonly longTasksMs: readonly number[];
}

/** Notes the events of a page's streams and its busy times. Call it before the page is loaded. */
export async function watchStream(page: Page, story: string): Promise<() => Promise<SeenStream>> {
  await page.addInitScript(`
    globalThis.seen = { numbers: [], longTasksMs: [] };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longTasksMs.push(duration);
    }).observe({ type: "longtask", buffered: true });
    const Plain = globalThis.EventSource;
    globalThis.EventSource = class extends Plain {
      constructor(url) {
        super(url);
        if (!String(url).includes("nodes=" + ${JSON.stringify(story)})) return;
        this.addEventListener("batch", ({ data }) => {
          for (const { seq } of JSON.parse(data).events) seen.numbers.push(seq);
        });
      }
    };
  `);
  return async () => {
    const seen: unknown = await page.evaluate("JSON.stringify(seen)");
    return JSON.parse(String(seen));
  };
}
