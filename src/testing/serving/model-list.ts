/** Unique names, so that no CLI applies the limits and prices of a model it knows. */
const NAMES = ["mock-1", "mock-2"];

/** `/v1/models`: the lists of OpenAI and Anthropic in one. */
export function openModelList(): unknown {
  return {
    object: "list",
    data: NAMES.map((id) => ({
      id,
      object: "model",
      type: "model",
      created: 0,
      created_at: "1970-01-01T00:00:00Z",
      owned_by: "ambit",
      display_name: id,
    })),
    has_more: false,
    first_id: NAMES[0],
    last_id: NAMES.at(-1),
  };
}

/** `/v1beta/models`. */
export function geminiModelList(): unknown {
  return {
    models: NAMES.map((name) => ({
      name: `models/${name}`,
      displayName: name,
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ["generateContent", "countTokens"],
    })),
  };
}
