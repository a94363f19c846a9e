import * as z from "zod";
import { DelegationError } from "../../base/delegation-error.ts";
import { storyIdSchema } from "../../contract/identity.ts";

/** One story as a person or a program asks for it. */
const runRequestSchema = z.strictObject({
  id: storyIdSchema,
  title: z.string().min(1).max(2000),
  /** Which adapter drives the work; `command` and `scripted` take the command. */
  adapter: z.enum(["command", "scripted"]),
  command: z.array(z.string()).min(1).max(1000),
  timeoutSeconds: z.int().min(1).max(14_400).optional(),
  budgetMicroUsd: z.int().min(0).optional(),
  budgetTokens: z.int().min(0).optional(),
  /** Where it works; the project's setting when absent. */
  isolation: z.enum(["worktree", "sandbox"]).optional(),
  /** Inside a sandbox there is no network unless it is asked for. */
  network: z.boolean().optional(),
  /** Files and folders outside the project that the program may read inside a sandbox. */
  readable: z.array(z.string()).max(100).optional(),
});

export type RunRequest = z.infer<typeof runRequestSchema>;

/** Everything from outside passes one schema, once. */
export function parseRequest(input: unknown): RunRequest {
  const parsed = runRequestSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new DelegationError({
    code: "USAGE",
    message: `The request is not usable: ${z.prettifyError(parsed.error)}`,
    recommendation: "Correct it and ask again; nothing was started.",
  });
}
