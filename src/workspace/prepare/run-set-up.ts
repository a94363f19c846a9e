import { readErrorMessage } from "../../base/delegation-error.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import { type OnWorkspaceProgress, withProgress } from "./progress.ts";

/** The places from which a sandbox command is built. */
export interface SandboxPlaces {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly home: string;
  readonly temporary: string;
}

/** A checkout with its files and dependencies, but without a worker. */
export interface FreshCheckout {
  readonly path: string;
  /** A worker in the checkout gets the same environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Set if commands have to run in a sandbox of these places: in a private clone, or on work from one. */
  readonly sandbox?: SandboxPlaces & { readonly network: boolean };
}

export interface SetUpFailure {
  /** The words for how the command ended, such as `exit code 1`. */
  readonly reason: string;
  /** The output of the command; its end is shown. */
  readonly output: string;
}

/** Runs `workspace.setup` in a checkout. Returns undefined on success. */
export type SetUp = (checkout: FreshCheckout) => Promise<SetUpFailure | undefined>;

const SHOWN_LINES = 20;
const SHOWN_CHARACTERS = 2000;

export interface SetUpRequest {
  readonly setUp: SetUp;
  readonly checkout: FreshCheckout;
  readonly onProgress?: OnWorkspaceProgress | undefined;
}

/** Runs `workspace.setup` through its owner; a failure throws with the end of the command's output. */
export async function runWorkspaceSetUp(request: SetUpRequest): Promise<void> {
  const failure = await withProgress("setting-up", request.onProgress, () => attemptSetUp(request));
  if (failure === undefined) return;
  const { reason, output, cause } = failure;
  throw workspaceErrors.setUpFailed(request.checkout.path, { reason, tail: cutOutputTail(output), cause });
}

interface Failure extends SetUpFailure {
  readonly cause?: unknown;
}

async function attemptSetUp({ setUp, checkout }: SetUpRequest): Promise<Failure | undefined> {
  try {
    return await setUp(checkout);
  } catch (error) {
    return { reason: "it could not be run", output: readErrorMessage(error), cause: error };
  }
}

function cutOutputTail(output: string): string {
  return output.trimEnd().slice(-SHOWN_CHARACTERS).split("\n").slice(-SHOWN_LINES).join("\n");
}
