import { readFileSync } from "node:fs";
import * as z from "zod";

/** The client's instructions, below the agent's home. */
export const LAUNCH_FILE = "acp-launch.json";

const strings = z.array(z.string());

const launchSchema = z.strictObject({
  command: strings.min(1),
  /** The user's PATH: on a worker's PATH, agents are shims that refuse to start. */
  search_path: z.string().optional(),
  prompt: z.string(),
  /** The prompt after a soft limit has cut the turn short. */
  wind_down_prompt: z.string(),
  resume_session: z.string().optional(),
  model: z.string().optional(),
  mcp_servers: z.array(
    z.strictObject({
      name: z.string(),
      command: z.string(),
      args: strings,
      env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    }),
  ),
  /** In addition to its workspace. */
  writable: strings,
  additional_directories: strings,
  denied_tools: strings,
  titles_are_commands: z.boolean().optional(),
  /** `_meta` of a new session. */
  session_settings: z.record(z.string(), z.unknown()).optional(),
});

export type AcpLaunch = z.infer<typeof launchSchema>;

export function readLaunchFile(path: string): AcpLaunch {
  return launchSchema.parse(JSON.parse(readFileSync(path, "utf8")));
}

/** A line on its input that means: end the turn and let the agent report. */
export const WIND_DOWN_LINE = '{"ambit":"wind-down"}';
