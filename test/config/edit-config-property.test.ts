import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setConfigValue } from "../../src/config/edit-config.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import { configKeys, type ConfigKey } from "../../src/contract/config-keys.ts";
import { folderWith } from "./temporary-project.ts";

describe("a change of any key in any file", () => {
  const values: Readonly<Record<ConfigKey["type"], readonly string[]>> = {
    boolean: ["true", "false"],
    integer: ["1"],
    number: ["1"],
    text: ["plain", "a: b", "two words", "- x", "#", '"', "true", "ü\u2028"],
    list: ["", "a", "a,b: c", '["a"]', '["x,y", "[z]"]', "[]"],
    choice: [],
    map: ["", "A=b", "A=1,B_2=x: y,C=true", '{"A": "x,y", "B": 3000, "C": true}', "{}"],
  };
  const names = ["", "A", "A,B_*", '["A", "B_*"]'];
  /** Keys that take only some texts. */
  const entries: ReadonlyMap<string, readonly string[]> = new Map([
    ["workspace.env.pass", names],
    ["agents.environment", names],
    ["cluster.hub", ["plain", "a: b", "#", "git@hub.example.org:a/b.git"]],
    ["cluster.pools", ["", '{"gpu": ["claude"]}', "{}"]],
    ["agents.mcp", ["", "docs=npx docs-server"]],
    ["workspace.services", ["5432", "5432,redis:6379", '[5432, "redis:6379"]']],
    ["agents.addresses", ["", "llm.example.org,*.example.org:8443", '["llm.example.org"]']],
  ]);
  /** Numbers that cannot be 1. */
  const numbers: ReadonlyMap<string, readonly string[]> = new Map([
    ["cluster.lease", ["10", "600"]],
    ["cluster.keepEvery", ["5", "3600"]],
  ]);
  const listTexts = ({ key, type, choices }: ConfigKey): readonly string[] =>
    type === "choice" ? choices : (entries.get(key) ?? numbers.get(key) ?? values[type]);
  const comment = fc.constantFrom("", " # note", "   # x: y");
  const filler = fc.constantFrom("", "# line\n", "\n", "    # deep\n");
  const present = fc.record({ key: fc.constantFrom(...configKeys), comment, filler });
  const wanted = fc.constantFrom(...configKeys).chain((key) =>
    fc.record({
      key: fc.constant(key),
      text: fc.constantFrom(...listTexts(key)),
    }),
  );

  /** The defaults of some keys, each as its own lines with comments around. */
  function fileOf(
    lines: readonly { readonly key: ConfigKey; readonly comment: string; readonly filler: string }[],
  ): string {
    const seen = new Set<string>();
    const sections = new Map<string, string>();
    for (const { key, comment: note, filler: gap } of lines) {
      const [section = "", ...rest] = key.key.split(".");
      if (seen.has(key.key) || rest.length !== 1) continue;
      seen.add(key.key);
      const line = `  ${rest[0]}: ${JSON.stringify(key.default)}${note}\n${gap}`;
      sections.set(section, (sections.get(section) ?? "") + line);
    }
    return [...sections].map(([name, body]) => `${name}: # section\n${body}`).join("");
  }

  it("sets that key and keeps every other setting and comment", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(present, { maxLength: 8 }), wanted, async (lines, { key, text }) => {
        const before = fileOf(lines);
        const file = join(folderWith({ "ambit.yaml": before }), "ambit.yaml");
        const outcome = await setConfigValue(file, key.key, text).catch(() => undefined);
        const after = readFileSync(file, "utf8");
        // An idle limit of 1 second contradicts the default of the other one, so nothing is written.
        if (outcome === undefined) {
          expect(key.key).toMatch(/idle\.stopSeconds/);
          expect(after).toBe(before);
          return;
        }
        const [old, now] = [await settingsOf(before), await settingsOf(after)];
        expect(now.get(key.key)).toStrictEqual(outcome.value);
        expect(new Map([...now].filter(([name]) => name !== key.key))).toStrictEqual(
          new Map([...old].filter(([name]) => name !== key.key)),
        );
        const notes = (content: string): readonly string[] =>
          content.match(/[ ]*# (?:note|x: y|line|deep|section)\n/g) ?? [];
        expect(notes(after)).toStrictEqual(notes(before));
      }),
      { numRuns: 150 },
    );
  });

  async function settingsOf(text: string): Promise<ReadonlyMap<string, unknown>> {
    const projectRoot = folderWith({ "ambit.yaml": text });
    const result = await resolveConfig({ environment: {}, projectRoot });
    return new Map(result.ok ? result.config.entries.map(({ key, value }) => [key, value]) : []);
  }
});
