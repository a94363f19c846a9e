import * as z from "zod";
import { defineUseCase } from "./use-case.ts";
import { callRuntime } from "./worker/call-runtime.ts";

const input = () =>
  z.strictObject({
    tasks: z.unknown().describe("A list of delegation requests, which the runtime checks"),
    waitSeconds: z.int().min(0).describe("How long to wait for the results"),
  });

const admittedSchema = () =>
  z.object({
    admitted: z.literal(true),
    delegation_id: z.string(),
    result: z.looseObject({ success: z.boolean(), summary: z.string() }).nullable(),
  });

const refusedSchema = () =>
  z.object({ admitted: z.literal(false), codes: z.array(z.string()), explanation: z.string() });

const output = () =>
  z.looseObject({
    done: z.boolean(),
    advice: z.string(),
    tasks: z.array(z.union([admittedSchema(), refusedSchema()])),
  });

/** For agents inside a story: hands parts of the work to other agents. */
export const delegateUseCase = defineUseCase({
  input,
  output,
  isForAgents: true,
  run: async (context, { tasks, waitSeconds }) =>
    output().parse(await callRuntime(context, "delegate", { tasks, waitSeconds })),
});
