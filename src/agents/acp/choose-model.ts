import { ConversationEnded, endingOfAnswer, failedEnding } from "./ending.ts";
import type { SessionResult } from "./protocol.ts";
import type { RpcConnection } from "./rpc-connection.ts";

const CHOOSE_MS = 30_000;

/** The model a session begins with, if the agent reports it. */
export function currentModel({ models, configOptions }: SessionResult): string | undefined {
  const chosen = configOptions?.find(isModelOption)?.currentValue;
  return models?.currentModelId ?? (typeof chosen === "string" ? chosen : undefined);
}

/**
 * Asks for `wanted` and returns its full name; undefined if the agent offers no choice. A model that the agent does
 * not offer ends the conversation, because another model would differ in cost and quality.
 */
export async function chooseModel(
  rpc: RpcConnection,
  session: { readonly id: string; readonly offers: SessionResult },
  wanted: string,
): Promise<string | undefined> {
  const { id: sessionId, offers } = session;
  const option = offers.configOptions?.find(isModelOption);
  const offered = [
    ...(option?.options ?? []).map(({ value, name }) => ({ id: value, name, isOption: true })),
    ...(offers.models?.availableModels ?? []).map(({ modelId, name }) => ({
      id: modelId,
      name,
      isOption: false,
    })),
  ];
  if (offered.length === 0 || currentModel(offers) === wanted) return undefined;
  const found = offered.find(({ id }) => id === wanted) ?? offered.find(({ name }) => name === wanted);
  if (found === undefined)
    throw unknownModel(
      wanted,
      offered.map(({ id }) => id),
    );
  const [method, choice] = found.isOption
    ? (["session/set_config_option", { configId: option?.id ?? "model", value: found.id }] as const)
    : (["session/set_model", { modelId: found.id }] as const);
  const answer = await rpc.sendRequest(method, { sessionId, ...choice }, CHOOSE_MS);
  if (answer.kind !== "result") throw new ConversationEnded(endingOfAnswer(answer, method));
  return found.id;
}

function isModelOption({ id, category }: { readonly id: string; readonly category?: unknown }): boolean {
  return category === "model" || id === "model";
}

const MAX_NAMES = 20;

function unknownModel(wanted: string, offered: readonly string[]): ConversationEnded {
  const names = offered.slice(0, MAX_NAMES).join(", ");
  return new ConversationEnded(
    failedEnding("CONFIG_INVALID", `It has no model ${wanted}; it offers ${names}.`),
  );
}
