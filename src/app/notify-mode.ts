import { resolveConfig } from "../config/load-config.ts";
import { configInput } from "./project/config-input.ts";
import type { AppContext } from "./project/app-context.ts";

/** `desktop` also asks the terminal for a notification; a terminal that cannot show one ignores the request. */
export type NotifyMode = "desktop" | "bell" | "off";

/** How a person is told about a question. A broken configuration means the default: its commands report it. */
export async function readNotifyMode(context: AppContext): Promise<NotifyMode> {
  const result = await resolveConfig(configInput(context));
  return result.ok ? result.config.values.terminal.notify : "desktop";
}
