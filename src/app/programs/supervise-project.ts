import { DelegationError } from "../../base/delegation-error.ts";
import { ALREADY_RUNNING } from "../../supervisor/ensure-supervisor.ts";
import { runSupervisor } from "../../supervisor/run-supervisor.ts";
import { formatLogLine } from "../../supervisor/supervisor-log.ts";

const IDLE_MS = 30_000;

export interface SupervisorStart {
  /** The project's root. */
  readonly argument: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly program: readonly string[];
}

/** The process behind every command that needs one. Its log is on stderr. */
export async function superviseProject(start: SupervisorStart): Promise<number> {
  const { argument: projectRoot, version, environment, program } = start;
  try {
    await runSupervisor({
      projectRoot,
      version,
      environment,
      workerProgram: [...program, "__worker"],
      program,
      idleMs: Number(environment["AMBIT_IDLE_MS"] ?? IDLE_MS),
      log: (text, error) => void process.stderr.write(formatLogLine(text, error)),
    });
    return 0;
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(formatLogLine(text));
    return error instanceof DelegationError && error.code === "SUPERVISOR_RUNNING" ? ALREADY_RUNNING : 1;
  }
}
