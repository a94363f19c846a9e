import * as z from "zod";
import { defineUseCase } from "./use-case.ts";
import { callRuntime } from "./worker/call-runtime.ts";

const output = () =>
  z.looseObject({
    answer: z.string().nullable().describe("Null when no answer came in time"),
    advice: z.string(),
  });

/** For agents inside a story: asks the manager or the person a question. */
export const askUseCase = defineUseCase({
  input: () => z.strictObject({ question: z.string(), waitSeconds: z.int().min(0) }),
  output,
  isForAgents: true,
  run: async (context, { question, waitSeconds }) =>
    output().parse(await callRuntime(context, "ask", { question, waitSeconds })),
});
