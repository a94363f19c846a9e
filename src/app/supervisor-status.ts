import * as z from "zod";
import { findSupervisor } from "./project/connect-supervisor.ts";
import { defineUseCase } from "./use-case.ts";

const output = () =>
  z.looseObject({
    running: z.boolean(),
    pid: z.int().optional(),
    version: z.string().optional(),
    stories: z.array(z.string()).optional().describe("Stories that have not ended"),
  });

const answerSchema = () => z.object({ pid: z.int(), version: z.string(), running: z.array(z.string()) });

/** Whether a supervisor is running, which version, and with which stories. */
export const supervisorStatusUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output,
  isReadOnly: true,
  run: async (context) => {
    const client = await findSupervisor(context);
    if (client === undefined) return { running: false };
    try {
      const { pid, version, running } = answerSchema().parse(await client.call("status", {}));
      return { running: true, pid, version, stories: running };
    } finally {
      client.close();
    }
  },
});
