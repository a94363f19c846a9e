import { createStore } from "./store.ts";

const query = window.matchMedia("print");

/** Whether the page is being printed: then lists draw all their rows instead of the visible ones. */
export const isPrinting = createStore(query.matches);

query.addEventListener("change", () => isPrinting.set(() => query.matches));
