import type * as z from "zod";
import type { AppContext } from "./app-context.ts";

/**
 * One thing a person, an agent or a program can ask for. The command line, MCP, the dashboard and the library translate
 * their own words into `input` and show `output`; what happens is written here once.
 */
export interface UseCase<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly input: Input;
  /** Wire fields: what `--json` prints and its published schema describes. */
  readonly output: Output;
  readonly run: (context: AppContext, input: z.output<Input>) => Promise<z.output<Output>>;
}

/** Keeps the exact types of one use case. */
export function defineUseCase<Input extends z.ZodType, Output extends z.ZodType>(
  useCase: UseCase<Input, Output>,
): UseCase<Input, Output> {
  return useCase;
}
