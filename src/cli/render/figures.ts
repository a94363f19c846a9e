import { padText } from "../terminal/text-width.ts";

/** One figure per line under the name it has in JSON; what was not measured says so. Other fields are left out. */
export function renderFigures(document: Readonly<Record<string, unknown>>): string {
  const figures = Object.entries(document).flatMap(([name, value]) =>
    value === null || typeof value === "number" ? [{ name, value }] : [],
  );
  const width = Math.max(...figures.map(({ name }) => name.length));
  return figures
    .map(({ name, value }) => `${padText(name, width, "left")}  ${value ?? "not measured"}`)
    .join("\n");
}
