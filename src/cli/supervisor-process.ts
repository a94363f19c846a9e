import { DelegationError } from "../base/delegation-error.ts";
import { ALREADY_RUNNING } from "../supervisor/ensure-supervisor.ts";
import { runSupervisor } from "../supervisor/run-supervisor.ts";

const IDLE_MS = 30_000;

/** The process behind every command that needs one; never called by people. */
export async function superviseProject(projectRoot: string, version: string): Promise<number> {
  const idleMs = Number(process.env["AMBIT_IDLE_MS"] ?? IDLE_MS);
  try {
    await runSupervisor({
      projectRoot,
      version,
      environment: process.env,
      workerProgram: [process.execPath, process.argv[1] ?? "", "__worker"],
      program: [process.execPath, process.argv[1] ?? ""],
      idleMs,
      log: (line) => void process.stderr.write(`${new Date().toISOString()} ${process.pid} ${line}\n`),
    });
    return 0;
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${text}\n`);
    return error instanceof DelegationError && error.code === "SUPERVISOR_RUNNING" ? ALREADY_RUNNING : 1;
  }
}
