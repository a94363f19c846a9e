import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { estimateContext } from "../../src/orchestrator/opening/estimate-context.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ambit-estimate-"));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.ts"), "x".repeat(3000));
  writeFileSync(join(root, "lock.json"), "x".repeat(3_000_000));
  symlinkSync(join(root, "lock.json"), join(root, "link.json"));
});
afterEach(() => rmSync(root, { recursive: true }));

const estimate = (description: string, asked?: number): number =>
  estimateContext(root, {
    request: { description, ...(asked === undefined ? {} : { context_tokens: asked }) },
    work: { context: "", criteria: [] },
  });

describe("the estimate of a worker's context (R11)", () => {
  it("counts its text as tokenizers do, in addition to Ambit's own prompt", () => {
    expect(estimate("")).toBe(1100);
    expect(estimate("word ".repeat(300))).toBe(1400);
    expect(estimate("\u4e2d".repeat(300))).toBe(1350);
  });

  it.each([
    // With what the public encoding o200k_base counts.
    [
      "English",
      48,
      "The supervisor owns the workers of a project. It holds the project's lock, starts and ends their processes, and leaves when nothing is left to do. A command that only reads opens the store itself, so it works while no supervisor runs.",
    ],
    [
      "code",
      65,
      "export function countReady(waiting: readonly Job[], freeSlots: number): number {\n  if (freeSlots <= 0) return 0;\n  const ready = waiting.filter((job) => job.dependsOn.every((id) => finished.has(id)));\n  return Math.min(ready.length, freeSlots);\n}\n",
    ],
    [
      "JSON",
      76,
      '{"name": "parser", "version": "2.4.1", "private": true, "scripts": {"test": "vitest run", "build": "node scripts/build.mjs"}, "dependencies": {"zod": "^4.6.7", "yaml": "^2.9.1"}, "files": ["dist", "schema"]}',
    ],
    [
      "Chinese",
      53,
      "每个任务都在自己的工作区中进行。主管进程负责启动和结束所有代理,检查结果,并且只合并已经通过验证的修改。如果代理没有响应,它会被停止,已经完成的工作会被保留。",
    ],
    [
      "Japanese",
      49,
      "各タスクは専用のワークスペースで実行されます。スーパーバイザーはエージェントを起動し、結果を検証して、確認済みの変更だけをマージします。",
    ],
  ])("counts %s no lower than a tokenizer, and at most a third higher", (_kind, tokens, text) => {
    const counted = estimate(text) - 1100;
    expect(counted).toBeGreaterThanOrEqual(tokens);
    expect(counted).toBeLessThanOrEqual((tokens * 4) / 3);
  });

  it("adds files of the project that are named, each at most with 10,000 tokens and once", () => {
    expect(estimate("src/a.ts src/a.ts") - estimate("src/b.ts src/b.ts")).toBe(750);
    expect(estimate("lock.json") - estimate("none.json")).toBe(10_000);
  });

  it("reads no file outside the project, however it is named", () => {
    const beside = `${root}-beside.json`;
    writeFileSync(beside, "x".repeat(3000));
    try {
      const name = `${basename(root)}-beside.json`;
      for (const word of [`../${name}`, `src/../../${name}`, beside]) {
        const absent = word.replace(name, name.replace("beside", "absent"));
        expect([word, estimate(word)]).toEqual([word, estimate(absent)]);
      }
    } finally {
      rmSync(beside);
    }
  });

  it("measures the beginning of a long file, and of no more than twenty files", () => {
    writeFileSync(join(root, "prose.md"), "word ".repeat(4000));
    expect(estimate("prose.md") - estimate("absent.md")).toBeCloseTo(4000, -1);
    const names = Array.from({ length: 30 }, (_, number) => `src/part-${number}.ts`);
    for (const name of names) writeFileSync(join(root, name), "word ".repeat(100));
    expect(estimate(names.join(" ")) - estimate(names.join(" ").replaceAll("src", "abc"))).toBe(2000);
  });

  it("follows no link and never leaves the project", () => {
    expect(estimate("link.json")).toBe(estimate("none.json"));
    expect(estimate("/etc/passwd")).toBe(estimate("/etc/absent"));
    expect(estimate(`src/../../${root.split("/").at(-1)}/lock.json`)).toBeLessThan(1200);
  });

  it("uses a higher number from the request itself", () => {
    expect(estimate("word", 50_000)).toBe(50_000);
    expect(estimate("word", 5)).toBe(1101);
  });
});
