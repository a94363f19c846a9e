import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nothingRead, readUsageEvent } from "../../../src/agents/metering/read-usage.ts";
import { createUsageTap } from "../../../src/agents/metering/usage-tap.ts";
import { apis, modelServer } from "../../testing/ask-model.ts";

describe("the reader of usage", () => {
  it.each([
    [
      "Anthropic, whose cached tokens are counted apart and whose cache writes are input",
      {
        type: "message_delta",
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 5,
          cache_read_input_tokens: 100,
          output_tokens: 7,
        },
      },
      { input: 15, cached: 100, output: 7 },
    ],
    [
      "Responses, whose input includes the cached tokens",
      {
        type: "response.completed",
        response: {
          usage: { input_tokens: 110, input_tokens_details: { cached_tokens: 100 }, output_tokens: 7 },
        },
      },
      { input: 10, cached: 100, output: 7 },
    ],
    [
      "Chat, whose details may be missing",
      { object: "chat.completion.chunk", usage: { prompt_tokens: 110, completion_tokens: 7 } },
      { input: 110, cached: 0, output: 7 },
    ],
    [
      "Gemini, whose thoughts are output",
      {
        usageMetadata: {
          promptTokenCount: 110,
          cachedContentTokenCount: 100,
          candidatesTokenCount: 4,
          thoughtsTokenCount: 3,
        },
      },
      { input: 10, cached: 100, output: 7 },
    ],
  ])("counts the tokens of %s", (_, value, tokens) => {
    expect(readUsageEvent(nothingRead, value).tokens).toStrictEqual(tokens);
  });

  it("uses the largest of repeated figures and never decreases", () => {
    const first = { message: { usage: { input_tokens: 10, output_tokens: 1 } } };
    const last = { type: "message_delta", usage: { output_tokens: 70 } };
    const reading = [first, last, first].reduce<typeof nothingRead>(readUsageEvent, nothingRead);
    expect(reading.tokens).toStrictEqual({ input: 10, cached: 0, output: 70 });
  });

  it("ignores impossible numbers", () => {
    const usage = {
      prompt_tokens: "many",
      completion_tokens: -5,
      prompt_tokens_details: { cached_tokens: 1e300 },
    };
    expect(readUsageEvent(nothingRead, { usage }).tokens).toStrictEqual({ input: 0, cached: 0, output: 0 });
  });

  it("accepts any document, even an empty one", () => {
    const key = fc.constantFrom(
      "usage",
      "usageMetadata",
      "response",
      "message",
      "input_tokens",
      "text",
      "model",
    );
    fc.assert(
      fc.property(fc.oneof(fc.object({ key, maxDepth: 5 }), fc.jsonValue()), (value) => {
        const { tokens, textLength } = readUsageEvent(nothingRead, value);
        for (const number of Object.values(tokens ?? {})) expect(number).toBeGreaterThanOrEqual(0);
        expect(textLength).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("the tap", () => {
  it.each(apis)("reads the same from $name however the bytes are split", async (api) => {
    const text = "Zeichen: äöü 🙂 und so weiter, lang genug für mehrere Stücke.";
    const { url } = await modelServer({ work: [{ text, usage: { input: 9, cached: 2, output: 3 } }] });
    const response = await api.ask(url, { talk: ["@@S:work"], tools: ["Bash"], stream: true });
    const bytes = Buffer.from(await response.arrayBuffer());
    const cuts = fc.array(fc.nat({ max: bytes.length }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const tap = createUsageTap({ contentType: "text/event-stream", contentEncoding: "" });
        const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length];
        for (const [index, start] of edges.slice(0, -1).entries())
          tap.write(bytes.subarray(start, edges[index + 1]));
        expect(await tap.end()).toMatchObject({
          model: "mock-1",
          tokens: { input: 9, cached: 2, output: 3 },
        });
      }),
      { numRuns: 50 },
    );
  });

  it("skips an event that is too long and reads the following ones", async () => {
    const tap = createUsageTap({ contentType: "text/event-stream", contentEncoding: "" });
    tap.write(Buffer.from('data: {"usage":{"prompt_tokens":5},"x":"'));
    for (let megabyte = 0; megabyte < 20; megabyte += 1) tap.write(Buffer.alloc(1024 * 1024, "y"));
    tap.write(Buffer.from('"}\ndata: {"usage":{"prompt_tokens":3,"completion_tokens":4}}\n'));
    expect((await tap.end()).tokens).toStrictEqual({ input: 3, cached: 0, output: 4 });
  });

  it("reads nothing from a document that is too long, badly compressed or not JSON", async () => {
    for (const contentEncoding of ["", "gzip"]) {
      const tap = createUsageTap({ contentType: "application/json", contentEncoding });
      for (let megabyte = 0; megabyte < 17; megabyte += 1) tap.write(Buffer.alloc(1024 * 1024, "1"));
      expect((await tap.end()).tokens).toBeUndefined();
    }
  });
});
