import * as z from "zod";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { runningSupervisor } from "./project-supervisor.ts";

const statusSchema = z.object({ pid: z.int(), version: z.string(), running: z.array(z.string()) });

export async function supervisorStatus(context: CommandContext): Promise<CommandOutcome> {
  const client = await runningSupervisor(context);
  if (client === undefined) return none;
  try {
    const { pid, version, running } = statusSchema.parse(await client.call("status", {}));
    const text = `process ${pid}, ambit ${version}, ${running.length === 0 ? "idle" : `running ${running.join(", ")}`}`;
    return { exitCode: exitCode.completed, json: { running: true, pid, version, stories: running }, text };
  } finally {
    client.close();
  }
}

/** Returns when it is gone. */
export async function supervisorStop(context: CommandContext): Promise<CommandOutcome> {
  const client = await runningSupervisor(context);
  if (client === undefined) return none;
  const { pid } = client.hello;
  await client.call("shutdown", {});
  await client.closed;
  return { exitCode: exitCode.completed, json: { running: false, pid }, text: `Process ${pid} has stopped.` };
}

const none: CommandOutcome = {
  exitCode: exitCode.completed,
  json: { running: false },
  text: "No supervisor is running; the next command that needs one starts it.",
};
