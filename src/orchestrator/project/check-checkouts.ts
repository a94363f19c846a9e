import { probeSandbox } from "../../containment/probe-sandbox.ts";
import { containmentErrors } from "../../errors/containment.ts";
import { type CandidateRequest, CandidateReserve } from "../../workspace/candidate.ts";
import { checkOutSandboxCandidate } from "../../workspace/sandbox-candidate.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import type { CandidateCheckout, GitTools } from "../ports/git-tools.ts";
import type { PlaceOptions } from "../ports/work-place.ts";
import { CheckNetwork } from "./check-network.ts";
import { placeCheck } from "./place-check.ts";
import type { FindRecipe } from "./place-recipes.ts";
import { placeInSandbox } from "./place-in-sandbox.ts";

/** The checkouts that checks run in: of the user's repository, or a clone inside a sandbox. */
export class CheckCheckouts {
  readonly #reserve: CandidateReserve;

  readonly #findRecipe: FindRecipe;

  /** `kept` is how many checkouts without a sandbox may wait for their next use. */
  constructor(workspaces: WorkspaceSettings, findRecipe: FindRecipe, kept = 1) {
    this.#findRecipe = findRecipe;
    this.#reserve = new CandidateReserve(workspaces, kept);
  }

  readonly checkOut: GitTools["checkOut"] = async ({ story, sandbox, ...request }) => {
    const settings = await this.#findRecipe(story);
    return sandbox === undefined
      ? this.#checkOutCovered(settings, request)
      : this.#checkOutInSandbox(settings, request, sandbox);
  };

  close(): Promise<void> {
    return this.#reserve.close();
  }

  async #checkOutCovered(settings: WorkspaceSettings, request: CandidateRequest): Promise<CandidateCheckout> {
    const candidate = await this.#reserve.checkOut(request, settings);
    const place = { ...settings, path: candidate.path, commit: candidate.commit };
    const network = new CheckNetwork(settings.services);
    return closeWith(network, {
      ...candidate,
      place: async (command) => network.enter(await placeCheck(place, command)),
    });
  }

  async #checkOutInSandbox(
    settings: WorkspaceSettings,
    request: CandidateRequest,
    options: PlaceOptions,
  ): Promise<CandidateCheckout> {
    const { tier, reason } = await probeSandbox();
    if (tier === "none") throw containmentErrors.sandboxUnavailable(reason);
    const candidate = await checkOutSandboxCandidate(settings, { ...request, network: options.network });
    const { path, environment, release } = candidate;
    const network = new CheckNetwork(options.network ? null : settings.services);
    return closeWith(network, {
      path,
      environment,
      place: async (command) =>
        placeInSandbox(candidate, command, { ...options, forwarding: await network.open() }),
      // It shares no files with other checkouts.
      wasLeftAlone: () => Promise.resolve(true),
      release,
    });
  }
}

function closeWith(network: CheckNetwork, checkout: CandidateCheckout): CandidateCheckout {
  const release = async (): Promise<void> => {
    await network.close();
    await checkout.release();
  };
  return { ...checkout, release };
}
