import { fileURLToPath } from "node:url";
import type * as z from "zod";
import { requireTrust, requireTrustOfOpenWork } from "./app/trust.ts";
import type { AppContext } from "./app/use-case.ts";
import { useCases, type NamedUseCase, type UseCaseName } from "./app/use-cases.ts";
import { randomBase36 } from "./base/ids.ts";
import { findProjectRoot } from "./project/find-project.ts";
import { isInsideRun } from "./containment/inside-run.ts";
import type { ApprovalAnswer } from "./contract/approval.ts";
import { journalEventSchema, type JournalEvent } from "./contract/journal-event.ts";
import type { StoryRequest } from "./contract/story-request.ts";
import type { WorkflowInput } from "./contract/workflow-request.ts";
import { appErrors } from "./errors/app.ts";
import { projectErrors } from "./errors/project.ts";
import type { Delegation, Store, StoreReader } from "./journal/store.ts";
import type { Engine } from "./orchestrator/engine.ts";
import { openWorkflow } from "./orchestrator/open-workflow.ts";
import { ownProject } from "./supervisor/project-lock.ts";
import { openProjectRuntime } from "./supervisor/project-runtime.ts";

export type { WorkflowInput };

/** A story to run. Without an id, one is made. */
export type NewStoryRequest = Omit<StoryRequest, "id" | "isProjectTrusted"> & {
  readonly id?: string | undefined;
};

export interface RuntimeOptions {
  /** Anywhere inside the repository. */
  readonly directory: string;
  /** The environment agents start from, reduced by the allow-list. This process's own when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly onEvent?: (event: JournalEvent) => void;
  /** Receives what the person should know although a request succeeds. */
  readonly onWarning?: (text: string) => void;
  /** The words that start the `ambit` command line; this package's own when absent. */
  readonly program?: readonly string[];
}

export interface EventQuestion {
  /** Only the events of this story, until it ends; otherwise those of the whole project, until the runtime closes. */
  readonly story?: string;
  /** Only events after this number; all of them when absent. */
  readonly after?: number;
}

/** The types of everything `ask` can ask for: `input` is sent, `read` has its defaults filled in. */
export type Questions = {
  readonly [Name in UseCaseName]: {
    readonly input: z.input<ReturnType<NamedUseCase<Name>["input"]>>;
    readonly read: z.output<ReturnType<NamedUseCase<Name>["input"]>>;
    readonly answer: z.output<ReturnType<NamedUseCase<Name>["output"]>>;
  };
};

/** The table of use cases, indexed so that the compiler can follow one name from input to answer. */
const questions: {
  readonly [Name in UseCaseName]: () => Promise<{
    readonly input: () => z.ZodType<Questions[Name]["read"], Questions[Name]["input"]>;
    readonly run: (context: AppContext, input: Questions[Name]["read"]) => Promise<Questions[Name]["answer"]>;
  }>;
} = useCases;

/** The runtime inside your own process: same limits, same journal, same checks as the command line. */
export interface Runtime {
  /** Runs a story to its end. An agent's failure is an outcome; only a broken environment throws. */
  run(story: NewStoryRequest): Promise<Delegation>;
  /** Starts a story and answers its id. */
  start(story: NewStoryRequest): Promise<string>;
  /** Runs a workflow command to its end, as `ambit research 197` does: routed, limited, settled. Refusals throw. */
  workflow(command: WorkflowInput): Promise<Delegation>;
  /**
   * Asks for the same things as the commands, with the same answers as their `--json`. Nothing starts a supervisor: this
   * runtime's own engine acts.
   *
   * @example
   * const { files } = await runtime.ask("diff", { id: story });
   */
  ask<Name extends keyof Questions>(
    name: Name,
    input: Questions[Name]["input"],
  ): Promise<Questions[Name]["answer"]>;
  /**
   * Events of the journal, past and new, in order and each exactly once.
   *
   * @example
   * for await (const { type, delegation } of runtime.events({ story })) console.log(type, delegation);
   */
  events(question?: EventQuestion): AsyncIterableIterator<JournalEvent>;
  whenEnded(id: string): Promise<Delegation>;
  /** Ends a story, or a delegation with everything below it; their work is kept. */
  stop(id: string, reason: string): Promise<void>;
  /** Answers a question to a person; `reader.openApprovals` lists them. */
  answer(approval: string, answer: Exclude<ApprovalAnswer, "expired">, reason?: string): Promise<void>;
  readonly reader: StoreReader;
  /** Ends running agents. Their delegations stay open in the journal, and the next runtime continues them. */
  close(): Promise<void>;
}

