import type * as z from "zod";
import { appErrors } from "../errors/app.ts";
import type { AppContext } from "./project/app-context.ts";

export type { AppContext };

/**
 * One thing a person, an agent or a program can ask for. The command line, MCP, the dashboard and the library translate
 * their own words into `input` and show `output`; what happens is written here once.
 *
 * The schemas are functions because loading zod takes half as long as starting Node. A surface that receives unknown
 * values parses them with `input()`; the command line builds a typed input from its flags and loads no schema.
 */
export interface UseCase<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly input: () => Input;
  /** Wire fields: what `--json` prints and its published schema describes. */
  readonly output: () => Output;
  /** Set where workers are refused, before anything is read; continues the sentence "A worker …". */
  readonly onlyPeople?: string;
  readonly run: (context: AppContext, input: z.output<Input>) => Promise<z.output<Output>>;
}

/** Keeps the exact types of one use case, and refuses workers where only people may ask. */
export function defineUseCase<Input extends z.ZodType, Output extends z.ZodType>(
  useCase: UseCase<Input, Output>,
): UseCase<Input, Output> {
  const { onlyPeople, run } = useCase;
  if (onlyPeople === undefined) return useCase;
  return {
    ...useCase,
    run: async (context, input) => {
      if (context.environment["AMBIT_TOKEN"] !== undefined) throw appErrors.notAPerson(onlyPeople);
      return run(context, input);
    },
  };
}

/** A use case whose types are not known here; its input must pass `input()` first. */
export interface AnyUseCase {
  readonly input: () => z.ZodType;
  readonly output: () => z.ZodType;
  readonly run: (context: AppContext, input: never) => Promise<unknown>;
}
