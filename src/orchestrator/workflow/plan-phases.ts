import { FencedBlocks } from "../../base/markdown-fences.ts";
import { parseMarker } from "../../tasks/task.ts";

export interface PlanPhase {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
}

/**
 * The phases of a plan: headings such as `### Phase 2: Storage [COMPLETED]`. Without a marker in the heading, a status
 * line below it counts, else its check boxes. Markers say where to continue, never that the work is proven.
 */
export function readPhases(text: string): readonly PlanPhase[] {
  const sections: Section[] = [];
  for (const line of skipCodeBlocks(text.split(/\r?\n/))) {
    const heading = readHeading(line);
    if (heading !== undefined) sections.push({ ...heading, lines: [] });
    else if (isHeading(line) && countLevel(line) <= (sections.at(-1)?.level ?? 0)) sections.push(NO_PHASE);
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .filter((section) => section !== NO_PHASE)
    .map((section) => ({ number: section.number, title: section.title, isDone: isPhaseDone(section) }));
}

/** The first phase that is not done; null when all are. */
export function findNextPhase(phases: readonly PlanPhase[]): number | null {
  return phases.find((phase) => !phase.isDone)?.number ?? null;
}

interface Section {
  readonly number: number;
  readonly title: string;
  readonly level: number;
  readonly heading: string;
  readonly lines: string[];
}

const NO_PHASE: Section = { number: 0, title: "", level: 0, heading: "", lines: [] };

/** Code in a plan is an example, at any indentation: fences often belong to list items. */
function* skipCodeBlocks(lines: readonly string[]): Generator<string> {
  const fences = new FencedBlocks(lines, { maxIndent: Infinity });
  for (let index = 0; index < lines.length; index += 1) {
    const end = fences.findEnd(index);
    if (end === undefined) yield lines[index] ?? "";
    else index = end;
  }
}

function isHeading(line: string): boolean {
  return /^#{1,6}\s/.test(line);
}

function countLevel(line: string): number {
  return line.length - line.replace(/^#{1,6}/, "").length;
}

const PHASE = /^phase\s+(\d{1,4})/i;

function readHeading(line: string): Omit<Section, "lines"> | undefined {
  if (!isHeading(line)) return undefined;
  const level = countLevel(line);
  const rest = line.slice(level).replaceAll("*", "").trim();
  const number = PHASE.exec(rest)?.[1];
  if (number === undefined) return undefined;
  const after = rest.slice(rest.indexOf(number) + number.length);
  const marker = after.lastIndexOf("[");
  const named = (marker < 0 ? after : after.slice(0, marker)).trim();
  const title = /^[:.–—-]/.test(named) ? named.slice(1).trim() : named;
  return { number: Number(number), title, level, heading: rest };
}

const MAX_LINES = 400;

function isPhaseDone({ heading, lines }: Section): boolean {
  const marked = parseMarker(heading);
  if (marked !== undefined) return marked === "completed";
  const below = lines.slice(0, MAX_LINES);
  const status = below.find((line) => line.includes("**Status**:"));
  if (status !== undefined) return parseMarker(status) === "completed";
  const boxes = below
    .map((line) => /^\s{0,8}[-*] \[([ xX])\]/.exec(line)?.[1])
    .filter((box) => box !== undefined);
  return boxes.length > 0 && boxes.every((box) => box !== " ");
}
