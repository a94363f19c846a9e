import { useSyncExternalStore } from "react";

export type Route =
  | { readonly view: "home" }
  | { readonly view: "story"; readonly story: string; readonly form: StoryForm }
  | { readonly view: "inbox" }
  | { readonly view: "new" }
  | { readonly view: "health" }
  | { readonly view: "board" }
  | { readonly view: "cost"; readonly story: string | null }
  | { readonly view: "audit" }
  | { readonly view: "unknown"; readonly path: string };

export const storyForms = ["tree", "timeline", "graph"] as const;
export type StoryForm = (typeof storyForms)[number];

/** The current address: the path names the view, the query names the open panel. */
export interface Place {
  readonly route: Route;
  /** The delegation whose panel is open. */
  readonly delegation: string | null;
  readonly tab: string | null;
}

export function readPlace(url: string): Place {
  const { pathname, searchParams } = new URL(url, "http://page");
  return {
    route: readRoute(pathname),
    delegation: searchParams.get("d"),
    tab: searchParams.get("tab"),
  };
}

function readRoute(path: string): Route {
  const [view = "", first, second = "tree"] = path.split("/").filter((word) => word !== "");
  if (view === "") return { view: "home" };
  if (view === "inbox" || view === "board" || view === "audit" || view === "health" || view === "new")
    return { view };
  if (view === "cost") return { view, story: first === undefined ? null : decodeURIComponent(first) };
  const form = storyForms.find((name) => name === second);
  if (view === "story" && first !== undefined && form !== undefined) {
    return { view, story: decodeURIComponent(first), form };
  }
  return { view: "unknown", path };
}

export function storyPath(story: string, form: StoryForm = "tree"): string {
  return `/story/${encodeURIComponent(story)}${form === "tree" ? "" : `/${form}`}`;
}

/** The same view with another delegation in the panel, or with the panel closed. */
export function withPanel(delegation: string | null, tab?: string): string {
  const url = new URL(window.location.href);
  for (const name of ["d", "tab", "attempt", "stream", "line", "with"]) url.searchParams.delete(name);
  if (delegation !== null) url.searchParams.set("d", delegation);
  if (delegation !== null && tab !== undefined) url.searchParams.set("tab", tab);
  return `${url.pathname}${url.search}`;
}

const moved = "ambit-moved";

export function goTo(path: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) window.history.replaceState(null, "", path);
  else window.history.pushState(null, "", path);
  window.dispatchEvent(new Event(moved));
}

export function usePlace(): Place {
  return readPlace(useUrl());
}

/** One value of the address's query, so that a filter can be sent as a link; changing it adds nothing to the history. */
export function useQueryValue(name: string): readonly [string, (value: string) => void] {
  const { pathname, searchParams } = new URL(useUrl(), "http://page");
  const change = (value: string): void => {
    const query = new URLSearchParams(window.location.search);
    if (value === "") query.delete(name);
    else query.set(name, value);
    const search = query.toString();
    goTo(search === "" ? pathname : `${pathname}?${search}`, { replace: true });
  };
  return [searchParams.get(name) ?? "", change];
}

function useUrl(): string {
  return useSyncExternalStore(watchUrl, () => window.location.pathname + window.location.search);
}

function watchUrl(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener(moved, listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener(moved, listener);
  };
}
