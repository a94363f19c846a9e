import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { complete, end, spend, start } from "../../reports/fill-store.ts";
import { ask, checked, filledRepository, json, openWork, run } from "./filled-repository.ts";

const HOSTILE = `<script>alert(1)</script>"'&\u202e`;

function hostileStory(): Promise<string> {
  return filledRepository(async (store) => {
    await openWork(store, "S-1", { title: HOSTILE });
    const first = await start(store, "S-1", { description: HOSTILE, agent: "fixer" });
    await spend(store, first.id, { in: 1000, out: 50, usd: 0.5 });
    await checked(store, first.id, {
      id: "c1",

      verdict: "failed",
      evidence: `2 failed ${HOSTILE}`,
    });
    await complete(store, first.id, ["a.txt"]);
    await start(store, "S-1", { description: "Second" });
    await ask(store, "S-1-DEL-002", { kind: "clarification", question: `uuid? ${HOSTILE}` });
    await end(store, "S-1-DEL-002", { outcome: "failed", summary: HOSTILE, filesChanged: [] });
  });
}

describe("ambit report --html", () => {
  it("prints one page without scripts: tree, timeline, criteria with findings, cost and the chain's head", async () => {
    const directory = await hostileStory();
    const { exitCode, stdout } = await run(directory, ["report", "S-1", "--html"]);
    expect(exitCode).toBe(0);
    for (const part of [
      "<h2>Tree",
      "<svg",
      "<h2>Criteria",
      "2 failed",
      "<h2>Cost",
      "$0.50",
      "the chain holds",
    ])
      expect(stdout).toContain(part);
    const { head_hash: head } = await json(directory, ["audit", "--verify"]);
    expect(stdout).toContain(`<code>${String(head)}</code>`);
    expect(stdout).toContain("default-src 'none'");
  });

  it("shows hostile text as text, without tags, links or hidden characters", async () => {
    const { stdout } = await run(await hostileStory(), ["report", "S-1", "--html"]);
    expect(stdout).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\\u{202e}");
    const tags = new Set([...stdout.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag = ""]) => tag));
    expect(["script", "img", "a", "iframe", "object", "link"].filter((tag) => tags.has(tag))).toStrictEqual(
      [],
    );
    expect(stdout).not.toMatch(/\son\w+=|https?:/);
    expect(stdout).not.toContain("\u202e");
  });

  it("writes a file with --output and says so", async () => {
    const directory = await hostileStory();
    expect((await run(directory, ["report", "--output", "r.html"])).stdout).toBe("r.html shows S-1.");
    expect(readFileSync(join(directory, "r.html"), "utf8")).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
  });
});
