import { visibleText } from "../../base/visible-text.ts";

interface Notice {
  readonly delegation: string;
  readonly code: string;
  readonly message: string;
}

/** One line for each, after the verdict or below the tree. */
export function renderNotices(notices: readonly Notice[] = []): readonly string[] {
  return notices.map(({ delegation, code, message }) =>
    visibleText(`  noticed  ${delegation}: ${code}  ${message}`),
  );
}
