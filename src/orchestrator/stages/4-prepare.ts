import { returnInstruction } from "../../contract/return-instruction.ts";
import type { Delegation } from "../../journal/store.ts";
import { takeSnapshot, userCheckout } from "../../workspace/snapshot.ts";
import { makePlace, type WorkPlace } from "../work-place.ts";
import { attemptFiles, writePrompt, type AttemptFiles } from "../attempt-files.ts";
import type { RunTools } from "../run-tools.ts";
import type { RoutedRequest } from "./3-route.ts";

export interface PreparedRun extends RoutedRequest {
  readonly delegation: Delegation;
  readonly place: WorkPlace;
  readonly files: AttemptFiles;
  readonly prompt: string;
}

const LEASE_MS = 60_000;

/** From here on the journal knows: the story is opened and its attempt begun before a file is made. */
export async function openAttempt(tools: RunTools, request: RoutedRequest): Promise<Delegation> {
  const { id, title, agent, limits, budgetMicroUsd, budgetTokens } = request;
  await tools.store.openStory({
    id,
    kind: "story",
    title,
    agent,
    limits,
    ...(budgetMicroUsd === undefined ? {} : { budgetMicroUsd }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  });
  await tools.store.begin(id, 1, {
    owner: tools.owner,
    leaseMs: LEASE_MS,
    maxConcurrent: limits.maxConcurrent,
  });
  const delegation = await tools.store.delegation(id);
  if (delegation === undefined) throw new TypeError(`story ${id} was not stored`);
  return delegation;
}

/** A place at the state of the user's checkout, and the prompt. */
export async function prepareRun(
  tools: RunTools,
  request: RoutedRequest,
  delegation: Delegation,
): Promise<PreparedRun> {
  const { repository, stateDirectory } = tools.workspaces;
  const { id } = request;
  const snapshot = await takeSnapshot({ repository, stateDirectory, id, checkout: userCheckout(repository) });
  const isolation = request.isolation ?? tools.isolation;
  const place = await makePlace(tools.workspaces, { id, base: snapshot.commit, isolation });
  const { path, branch, base, tookMs } = place;
  await tools.store.record({
    type: "workspace-created",
    story: id,
    delegation: id,
    attempt: delegation.attempt,
    data: { path, branch, base, durationMs: tookMs },
  });
  const files = attemptFiles(stateDirectory, { id, attempt: delegation.attempt, outbox: place.outbox });
  const prompt = buildPrompt(request, {
    uncommitted: snapshot.hasUncommittedWork,
    returnFile: files.returnFile,
  });
  writePrompt(files, prompt);
  return { ...request, delegation, place, files, prompt };
}

function buildPrompt(request: RoutedRequest, facts: { uncommitted: boolean; returnFile: string }): string {
  const notes = [
    ...request.notes,
    ...(facts.uncommitted ? ["The files you see include uncommitted work of the person who asks."] : []),
  ];
  return [
    `# ${request.title}`,
    "",
    `You have ${request.limits.timeoutSeconds} s. Work only in the current folder; commits are made for you.`,
    ...notes.map((note) => `- ${note}`),
    "",
    returnInstruction({ returnFile: facts.returnFile }),
    "",
  ].join("\n");
}
