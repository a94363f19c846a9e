import { createStore } from "../live/store.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const KEY = "ambit-theme";
const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

export const theme = createStore<Theme>(remembered());

export function chooseTheme(chosen: Theme): void {
  window.localStorage.setItem(KEY, chosen);
  theme.set(() => chosen);
  applyTheme();
}

/** Runs once, before the first draw, and follows later changes of the system's colour scheme. */
export function startTheme(): void {
  prefersDark.addEventListener("change", applyTheme);
  applyTheme();
}

function applyTheme(): void {
  const chosen = theme.get();
  const isDark = chosen === "dark" || (chosen === "system" && prefersDark.matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}

function remembered(): Theme {
  const kept = window.localStorage.getItem(KEY);
  return themes.find((name) => name === kept) ?? "system";
}
