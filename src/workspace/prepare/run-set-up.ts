import { DelegationError, messageOf } from "../../base/delegation-error.ts";
import { withProgress } from "../files/progress.ts";
import type { FreshCheckout, OnWorkspaceProgress, SetUp, SetUpFailure } from "../workspace.ts";

const SHOWN_LINES = 20;
const SHOWN_CHARACTERS = 2000;

export interface SetUpRequest {
  readonly setUp: SetUp;
  readonly checkout: FreshCheckout;
  readonly onProgress?: OnWorkspaceProgress | undefined;
}

/** Runs `workspace.setup` through its owner; a failure is thrown with the end of what the command printed. */
export async function runSetUp(request: SetUpRequest): Promise<void> {
  const failure = await withProgress("setting-up", request.onProgress, () => attempt(request));
  if (failure !== undefined) throw notMade(request.checkout, failure);
}

interface Failure extends SetUpFailure {
  readonly cause?: unknown;
}

async function attempt({ setUp, checkout }: SetUpRequest): Promise<Failure | undefined> {
  try {
    return await setUp(checkout);
  } catch (error) {
    return { reason: "it could not be run", output: messageOf(error), cause: error };
  }
}

function notMade({ path }: FreshCheckout, { reason, output, cause }: Failure): DelegationError {
  const tail = tailOf(output);
  return new DelegationError({
    code: "WORKSPACE_NOT_MADE",
    message: `workspace.setup failed in ${path}: ${reason}${tail === "" ? "" : `\n${tail}`}`,
    recommendation: "Run the command by hand in a fresh checkout, then correct it or `workspace.setup`.",
    recoverable: true,
    cause,
  });
}

function tailOf(output: string): string {
  return output.trimEnd().slice(-SHOWN_CHARACTERS).split("\n").slice(-SHOWN_LINES).join("\n");
}
