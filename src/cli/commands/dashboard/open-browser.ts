import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isatty } from "node:tty";
import { getTemporaryFolder } from "../../../base/temporary-folder.ts";
import type { CommandContext } from "../../input/command-module.ts";
import type { Environment } from "../../terminal/terminal.ts";

const STDOUT = 1;

/**
 * Opens a link if there is a screen. Every user of the machine can read a program's arguments, so the browser gets a
 * file that only this person can read and that redirects to the link. Calling the result removes the file.
 */
export function openBrowser(context: CommandContext, url: string): (() => void) | undefined {
  const opener = openerOf(context.environment);
  if (opener === undefined || !isatty(STDOUT)) return undefined;
  const folder = mkdtempSync(join(getTemporaryFolder(), "ambit-dashboard-"));
  const page = join(folder, "open.html");
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`, { mode: 0o600 });
  const [program = "", ...words] = opener;
  const child = spawn(program, [...words, pathToFileURL(page).href], { detached: true, stdio: "ignore" });
  child.once("error", () => context.progress("No browser could be opened; open the link yourself."));
  child.unref();
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Undefined without a screen. */
function openerOf(environment: Environment): readonly string[] | undefined {
  if (environment["CI"] !== undefined || environment["SSH_CONNECTION"] !== undefined) return undefined;
  if (process.platform === "darwin") return ["open"];
  const hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].some((name) => (environment[name] ?? "") !== "");
  return hasScreen ? ["xdg-open"] : undefined;
}
