import { fileURLToPath } from "node:url";
import { DelegationError } from "./base/delegation-error.ts";
import { findProjectRoot } from "./config/find-project.ts";
import type { ApprovalAnswer } from "./contract/approval.ts";
import type { JournalEvent } from "./contract/journal-event.ts";
import type { Delegation, StoreReader } from "./journal/store.ts";
import type { StoryRequest } from "./contract/story-request.ts";
import type { WorkflowInput } from "./contract/workflow-request.ts";
import { openWorkflow } from "./orchestrator/pipeline.ts";
import { ownProject } from "./supervisor/project-lock.ts";
import { openProjectRuntime } from "./supervisor/project-runtime.ts";

export type { StoryRequest, WorkflowInput };

export interface RuntimeOptions {
  /** Anywhere inside the repository. */
  readonly directory: string;
  /** What agents start from; the allow-list is applied to it. This process's own when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly onEvent?: (event: JournalEvent) => void;
  /** Starts the `ambit` command line; the one of this package when absent. */
  readonly program?: readonly string[];
}

/** The runtime inside your own process: same limits, same journal, same checks as the command line. */
export interface Runtime {
  /** Runs a story to its end. An agent's failure is an outcome; only a broken environment throws. */
  run(story: StoryRequest): Promise<Delegation>;
  /** Begins one and answers its id. */
  start(story: StoryRequest): Promise<string>;
  /** Runs a workflow command to its end, as `ambit research 197` does: routed, bounded, settled. Refusals throw. */
  workflow(command: WorkflowInput): Promise<Delegation>;
  whenEnded(id: string): Promise<Delegation>;
  /** Ends a story, or a delegation with everything below it; their work is kept. */
  stop(id: string, reason: string): Promise<void>;
  /** Answers what waits for a person; `reader.openApprovals` lists it. */
  answer(approval: string, answer: Exclude<ApprovalAnswer, "expired">, reason?: string): Promise<void>;
  readonly reader: StoreReader;
  /** Ends running agents; their delegations stay open in the journal and are taken up by the next runtime. */
  close(): Promise<void>;
}

/**
 * Opens the runtime of the repository around `directory`. Refuses while a supervisor or another process owns it.
 *
 * @example
 * const runtime = await createRuntime({ directory: "." });
 * const ended = await runtime.run({ id: "S-1", title: "Fix the tests", agent: "fixer", criteria: ["`npm test` passes"] });
 * console.log(ended.outcome);
 * await runtime.close();
 */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const projectRoot = findProjectRoot(options.directory);
  if (projectRoot === undefined) throw notARepository(options.directory);
  const program = options.program ?? [
    process.execPath,
    fileURLToPath(new URL("../cli/main.cjs", import.meta.url)),
  ];
  const owned = ownProject({ projectRoot, version: "library" });
  const runtime = await openProjectRuntime({
    projectRoot,
    version: "library",
    environment: options.environment ?? process.env,
    program,
    workerProgram: [...program, "__worker"],
    onQuiet: () => undefined,
    onShutdown: () => undefined,
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  }).catch((error: unknown) => {
    owned.release();
    throw error;
  });
  const { engine } = runtime;
  return {
    run: async (story) => engine.whenEnded(await engine.openStory(story)),
    start: (story) => engine.openStory(story),
    workflow: async (command) => {
      const { story } = await openWorkflow(engine.tools, command);
      engine.consider(story);
      return engine.whenEnded(story);
    },
    whenEnded: (id) => engine.whenEnded(id),
    stop: (id, reason) => engine.stop(id, { reason, by: "program" }),
    answer: (approval, answer, reason = "") => engine.answer(approval, { answer, reason, by: "program" }),
    reader: engine.tools.store,
    close: async () => {
      await runtime.close();
      owned.release();
    },
  };
}

function notARepository(directory: string): DelegationError {
  return new DelegationError({
    code: "NOT_A_REPOSITORY",
    message: `${directory} is not inside a git repository`,
    recommendation: "Give a folder inside one, or make one with git init.",
  });
}
