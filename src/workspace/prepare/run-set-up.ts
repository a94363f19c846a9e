import { DelegationError, messageOf } from "../../base/delegation-error.ts";
import { type OnWorkspaceProgress, withProgress } from "./progress.ts";

/** The places a sandbox command is built with. */
export interface SandboxPlaces {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly home: string;
  readonly temporary: string;
}

/** A checkout that has its files and dependencies, and no worker yet. */
export interface FreshCheckout {
  readonly path: string;
  /** What a worker in it will be given as well. */
  readonly environment: Readonly<Record<string, string>>;
  /** Present for a private clone: what runs there runs in a sandbox of these places. */
  readonly sandbox?: SandboxPlaces;
}

export interface SetUpFailure {
  /** How the command ended, such as `exit code 1`. */
  readonly reason: string;
  /** What it printed; the end of it is shown. */
  readonly output: string;
}

/** Runs `workspace.setup` in a checkout. Answers with nothing when it went well. */
export type SetUp = (checkout: FreshCheckout) => Promise<SetUpFailure | undefined>;

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