const VERSION = "library";

/**
 * Opens the runtime of the repository around `directory`. Refuses while a supervisor or another process owns it.
 *
 * @example
 * const runtime = await createRuntime({ directory: "." });
 * const ended = await runtime.run({ title: "Fix the tests", agent: "fixer", criteria: ["`npm test` passes"] });
 * console.log(ended.outcome);
 * await runtime.close();
 */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const projectRoot = findProjectRoot(options.directory);
  if (projectRoot === undefined) throw projectErrors.notARepository(options.directory);
  const program = options.program ?? [
    process.execPath,
    fileURLToPath(new URL("../cli/main.cjs", import.meta.url)),
  ];
  const environment = options.environment ?? process.env;
  const place = { directory: projectRoot, environment, homeDirectory: environment["HOME"], program };
  await requireTrustOfOpenWork(place);
  const owned = ownProject({ projectRoot, version: VERSION });
  const runtime = await openProjectRuntime({
    projectRoot,
    version: VERSION,
    environment,
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
  const closing = new AbortController();
  const context: AppContext = {
    ...place,
    version: VERSION,
    configFile: undefined,
    supervisor: runtime.connect,
    progress: () => undefined,
    warn: options.onWarning ?? (() => undefined),
  };
  return {
    ...offerStories(engine, () => requireTrust(context)),
    ...offerQuestions(engine, context, closing.signal),
    reader: engine.tools.store,
    close: async () => {
      closing.abort();
      await runtime.close();
      owned.release();
    },
  };
}

type Stories = Pick<Runtime, "answer" | "run" | "start" | "stop" | "whenEnded" | "workflow">;

function offerStories(engine: Engine, checkTrust: () => Promise<boolean>): Stories {
  const start = async ({ id = `S-${randomBase36(6)}`, ...story }: NewStoryRequest): Promise<string> =>
    engine.openStory({ id, ...story, isProjectTrusted: await checkTrust() });
  return {
    run: async (story) => engine.whenEnded(await start(story)),
    start,
    workflow: async (command) => {
      const isProjectTrusted = await checkTrust();
      const { story } = await openWorkflow(engine.tools, { ...command, isProjectTrusted });
      engine.consider(story);
      return engine.whenEnded(story);
    },
    whenEnded: (id) => engine.whenEnded(id),
    stop: (id, reason) => engine.stop(id, { reason, by: "program" }),
    answer: async (approval, answer, reason = "") => {
      if (isInsideRun(process.pid)) throw appErrors.notAPerson("never answers a question");
      await checkTrust();
      const via = { surface: "library", socket: false, terminal: false, insideRun: false } as const;
      await engine.answer(approval, { answer, reason, by: "program", via });
    },
  };
}

function offerQuestions(
  { tools }: Engine,
  context: AppContext,
  closing: AbortSignal,
): Pick<Runtime, "ask" | "events"> {
  return {
    ask: async (name, input) => {
      const useCase = await questions[name]();
      return useCase.run(context, useCase.input().parse(input));
    },
    events: (question = {}) => followEvents(tools.store, question, closing),
  };
}

const PAGE = 500;

async function* followEvents(
  store: Pick<Store, "delegation" | "eventsAfter" | "onEvent">,
  { story, after = 0 }: EventQuestion,
  closing: AbortSignal,
): AsyncGenerator<JournalEvent, void> {
  let isStale = true;
  let wake = (): void => undefined;
  const stopListening = store.onEvent(() => {
    isStale = true;
    wake();
  });
  const onClosing = (): void => wake();
  closing.addEventListener("abort", onClosing);
  try {
    for (let cursor = after; !closing.aborted;) {
      isStale = false;
      const page = await store.eventsAfter(cursor, PAGE, story === undefined ? {} : { story });
      cursor = page.cursor;
      const events = page.events.map(({ body }) => journalEventSchema.parse(JSON.parse(body)));
      yield* events;
      if (events.some(({ type, delegation }) => type === "delegation-closed" && delegation === story)) return;
      if (page.events.length === PAGE) continue;
      // The story had ended before the first event that was asked for.
      if (story !== undefined && (await store.delegation(story))?.state === "closed" && !isStale) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isStale || closing.aborted) resolve();
      });
    }
  } finally {
    stopListening();
    closing.removeEventListener("abort", onClosing);
  }
}
