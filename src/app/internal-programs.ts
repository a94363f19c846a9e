export interface ProgramStart {
  readonly argument: string;
  readonly version: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The words that start Ambit. */
  readonly program: readonly string[];
}

/** Gives the exit status of its process. */
export type InternalProgram = (start: ProgramStart) => Promise<number>;

/**
 * Programs that Ambit starts from its own file, so that one install brings everything; people never call them. Each is
 * loaded only in its own process.
 */
export const internalPrograms: ReadonlyMap<string, InternalProgram> = new Map<string, InternalProgram>([
  [
    "__supervisor",
    async (start) => (await import("./programs/supervise-project.ts")).superviseProject(start),
  ],
  [
    "__handout",
    async ({ argument, environment }) =>
      (await import("./programs/hand-out-parts.ts")).handOutParts(argument, environment),
  ],
  [
    "__worker",
    async ({ argument, environment }) =>
      (await import("../agents/scripted-worker.ts")).runScriptedWorker(argument, environment),
  ],
  [
    "__acp",
    async ({ argument, environment }) =>
      (await import("../agents/acp-client.ts")).runAcpClient(argument, environment),
  ],
]);
