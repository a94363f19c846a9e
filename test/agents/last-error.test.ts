import { describe, expect, it } from "vitest";
import { createAdapterFinder } from "../../src/agents/find-adapter.ts";

const findAdapter = createAdapterFinder(["ambit", "__worker"]);

describe.each(["claude", "codex", "gemini", "opencode"])("%s that dies at once", (name) => {
  const settle = (lastError?: string) =>
    findAdapter(name).settle(
      { code: 2, signal: null, ...(lastError === undefined ? {} : { lastError }) },
      [],
    );

  it("is reported with its last output, such as an unknown option", () => {
    const { ok, code, reason } = settle("error: unexpected argument '--json'");
    expect({ ok, code }).toStrictEqual({ ok: false, code: "AGENT_STREAM_BROKEN" });
    expect(reason).toBe("It exited with code 2 and said: error: unexpected argument '--json'");
  });

  it("is reported as silent if it printed nothing", () => {
    expect(settle().reason).toBe("It exited with code 2 without a word.");
  });
});
