import { FencedBlocks } from "../../base/markdown-fences.ts";
import { parseMarker, renderMarker } from "../../tasks/task.ts";

export interface PlanPhase {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  /** The commands in its lines `- **Check**: …`, in order. */
  readonly checks: readonly string[];
}

/** Identifies a phase, also after the plan was edited. */
export type PhaseName = Pick<PlanPhase, "number" | "title">;

/**
 * The phases of a plan: headings such as `### Phase 2: Storage [COMPLETED]`. Without a marker in the heading, a status
 * line below it counts, else its check boxes. Markers say where to continue, never that the work is proven.
 */
export function readPhases(text: string): readonly PlanPhase[] {
  return readSections(text.split(/\r?\n/)).map((section) => ({
    number: section.number,
    title: section.title,
    isDone: isPhaseDone(section),
    checks: readChecks(section),
  }));
}

export function hasPhase(phases: readonly PhaseName[], { number, title }: PhaseName): boolean {
  return phases.some((phase) => phase.number === number && phase.title === title);
}

/** The plan with exactly these phases marked as completed. All other text stays as it is, to the byte. */
export function markPhases(text: string, done: readonly PhaseName[]): string {
  const lines = text.split("\n");
  for (const section of readSections(lines.map((line) => line.replace(/\r$/, "")))) {
    const shouldBeDone = hasPhase(done, section);
    if (isPhaseDone(section) === shouldBeDone) continue;
    const marker = renderMarker(shouldBeDone ? "completed" : "not_started");
    const status = findStatusLine(section);
    const isInHeading = parseMarker(section.heading) !== undefined || status === undefined;
    const index = isInHeading ? section.index : status.index;
    lines[index] = setMarker(lines[index] ?? "", marker);
  }
  return lines.join("\n");
}

/** Replaces the last marker of a line, or adds one at its end. */
function setMarker(line: string, marker: string): string {
  const end = line.endsWith("\r") ? "\r" : "";
  const body = line.slice(0, line.length - end.length);
  const from = body.lastIndexOf("[");
  const to = body.indexOf("]", from);
  if (from < 0 || to < 0 || parseMarker(body.slice(from, to + 1)) === undefined)
    return `${body.trimEnd()} ${marker}${end}`;
  return `${body.slice(0, from)}${marker}${body.slice(to + 1)}${end}`;
}

interface PlacedLine {
  readonly index: number;
  readonly line: string;
}

interface Section {
  readonly number: number;
  readonly title: string;
  readonly level: number;
  readonly heading: string;
  /** The line of the heading. */
  readonly index: number;
  readonly lines: PlacedLine[];
}

const NO_PHASE: Section = { number: 0, title: "", level: 0, heading: "", index: 0, lines: [] };

function readSections(lines: readonly string[]): readonly Section[] {
  const sections: Section[] = [];
  for (const placed of skipCodeBlocks(lines)) {
    const { line, index } = placed;
    const heading = readHeading(line);
    if (heading !== undefined) sections.push({ ...heading, index, lines: [] });
    else if (isHeading(line) && countLevel(line) <= (sections.at(-1)?.level ?? 0)) sections.push(NO_PHASE);
    else if (sections.at(-1) !== NO_PHASE) sections.at(-1)?.lines.push(placed);
  }
  return sections.filter((section) => section !== NO_PHASE);
}

/** Code in a plan is an example, at any indentation: fences often belong to list items. */
function* skipCodeBlocks(lines: readonly string[]): Generator<PlacedLine> {
  const fences = new FencedBlocks(lines, { maxIndent: Infinity });
  for (let index = 0; index < lines.length; index += 1) {
    const end = fences.findEnd(index);
    if (end === undefined) yield { index, line: lines[index] ?? "" };
    else index = end;
  }
}

function isHeading(line: string): boolean {
  return /^#{1,6}\s/.test(line);
}

function countLevel(line: string): number {
  return line.length - line.replace(/^#{1,6}/, "").length;
}

const MAX_TITLE_LENGTH = 500;
const PHASE = /^phase\s+(\d{1,4})/i;

function readHeading(line: string): Omit<Section, "lines" | "index"> | undefined {
  if (!isHeading(line)) return undefined;
  const level = countLevel(line);
  const rest = line.slice(level).replaceAll("*", "").trim();
  const number = PHASE.exec(rest)?.[1];
  if (number === undefined) return undefined;
  const after = rest.slice(rest.indexOf(number) + number.length);
  const marker = after.lastIndexOf("[");
  const named = (marker < 0 ? after : after.slice(0, marker)).trim();
  const title = /^[:.–—-]/.test(named) ? named.slice(1).trim() : named;
  return { number: Number(number), title: title.slice(0, MAX_TITLE_LENGTH), level, heading: rest };
}

const MAX_LINES = 400;

function isPhaseDone(section: Section): boolean {
  const marked = parseMarker(section.heading);
  if (marked !== undefined) return marked === "completed";
  const status = findStatusLine(section);
  if (status !== undefined) return parseMarker(status.line) === "completed";
  const boxes = section.lines
    .slice(0, MAX_LINES)
    .map(({ line }) => /^\s{0,8}[-*] \[([ xX])\]/.exec(line)?.[1])
    .filter((box) => box !== undefined);
  return boxes.length > 0 && boxes.every((box) => box !== " ");
}

function findStatusLine({ lines }: Section): PlacedLine | undefined {
  return lines.slice(0, MAX_LINES).find(({ line }) => line.includes("**Status**:"));
}

const MAX_CHECKS = 20;
const MAX_CHECK_LENGTH = 2000;
const CHECK_LABEL = "**Check**:";

function readChecks({ lines }: Section): readonly string[] {
  return lines
    .slice(0, MAX_LINES)
    .filter(({ line }) => line.includes(CHECK_LABEL))
    .map(({ line }) => line.slice(line.indexOf(CHECK_LABEL) + CHECK_LABEL.length).trim())
    .filter((check) => check !== "" && check.length <= MAX_CHECK_LENGTH)
    .slice(0, MAX_CHECKS);
}
