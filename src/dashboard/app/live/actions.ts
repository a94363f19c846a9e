import type { Action, ActionResult, Problem } from "../../../app/view-types.ts";
import { announce } from "./announce.ts";
import { act, asProblem } from "./calls.ts";
import { liveProject } from "./project.ts";
import { createStore } from "./store.ts";

export interface Toast {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
  /** A run to go to. */
  readonly run: string | null;
}

export const toasts = createStore<readonly Toast[]>([]);

const SHOWN_MS = 8000;
let count = 0;

/** Performs an action and shows the outcome. Returns undefined on a refusal, which is not shown if the caller handles it. */
export async function perform(
  action: Action,
  takesRefusal: (problem: Problem) => boolean = () => false,
): Promise<ActionResult | undefined> {
  try {
    const result = await act(action);
    tell({ tone: "good", text: result.message, run: result.run });
    // An answered question leaves the screen now, not when the journal reports it a moment later.
    liveProject.set((known) => ({ ...known, questions: known.questions + 1 }));
    return result;
  } catch (error) {
    const problem = asProblem(error);
    if (takesRefusal(problem)) return undefined;
    const { message, recommendation } = problem;
    tell({ tone: "bad", text: `${message} ${recommendation}`, run: null });
    return undefined;
  }
}

export function dismissToast(id: number): void {
  toasts.set((shown) => shown.filter((toast) => toast.id !== id));
}

function tell(news: Omit<Toast, "id">): void {
  count += 1;
  const toast = { ...news, id: count };
  toasts.set((shown) => [...shown.slice(-2), toast]);
  announce(news.text);
  // A refusal stays until the person dismisses it.
  if (news.tone === "good") window.setTimeout(() => dismissToast(toast.id), SHOWN_MS);
}
