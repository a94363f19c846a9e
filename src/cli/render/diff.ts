import { safeText } from "../../base/safe-text.ts";
import type { ChangedFile } from "../../app/diff.ts";
import type { Paint } from "../terminal/paint.ts";
import { cutText, padText, textWidth } from "../terminal/text-width.ts";
import { visibleText } from "../../base/visible-text.ts";

export interface DiffStyle {
  readonly kind: "stat" | "names" | "patch";
  readonly ascii: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
  /** It goes to a terminal, which must not obey what is in the files; a patch in a file stays usable. */
  readonly isSafe: boolean;
}

export interface ChangedFiles {
  readonly files: readonly ChangedFile[];
  readonly added: number;
  readonly removed: number;
}

/** The files first, then, for a patch, every change; names alone when only they are asked for. */
export function renderDiff(diff: ChangedFiles & { readonly patch: string | null }, style: DiffStyle): string {
  if (diff.files.length === 0) return style.kind === "names" ? "" : "No file differs.";
  if (style.kind === "names") return diff.files.map(({ path }) => safeText(path)).join("\n");
  const stat = renderStat(diff, style);
  return style.kind === "stat" ? stat : `${stat}\n\n${renderPatch(diff.patch ?? "", style)}`;
}

const letters = { added: "A", changed: "M", removed: "D", renamed: "R" } as const;

/** One line per file and their sum. */
export function renderStat(diff: ChangedFiles, style: Pick<DiffStyle, "ascii" | "width" | "paint">): string {
  const { ascii, width, paint } = style;
  const rows = diff.files.map((file) => ({ name: nameOf(file), file }));
  const widest = Math.max(...rows.map(({ name }) => textWidth(name)));
  const room = Math.min(widest, Math.max(20, (width ?? Number.POSITIVE_INFINITY) - COUNTS_WIDTH));
  const minus = ascii ? "-" : "−";
  const lines = rows.map(({ name, file }) => {
    const counts =
      file.added === null
        ? "binary"
        : `${paint.green(`+${file.added}`)} ${paint.red(`${minus}${file.removed ?? 0}`)}`;
    return `${letters[file.kind]}  ${padText(cutText(name, room, ascii), room, "left")}  ${counts}`;
  });
  const count = diff.files.length === 1 ? "1 file" : `${diff.files.length} files`;
  return [...lines, `${count}, +${diff.added} ${minus}${diff.removed}`].join("\n");
}

const COUNTS_WIDTH = 20;

function nameOf({ path, old_path: oldPath }: ChangedFile): string {
  return oldPath === null ? safeText(path) : `${safeText(oldPath)} => ${safeText(path)}`;
}

function renderPatch(text: string, { paint, isSafe }: DiffStyle): string {
  const shown = isSafe ? visibleText(text) : text;
  return shown
    .split("\n")
    .map((line) => paintLine(line, paint))
    .join("\n");
}

function paintLine(line: string, paint: Paint): string {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("diff ")) return paint.bold(line);
  if (line.startsWith("@@")) return paint.dim(line);
  if (line.startsWith("+")) return paint.green(line);
  return line.startsWith("-") ? paint.red(line) : line;
}
