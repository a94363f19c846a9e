import type { RealProject } from "./real-project.ts";

/** Releases without tests; a small test of our own stands in for them, the package manager and runner are real. */
export const ownTestProjects: readonly RealProject[] = [
  {
    name: "p-limit",
    version: "6.2.0",
    tools: "npm, AVA 6",
    from: {
      npm: "p-limit@6.2.0",
      integrity:
        "sha512-kuUqqHNUqoIWp/c467RI4X6mmyuojY5jGutNU0wVTmEOOfcuwLqyMVoAi9MKi2Ak+5i9+nhmrK4ufZE8069kHA==",
    },
    tests: "own",
    files: {
      "test.js": `import test from "ava";
import pLimit from "./index.js";

for (const concurrency of [1, 2, 3]) {
  test(\`runs \${concurrency} at once\`, async (t) => {
    const limit = pLimit(concurrency);
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => limit(work)));
    t.is(most, concurrency);
  });
}
test("refuses zero", (t) => {
  t.throws(() => pLimit(0), { instanceOf: TypeError });
});
`,
    },
    install:
      "npm pkg delete devDependencies && npm install --silent --save-dev --save-exact --ignore-scripts " +
      "--prefer-offline --before=2026-11-01 ava@6.4.1",
    runner: "ava",
    command: "npx ava",
    breaks: "sed -i 's/activeCount < concurrency/activeCount < 1/' index.js",
  },
  {
    name: "uuid",
    version: "8.3.2",
    tools: "npm, Jest 29",
    from: {
      npm: "uuid@8.3.2",
      integrity:
        "sha512-+NYs2QeMWy+GWFOEm9xnn6HCDp0l7QBD7ml8zLUmJ+93Q5NF0NocErnwkTkXVFNiX3/fpC6afS8Dhb/gz7R7eg==",
    },
    tests: "own",
    files: {
      "test/uuid.test.js": `const { v4, v5, validate, version } = require("..");

test.each([v4(), v5("ambit", v5.URL)])("%s is valid", (id) => expect(validate(id)).toBe(true));
test("names its version", () => expect([version(v4()), version(v5("a", v5.DNS))]).toEqual([4, 5]));
test("is the same for the same name only", () => {
  expect(v5("a", v5.DNS)).toBe(v5("a", v5.DNS));
  expect(v5("a", v5.DNS)).not.toBe(v5("b", v5.DNS));
});
test("matches a snapshot", () => expect(v5("ambit", v5.URL)).toMatchSnapshot());
`,
    },
    install:
      "npm pkg delete devDependencies && npm install --silent --save-dev --save-exact --ignore-scripts " +
      "--prefer-offline --before=2026-11-01 jest@29.7.0 && npx jest --ci=false >/dev/null 2>&1",
    runner: "jest",
    command: "npx jest",
    breaks: "sed -i 's/0x0f | version/0x0f | 0x10/' dist/v35.js",
  },
  {
    name: "koa-compose",
    version: "4.2.0",
    tools: "yarn 1, Jest 29",
    from: {
      npm: "koa-compose@4.2.0",
      integrity:
        "sha512-/Io2dpt3uU/wWkn2pkRBj3vudzsi6hMssGkREZCxLIczAIvLWy5Jw9PW7ctTxvcfXKCisbgsMLsgE1BvSZB6Kw==",
    },
    tests: "own",
    needs: ["yarn"],
    files: {
      ".gitignore": "node_modules/\ncoverage/\n",
      "test/compose.test.js": `const compose = require("..");

test("goes in and out in order", async () => {
  const seen = [];
  const layer = (name) => async (context, next) => {
    seen.push(name);
    await next();
    seen.push(name.toUpperCase());
  };
  await compose([layer("a"), [layer("b"), layer("c")]])({});
  expect(seen).toEqual(["a", "b", "c", "C", "B", "A"]);
});
test("refuses what is no function", () => expect(() => compose([1])).toThrow(TypeError));
test("refuses next() twice", () =>
  expect(compose([async (_, next) => { await next(); await next(); }])({})).rejects.toThrow("multiple"));
`,
    },
    install: "npm pkg delete devDependencies && yarn add --silent --dev --exact jest@29.7.0",
    runner: "jest",
    command: "yarn --silent test",
    breaks: "sed -i 's/i <= index/i < index/' index.js",
  },
  {
    name: "dequal",
    version: "2.0.3",
    tools: "yarn 4 Plug'n'Play, Mocha 10",
    from: {
      npm: "dequal@2.0.3",
      integrity:
        "sha512-0je+qPKHEMohvfRTCEo3CrPG6cAzAYgmzKyxRiYSSDkS6eGJdyVJm7WaYA5ECaAD9wLB2T4EEeymA5aFVcYXCA==",
    },
    tests: "own",
    needs: ["yarn4"],
    files: {
      ".gitignore": ".pnp.*\n.yarn/\n",
      ".yarnrc.yml": "enableTelemetry: false\nnodeLinker: pnp\n",
      "yarn.lock": "",
      "test/dequal.cjs": `const assert = require("node:assert");
const { dequal } = require("..");

const values = [0, NaN, "a", [1, [2]], { a: { b: 1 } }, new Date(5), /x/g, new Set([1]), new Map([["a", 1]])];
describe("dequal", () => {
  for (const [index, value] of values.entries()) {
    it(\`tells value \${index} from all others\`, () => {
      for (const other of values) assert.equal(dequal(value, other), value === other || Object.is(value, other));
    });
  }
  it("looks into objects", () => assert.ok(dequal({ a: { b: [1] } }, { a: { b: [1] } })));
});
`,
    },
    install: "npm pkg delete devDependencies && yarn add --dev --exact mocha@10.8.2",
    runner: "mocha",
    command: "yarn mocha test/dequal.cjs",
    breaks: "sed -i 's/foo === bar) return true/foo !== bar) return true/' dist/index.js",
  },
  {
    name: "ufo",
    version: "1.5.4",
    tools: "pnpm workspace, Vitest 3",
    from: {
      npm: "ufo@1.5.4",
      integrity:
        "sha512-UsUk3byDzKd04EyoZ7U4DOlxQaD14JUKQl6/P7wiX4FNvUfm3XL246n9W5AmqwW5RSFJ27NAuM0iLscAOYUiGQ==",
    },
    tests: "own",
    needs: ["pnpm"],
    files: {
      "pnpm-workspace.yaml": "packages: ['.', 'packages/*']\n",
      "packages/links/package.json":
        '{ "name": "links", "version": "1.0.0", "type": "module", "dependencies": { "ufo": "workspace:*" } }\n',
      "packages/links/links.test.js": `import { joinURL, parseURL, withQuery } from "ufo";
import { expect, test } from "vitest";

test("joins", () => expect(joinURL("a", "/b", "c/")).toBe("a/b/c/"));
test("adds a query", () => expect(withQuery("/x?a=1", { b: 2 })).toBe("/x?a=1&b=2"));
test("parses", () => expect(parseURL("https://a.b/c?d#e")).toMatchObject({ host: "a.b", hash: "#e" }));
`,
    },
    install:
      "npm pkg delete devDependencies scripts.prepack && pnpm add --silent -w --save-dev --save-exact vitest@3.2.4",
    runner: "vitest",
    command: "pnpm exec vitest run",
    breaks: "sed -i 's/function joinURL(base/function joinURL(other, base/' dist/index.mjs",
  },
];
