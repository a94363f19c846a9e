import { renderDuration } from "../../base/duration-text.ts";
import type { Timeline, TimelineRow } from "../views/types/story.ts";
import { escapeHtml } from "./html-text.ts";

const WIDTH = 1000;
const LABELS = 260;
const ROW = 20;
const AXIS = 24;
const MAX_ROWS = 300;

/** When each delegation waited, worked and was checked, as a picture without scripts. */
export function renderTimelineSvg({ fromMs, toMs, nowMs, rows }: Timeline): string {
  const shown = rows.slice(0, MAX_ROWS);
  const spanMs = Math.max(1, toMs - fromMs);
  const place = (atMs: number): number => LABELS + ((WIDTH - LABELS) * (atMs - fromMs)) / spanMs;
  const height = AXIS + shown.length * ROW;
  const ticks = listTicks(spanMs).map((offsetMs) => renderTick(place(fromMs + offsetMs), offsetMs, height));
  const bars = shown.map((row, index) => renderRow(row, { y: AXIS + index * ROW, place, nowMs }));
  const more = rows.length > MAX_ROWS ? `<p>${rows.length - MAX_ROWS} more rows are not drawn.</p>` : "";
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Timeline">\n${[...ticks, ...bars].join("\n")}\n</svg>${more}`;
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
const MAX_TICKS = 8;

/** Round times, at most eight of them. */
function listTicks(spanMs: number): readonly number[] {
  const fits = (seconds: number): boolean => spanMs / (seconds * 1000) <= MAX_TICKS;
  const stepMs = 1000 * (steps.find(fits) ?? Math.ceil(spanMs / 1000 / MAX_TICKS));
  return Array.from({ length: Math.floor(spanMs / stepMs) + 1 }, (_, index) => index * stepMs);
}

function renderTick(x: number, offsetMs: number, height: number): string {
  const label = offsetMs === 0 ? "0" : renderDuration(offsetMs);
  return `<line class="tick" x1="${round(x)}" y1="${AXIS - 6}" x2="${round(x)}" y2="${height}"/><text x="${round(x)}" y="12" class="axis">${label}</text>`;
}

interface RowPlace {
  readonly y: number;
  readonly place: (atMs: number) => number;
  readonly nowMs: number;
}

const MAX_LABEL = 34;

function renderRow({ label, title, depth, segments }: TimelineRow, { y, place, nowMs }: RowPlace): string {
  const name = `${label === "" ? "story" : label} ${title}`;
  const text = escapeHtml(name.length > MAX_LABEL ? `${name.slice(0, MAX_LABEL)}…` : name);
  const bars = segments.map(({ kind, fromMs, toMs, attempt }) => {
    const endMs = toMs ?? nowMs;
    const width = Math.max(1, place(endMs) - place(fromMs));
    const what = `${kind}, attempt ${attempt}, ${renderDuration(endMs - fromMs)}`;
    return `<rect class="${kind}" x="${round(place(fromMs))}" y="${y + 3}" width="${round(width)}" height="${ROW - 6}"><title>${escapeHtml(what)}</title></rect>`;
  });
  return `<text x="${depth * 10}" y="${y + 14}">${text}</text>${bars.join("")}`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
