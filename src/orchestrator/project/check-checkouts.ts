import { probeSandbox } from "../../containment/probe-sandbox.ts";
import { containmentErrors } from "../../errors/containment.ts";
import { type CandidateRequest, CandidateReserve } from "../../workspace/candidate.ts";
import { checkOutSandboxCandidate } from "../../workspace/sandbox-candidate.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import { type Forwarding, forwardServices, type Service } from "../../containment/forward-services.ts";
import { probeNetwork } from "../../containment/probe-network.ts";
import { findFileNaming } from "../../workspace/find-naming.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
import type { CandidateCheckout, GitTools } from "../ports/git-tools.ts";
import type { PlaceOptions, PlacedCommand } from "../ports/work-place.ts";
import type { FindRecipe } from "./place-recipes.ts";
import { placeInSandbox } from "./place-in-sandbox.ts";
import { findForeignInstall, findForeignWord } from "./foreign-install.ts";
import { placeInWorkspace, type WorkspaceInProject } from "./show-at-own-path.ts";

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

/**
 * The network of the checks in one checkout: their own, with the services of the settings forwarded into it, so that
 * ports of other checks do not matter. Without the setting, or if this machine cannot do it, they use that of the
 * machine.
 */
class CheckNetwork {
  readonly #services: readonly Service[] | null;
  #forwarding: Promise<Forwarding | undefined> | undefined;

  constructor(services: readonly Service[] | null | undefined) {
    this.#services = services ?? null;
  }

  /** Undefined if checks have the network of the machine. Opened once for all of them. */
  open(): Promise<Forwarding | undefined> {
    this.#forwarding ??= this.#forward();
    return this.#forwarding;
  }

  /** Puts a command that is not in a sandbox into it. */
  async enter(placed: PlacedCommand): Promise<PlacedCommand> {
    const forwarding = await this.open();
    if (forwarding === undefined) return placed;
    const { relay, hosts } = forwarding;
    return { ...placed, argv: [...relay, ...placed.argv], tier: "pid-namespace", ownNetwork: { hosts } };
  }

  async close(): Promise<void> {
    // If it could not be opened, the check has reported that.
    const forwarding = await this.#forwarding?.catch(() => undefined);
    forwarding?.close();
  }

  async #forward(): Promise<Forwarding | undefined> {
    if (this.#services === null) return undefined;
    const network = await probeNetwork();
    return network.kind === "works" ? forwardServices({ services: this.#services }, network.perl) : undefined;
  }
}

/** The checkout of a commit. */
interface CheckPlace extends WorkspaceInProject {
  readonly commit: string;
}

/**
 * Puts a check into its checkout. Without a view of files of its own, a check that could still reach the user's own files
 * is refused: it would prove the wrong code.
 */
async function placeCheck(place: CheckPlace, command: PlacedCommand): Promise<PlacedCommand> {
  const placed = await placeInWorkspace(place, command);
  if (placed.shown !== undefined) return placed;
  const { workTree } = place.repository;
  const { environment } = placed;
  const words = command.argv.join("\n");
  const foreign =
    findForeignWord(words, environment, workTree) ??
    findForeignInstall(environment, workTree) ??
    (await findFileNaming(place.repository, place.commit));
  if (foreign !== undefined) throw orchestratorErrors.checkReachesCheckout(foreign, workTree);
  return placed;
}
