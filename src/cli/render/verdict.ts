import type { CommandContext } from "../input/command-module.ts";
import { paint } from "../terminal/paint.ts";
import { visibleText } from "../../base/visible-text.ts";

export interface VerdictLine {
  readonly ok: boolean;
  /** Shown next to the mark if it did not pass. */
  readonly code?: string | undefined;
  readonly message: string;
}

export type VerdictStyle = Pick<CommandContext, "ascii" | "color">;

/** One line per verdict: a mark, never a colour alone, then the code and what it means. */
export function renderVerdict({ ok, code, message }: VerdictLine, style: VerdictStyle): string {
  const { green, red } = paint(style.color("stdout"));
  const text = visibleText(message);
  if (ok) return `${green(style.ascii ? "ok" : "✔")} ${text}`;
  const mark = style.ascii ? "x" : "✖";
  return code === undefined ? `${red(mark)} ${text}` : `${red(`${mark} ${code}`)}  ${text}`;
}
