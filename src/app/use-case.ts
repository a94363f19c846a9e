import type * as z from "zod";
import type { AppContext } from "./project/app-context.ts";

export type { AppContext };

/**
 * One thing a person, an agent or a program can ask for. The command line, MCP, the dashboard and the library translate
 * their own words into `input` and show `output`; the behaviour is written here once.
 *
 * The schemas are functions because loading zod takes half as long as starting Node. A surface that receives unknown
 * values parses them with `input()`; the command line builds a typed input from its flags and loads no schema.
 */
export interface UseCase<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly input: () => Input;
  /** Wire fields: what `--json` prints and its published schema describes. */
  readonly output: () => Output;
  /** It changes nothing, so workers may ask for it. Without this or `isForAgents`, workers are refused. */
  readonly isReadOnly?: true;
  /** A worker asks for it with its own token and acts in its own name. */
  readonly isForAgents?: true;
  /** Continues the sentence "A worker …" of the refusal; a function where only some inputs change anything. */
  readonly onlyPeople?: string | ((input: z.output<Input>) => string | undefined);
  /** It runs something that the project names, so the person must trust the project; a function as above. */
  readonly runsProject?: true | ((input: z.output<Input>) => boolean | RunFile);
  readonly run: (context: AppContext, input: z.output<Input>) => Promise<z.output<Output>>;
}

/** A file of the project whose criteria are about to run. */
interface RunFile {
  readonly prd: string;
}

/**
 * Keeps the exact types of one use case. Every surface comes through here, so this is where workers are refused and
 * where a project must be trusted.
 */
export function defineUseCase<Input extends z.ZodType, Output extends z.ZodType>(
  useCase: UseCase<Input, Output>,
): UseCase<Input, Output> {
  const { isReadOnly, isForAgents, onlyPeople = "never changes anything", runsProject, run } = useCase;
  const isForWorkers = isReadOnly === true || isForAgents === true;
  if (isForWorkers && runsProject === undefined) return useCase;
  return {
    ...useCase,
    run: async (context, input) => {
      const what = typeof onlyPeople === "string" ? onlyPeople : onlyPeople(input);
      if (!isForWorkers && what !== undefined) await refuseWorker(context, what);
      const runs = typeof runsProject === "function" ? runsProject(input) : runsProject === true;
      if (runs === false) return run(context, input);
      // Loaded only here: most use cases run nothing, and a worker's sandbox lacks some of its libraries.
      const { withTrust } = await import("./project/require-trust.ts");
      return run(await withTrust(context, runs === true ? undefined : runs.prd), input);
    },
  };
}

/** Loaded only here: it knows processes and launchers, of which commands that only read need nothing. */
async function refuseWorker(context: AppContext, what: string): Promise<void> {
  const { requirePerson } = await import("./project/require-person.ts");
  await requirePerson(context, what);
}

/** A use case whose types are not known here; its input must pass `input()` first. */
export interface AnyUseCase {
  readonly input: () => z.ZodType;
  readonly output: () => z.ZodType;
  readonly run: (context: AppContext, input: never) => Promise<unknown>;
}
