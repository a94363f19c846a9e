import { readFileSync } from "node:fs";
import * as z from "zod";

/** Where the client finds its orders, below the agent's home. */
export const LAUNCH_FILE = "acp-launch.json";

const strings = z.array(z.string());

const launchSchema = z.strictObject({
  command: strings.min(1),
  /** The user's own PATH: on a worker's, names of agents are programs that refuse. */
  search_path: z.string().optional(),
  prompt: z.string(),
  /** What it is told after the turn was cut short by a soft limit. */
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
  /** Besides its workspace. */
  writable: strings,
  additional_directories: strings,
  denied_tools: strings,
});

export type AcpLaunch = z.infer<typeof launchSchema>;

export function readLaunchFile(path: string): AcpLaunch {
  return launchSchema.parse(JSON.parse(readFileSync(path, "utf8")));
}

/** On its input: end the turn and let the agent report what it has. */
export const WIND_DOWN_LINE = '{"ambit":"wind-down"}';
