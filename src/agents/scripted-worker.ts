import { describeSchemaIssues } from "../base/schema-issues.ts";
import { readFileSync } from "node:fs";
import * as z from "zod";
import { readErrorMessage } from "../base/delegation-error.ts";
import { runScriptStep, type WorkerContext } from "./scripted/run-step.ts";
import { type Script, scriptSchema, chooseSteps } from "./scripted/script.ts";

/**
 * The built-in worker: a process that follows a script instead of a model. It has the same containment, contract and
 * limits as any agent.
 */
export async function runScriptedWorker(scriptFile: string, environment: NodeJS.ProcessEnv): Promise<number> {
  const script = await readScript(scriptFile);
  if (script === undefined) return 1;
  const attempt = Number(environment["AMBIT_ATTEMPT"] ?? "1");
  const context = readWorkerContext(environment);
  for (const step of chooseSteps(script, { attempt, kind: environment["AMBIT_TURN"] ?? "begin" })) {
    const exitCode = await runScriptStep(step, context);
    if (exitCode !== undefined) return exitCode;
  }
  return 0;
}

/** Undefined if the script is not usable; the reason goes to stderr in one line. */
async function readScript(file: string): Promise<Script | undefined> {
  const { parse } = await import("yaml");
  try {
    return scriptSchema.parse(parse(readFileSync(file, "utf8")));
  } catch (error) {
    const why = error instanceof z.ZodError ? describeSchemaIssues(error) : readErrorMessage(error);
    process.stderr.write(`The script ${file} cannot be followed: ${why.replaceAll(/\s+/g, " ")}\n`);
    return undefined;
  }
}

const metadataSchema = z.record(z.string(), z.unknown());

function readWorkerContext(environment: NodeJS.ProcessEnv): WorkerContext {
  const metadata: unknown = JSON.parse(environment["AMBIT_RETURN_METADATA"] ?? "{}");
  return {
    returnFile: environment["AMBIT_RETURN_FILE"] ?? "return.json",
    handoverFile: environment["AMBIT_HANDOVER_FILE"] ?? "handover.md",
    environment: Object.fromEntries(
      Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    metadata: metadataSchema.parse(metadata),
  };
}
