import type { AgentAdapter } from "../../agents/adapter.ts";
import type { RunTools } from "../run-tools.ts";
import type { CheckedRequest } from "./2-preflight.ts";

export interface RoutedRequest extends CheckedRequest {
  readonly agent: string;
  readonly driver: AgentAdapter;
  readonly reason: string;
}

/** Who does the work, and why: the decision is shown and recorded. */
export function routeRequest(tools: RunTools, request: CheckedRequest): RoutedRequest {
  const driver = tools.findAdapter(request.adapter);
  return { ...request, agent: request.adapter, driver, reason: `${request.adapter} was asked for` };
}
