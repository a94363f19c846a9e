import { renderDuration } from "../../base/duration-text.ts";
import { groupDigits } from "../../base/group-digits.ts";
import { padText } from "../terminal/text-width.ts";
import { renderUsd } from "./amounts.ts";

/** One figure per line, in words and with its unit; what was not measured says so. Other fields are left out. */
export function renderFigures(document: Readonly<Record<string, unknown>>): string {
  const figures = Object.entries(document).flatMap(([key, value]) =>
    value === null || typeof value === "number" ? [{ ...readUnit(key), value }] : [],
  );
  const width = Math.max(...figures.map(({ name }) => name.length));
  return figures
    .map(({ name, render, value }) => {
      const shown = value === null ? "not measured" : render(value);
      return `${padText(name, width, "left")}  ${shown}`;
    })
    .join("\n");
}

interface Unit {
  readonly name: string;
  readonly render: (value: number) => string;
}

/** The end of a JSON key names its unit. */
const units: readonly (readonly [ending: string, render: Unit["render"]])[] = [
  ["_ms", renderMilliseconds],
  ["_usd", (value) => renderUsd(value)],
];

const shares: ReadonlySet<string> = new Set(["success_rate", "parallel_efficiency"]);

function readUnit(key: string): Unit {
  const [ending, render] = units.find(([one]) => key.endsWith(one)) ?? ["", renderNumber];
  const words = key.slice(0, key.length - ending.length).split("_");
  const name = words.map((word) => abbreviations[word] ?? word).join(" ");
  return { name, render: shares.has(key) ? renderShare : render };
}

const abbreviations: Readonly<Record<string, string>> = { avg: "average", p95: "95th percentile of" };

function renderMilliseconds(value: number): string {
  return value < 1000 ? `${Math.round(value * 10) / 10} ms` : renderDuration(value);
}

function renderShare(value: number): string {
  return `${Math.round(value * 100)}%`;
}

function renderNumber(value: number): string {
  return groupDigits(Math.round(value));
}
