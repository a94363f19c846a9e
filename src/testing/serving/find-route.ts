import { anthropicApi } from "../apis/anthropic.ts";
import { chatApi } from "../apis/chat.ts";
import { geminiApi, geminiTarget } from "../apis/gemini.ts";
import { responsesApi } from "../apis/responses.ts";
import type { WireApi } from "../apis/wire-api.ts";

export type Route =
  | { readonly kind: "answer" | "count"; readonly api: WireApi }
  | { readonly kind: "models"; readonly api: WireApi }
  | { readonly kind: "hello" }
  | { readonly kind: "unknown"; readonly api: WireApi };

/** CLIs use base URLs with and without `/v1`, so only the end of the path decides. */
export function findRoute(method: string, path: string): Route {
  if (method === "HEAD" || path === "/") return { kind: "hello" };
  if (method === "GET") return findModelsRoute(path);
  if (method !== "POST") return { kind: "unknown", api: responsesApi };
  if (path.endsWith("/messages")) return { kind: "answer", api: anthropicApi };
  if (path.endsWith("/messages/count_tokens")) return { kind: "count", api: anthropicApi };
  if (path.endsWith("/chat/completions")) return { kind: "answer", api: chatApi };
  if (path.endsWith("/responses")) return { kind: "answer", api: responsesApi };
  const target = geminiTarget(path);
  if (target === undefined) return { kind: "unknown", api: responsesApi };
  if (["generateContent", "streamGenerateContent"].includes(target.action))
    return { kind: "answer", api: geminiApi };
  return { kind: target.action === "countTokens" ? "count" : "unknown", api: geminiApi };
}

function findModelsRoute(path: string): Route {
  const isGemini = path.startsWith("/v1beta/");
  const isList = path.endsWith("/models") || path.includes("/models/");
  return { kind: isList ? "models" : "unknown", api: isGemini ? geminiApi : responsesApi };
}
