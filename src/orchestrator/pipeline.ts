import { closeBroken } from "./close-broken.ts";
import type { RunTools } from "./run-tools.ts";
import { parseRequest } from "./stages/1-parse.ts";
import { preflightRequest } from "./stages/2-preflight.ts";
import { routeRequest, type RoutedRequest } from "./stages/3-route.ts";
import { openAttempt, prepareRun } from "./stages/4-prepare.ts";
import { invokeAgent } from "./stages/5-invoke.ts";
import { validateReturnOf } from "./stages/6-validate.ts";
import { settleRun, type SettledRun } from "./stages/7-settle.ts";
import type { Delegation } from "../journal/store.ts";

export type { SettledRun };

/**
 * One delegation, seven stages. The first three refuse before anything is made. From then on the journal has the
 * line before the effect: whatever breaks is closed with its work kept, and `recover` does the same after a crash.
 */
export async function runStory(tools: RunTools, input: unknown): Promise<SettledRun> {
  const request = parseRequest(input);
  const checked = await preflightRequest(tools, request);
  const routed = routeRequest(tools, checked);
  tools.watch({
    kind: "stage",
    delegation: routed.id,
    stage: "route",
    detail: `${routed.agent}: ${routed.reason}`,
  });
  const delegation = await openAttempt(tools, routed);
  try {
    return await runOpened(tools, routed, delegation);
  } catch (error) {
    await closeBroken(tools, delegation, error);
    throw error;
  }
}

async function runOpened(
  tools: RunTools,
  routed: RoutedRequest,
  delegation: Delegation,
): Promise<SettledRun> {
  const prepared = await prepareRun(tools, routed, delegation);
  tools.watch({ kind: "stage", delegation: prepared.id, stage: "invoke", detail: prepared.place.path });
  const returned = await invokeAgent(tools, prepared);
  tools.watch({ kind: "stage", delegation: returned.id, stage: "validate", detail: returned.end.reason });
  const judged = await validateReturnOf(tools, returned);
  return settleRun(tools, judged);
}

/** The id of the story a request is about; refuses what is no request. */
export function storyOf(input: unknown): string {
  return parseRequest(input).id;
}
