import type { LogLine } from "../../app/logs.ts";
import { visibleText } from "../../base/visible-text.ts";
import { taskLabel } from "./task-label.ts";

export interface LineStyle {
  readonly story: string;
  /** Whether each line says whose it is: needed as soon as there are several. */
  readonly isPrefixed: boolean;
  readonly dim: (text: string) => string;
}

/** `2.1#2 ! text`: whose, which attempt after the first, and `!` for stderr. */
export function renderLogLine(line: LogLine, { story, isPrefixed, dim }: LineStyle): string {
  const text = visibleText(line.text);
  if (!isPrefixed) return text;
  const label = taskLabel(line.delegation, story);
  const attempt = line.attempt === 1 ? "" : `#${line.attempt}`;
  return `${dim(`${label}${attempt} ${line.stream === "stderr" ? "!" : "|"}`)} ${text}`;
}
