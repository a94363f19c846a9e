import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getTemporaryFolder } from "../../base/temporary-folder.ts";
import { agentScripts, failingScripts } from "./agent-scripts.ts";

/** A small package whose tests fail because its code is still missing. */
const projectFiles: Readonly<Record<string, string>> = {
  "package.json": `{
  "name": "till",
  "version": "0.1.0",
  "type": "module",
  "scripts": { "test": "node test/all.mjs" }
}
`,
  "README.md": "# till\n\nSmall functions for a till. Nothing is written yet.\n",
  // Amounts stand apart from the rest: only two of the three workers that change this file get into each other's way.
  "src/index.js": "// Amounts.\n//\n// Everything else that this package exports.\n//\n",
  "test/sum.mjs": `import assert from "node:assert/strict";
import { sum } from "../src/index.js";
assert.equal(sum([1, 2, 3]), 6);
assert.equal(sum([]), 0);
console.log("sum: ok");
`,
  "test/slug.mjs": `import assert from "node:assert/strict";
import { slug } from "../src/index.js";
assert.equal(slug("Green Tea, 50 g"), "green-tea-50-g");
assert.equal(slug("  Crème brûlée!  "), "creme-brulee");
console.log("slug: ok");
`,
  "test/money.mjs": `import assert from "node:assert/strict";
import { money } from "../src/index.js";
assert.equal(money(1234.5), "1,234.50");
assert.equal(money(0.125), "0.13");
console.log("money: ok");
`,
  "test/docs.mjs": `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
for (const name of ["sum", "slug", "money"]) assert.match(text, new RegExp("\\\\b" + name + "\\\\b"));
console.log("docs: ok");
`,
  "test/all.mjs": `for (const name of ["sum", "slug", "money", "docs"]) await import("./" + name + ".mjs");
`,
  "ambit.yaml": `# Everything an agent may do is bounded here; see: ambit config list
delegation:
  parallel:
    maxConcurrent: 3
  retry:
    enabled: true
    maxAttempts: 2
  windDown:
    graceSeconds: 1
verification:
  test: npm test
`,
  ".ambit/demo/export-money.mjs": `import { readFileSync, writeFileSync } from "node:fs";
const file = "src/index.js";
const name = "money";
const line = "export { " + name + ' } from "./' + name + '.js";\\n';
const text = readFileSync(file, "utf8");
if (!text.includes(line)) writeFileSync(file, line + text);
`,
  // A conflict is resolved the way these two lists always are: keep both sides, each line once.
  ".ambit/demo/keep-both.mjs": `import { readFileSync, writeFileSync } from "node:fs";
const file = "src/index.js";
const lines = readFileSync(file, "utf8").split("\\n").filter((line) => !/^(<{7}|={7}|>{7})/.test(line));
writeFileSync(file, [...new Set(lines)].join("\\n"));
`,
};

/**
 * A fresh repository with one commit: a package with failing tests, and agents that follow scripts. The folder around it
 * is the demo's own, for the workspaces beside the repository.
 */
export function makeDemoProject(fail: string | undefined): string {
  const root = join(realpathSync(mkdtempSync(join(getTemporaryFolder(), "ambit-demo-"))), "till");
  const scripts = { ...agentScripts, ...failingScripts[fail ?? ""] };
  const files = { ...projectFiles, ...Object.fromEntries(Object.entries(scripts).flatMap(filesOfAgent)) };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...words: string[]): void =>
    void execFileSync("git", ["-c", "user.name=You", "-c", "user.email=you@localhost", ...words], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
    });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "A till with failing tests");
  return root;
}

function filesOfAgent([name, script]: [string, string]): readonly [string, string][] {
  const definition = `---\nname: ${name}\nadapter: scripted\ncommand: [.ambit/demo/${name}.yaml]\n---\n`;
  return [
    [`.ambit/demo/${name}.yaml`, script],
    [`.ambit/agents/${name}.md`, definition],
  ];
}
