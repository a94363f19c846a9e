import { padText } from "./text-width.ts";

/** One figure per line under the name it has in JSON; what was not measured says so. */
export function renderFigures(figures: Readonly<Record<string, number | null>>): string {
  const names = Object.keys(figures);
  const width = Math.max(...names.map((name) => name.length));
  return Object.entries(figures)
    .map(([name, value]) => `${padText(name, width, "left")}  ${value ?? "not measured"}`)
    .join("\n");
}
