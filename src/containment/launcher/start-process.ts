import { type ChildProcess, spawn } from "node:child_process";
import { containmentErrors } from "../../errors/containment.ts";
import { type CommandLineRequest, buildCommandLine, userBusNames, usesLauncher } from "./command-line.ts";
import { FactsFile } from "./facts-file.ts";

export interface StartRequest extends CommandLineRequest {
  readonly stdin: number | "pipe";
  readonly stdout: number;
  readonly stderr: number;
  /** Where the facts file may be created; it has no name afterwards. */
  readonly directory: string;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Null without a launcher. */
  readonly facts: FactsFile | null;
}

/** The only call of `spawn` for agents and checks. Resolves once there is a process. */
export async function startProcess(request: StartRequest): Promise<StartedProcess> {
  const facts = usesLauncher(request.tier, request.tools) ? new FactsFile(request.directory) : null;
  const [program = "", ...rest] = buildCommandLine(request);
  const { stdin, stdout, stderr } = request;
  const child = spawn(program, rest, {
    cwd: request.cwd,
    env: environmentFor(request),
    stdio: [stdin, stdout, stderr, ...(facts === null ? [] : [facts.descriptor])],
    detached: true,
  });
  if (child.pid !== undefined) return { child, pid: child.pid, facts };
  facts?.close();
  const cause = await new Promise<unknown>((resolve) => child.once("error", resolve));
  throw containmentErrors.notStarted(request.argv[0] ?? program, program, cause);
}

function environmentFor(request: StartRequest): Readonly<Record<string, string>> {
  if (request.cgroup.kind !== "scope") return request.environment;
  const environment: Record<string, string> = { ...request.environment };
  for (const name of userBusNames) {
    const value = process.env[name];
    if (value !== undefined) environment[name] ??= value;
  }
  return environment;
}
