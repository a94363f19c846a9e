import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";

/** The views that are made from the journal, next to the store itself. */
const VIEWS =
  /^(?:logs|delegation|delegation-archives|environments|registry\.json|errors\.json|traces\.json|.+\.state\.json)$/;

/**
 * Moves the store and everything made from it into a folder of its own and returns that folder; returns undefined if
 * there is no store. The next story begins a new journal. The caller owns the project.
 */
export function setHistoryAside(file: string, timestamp: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const state = dirname(file);
  const folder = join(state, `history-${timestamp.replaceAll(/[:.]/g, "-")}`);
  mkdirSync(folder, { mode: 0o700 });
  const names = readdirSync(state).filter((name) => name.startsWith("ambit.db") || VIEWS.test(name));
  for (const name of names) renameSync(join(state, name), join(folder, name));
  return folder;
}
