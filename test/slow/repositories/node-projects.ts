import type { RealProject } from "./real-project.ts";

/** Replaces what the release was developed with by exact versions; `--before` fixes what those need in turn. */
function npmInstall(...packages: readonly string[]): string {
  const flags = "--save-dev --save-exact --ignore-scripts --prefer-offline --before=2026-11-01";
  return `npm pkg delete devDependencies && npm install --silent ${flags} ${packages.join(" ")}`;
}

const jsonSchemaTraverse = {
  npm: "json-schema-traverse@1.0.0",
  integrity:
    "sha512-NM8/P9n3XjXhIZn1lLhkFaACTOURQXjWhV4BA/RnOv8xvgqtqpAX9IO4mRQxSx1Rlo4tqzeqb0sOlruaOy3dug==",
};
const processWarning = {
  npm: "process-warning@5.1.1",
  integrity:
    "sha512-oCkNVj4OKnKEcocVBcDfiIugN1/cE6rgfT3nCtzeqZPA8+rIxMaQ0xXzIkGP8Gj2qUaP1UR7uhJ1VD8lUCpzCg==",
};

/** Releases whose tarballs have their tests. */
export const nodeProjects: readonly RealProject[] = [
  {
    name: "json-schema-traverse",
    version: "1.0.0",
    tools: "npm, Mocha 8",
    from: jsonSchemaTraverse,
    tests: "shipped",
    install: npmInstall("mocha@8.4.0"),
    runner: "mocha",
    command: "npm run-script test-spec",
    breaks: "sed -i 's/^  _traverse(/  throw new Error(1); _traverse(/' index.js",
  },
  {
    name: "json-schema-traverse",
    version: "1.0.0",
    tools: "npm, ESLint 8 without root",
    from: jsonSchemaTraverse,
    tests: "shipped",
    install: npmInstall("eslint@8.57.1"),
    runner: "eslint",
    command: "npm run-script --silent eslint -- --format json",
    breaks: "echo 'var unfinished = (' >> index.js",
  },
  {
    name: "process-warning",
    version: "5.1.1",
    tools: "npm, Jest 29",
    from: processWarning,
    tests: "shipped",
    install: npmInstall("jest@29.7.0"),
    runner: "jest",
    command: "npm run-script test:jest",
    breaks: "echo 'module.exports = {}' > index.js",
  },
  {
    name: "process-warning",
    version: "5.1.1",
    tools: "npm, node:test with c8",
    from: processWarning,
    tests: "shipped",
    files: { ".gitignore": "node_modules/\ncoverage/\n" },
    install: npmInstall("c8@10.1.3", "jest@29.7.0"),
    runner: "node",
    command: "npx c8 node --test test/emit-*.test.js test/index.test.js",
    breaks: "sed -i 's/throw new Error/void new Error/' index.js",
  },
  {
    name: "fastq",
    version: "1.20.3",
    tools: "npm, ESLint 9 flat configuration",
    from: {
      npm: "fastq@1.20.3",
      integrity:
        "sha512-XKv5nnLs6nLF71NgiKJLIZFLkPyIEuOselLG7ujZnGrRfQK8HpvY+WqKhAJUAdLomwVHErVS4LfxFlPq0/FTAw==",
    },
    tests: "shipped",
    install: npmInstall("eslint@9.36.0", "neostandard@0.12.2", "typescript@5.9.3"),
    runner: "eslint",
    command: "npm run-script --silent lint -- --format json",
    breaks: "echo 'var unused = 1;;' >> queue.js",
  },
  {
    name: "zod",
    version: "4.6.7",
    tools: "pnpm, Vitest 3",
    from: {
      npm: "zod@4.6.7",
      integrity:
        "sha512-g8W2D2kU6a8untc053fX1uVBKzM7yqAxW/3zwk83+6RyF2+SKOuV+c0wBDhUwzV1PaGapmZH+rmcUzPf+3CGwg==",
    },
    tests: "shipped",
    needs: ["pnpm"],
    files: {
      "vitest.config.mjs": `const conditions = ["@zod/source", "default"];
export default { resolve: { conditions }, ssr: { resolve: { conditions } } };
`,
    },
    install: "pnpm add --silent --save-dev --save-exact vitest@3.2.4",
    runner: "vitest",
    command: "pnpm exec vitest run src/v3/tests/array src/v3/tests/object src/v3/tests/string",
    breaks: "sed -i 's/data.length > def/data.length < def/' src/v3/types.ts",
  },
  {
    name: "minimist",
    version: "1.2.8",
    tools: "npm, tape with nyc",
    from: {
      npm: "minimist@1.2.8",
      integrity:
        "sha512-2yyAR8qBkN3YuheJanUpWC5U3bb5osDywNB8RzDVlDwDHbocAJveqqj1u8+SVD7jkWT4yvsHCpWqqWqAxb0zCA==",
    },
    tests: "shipped",
    files: { ".gitignore": "node_modules\ncoverage\n.nyc_output\n" },
    install: npmInstall("tape@5.9.0", "nyc@15.1.0"),
    runner: "tap",
    command: "npm run-script tests-only",
    breaks: "sed -i \"s/indexOf('--')/indexOf('++')/\" index.js",
  },
  {
    name: "url",
    version: "0.11.4",
    tools: "npm, Mocha 3",
    from: {
      npm: "url@0.11.4",
      integrity:
        "sha512-oCwdVC7mTuWiPyjLUz/COz5TLk6wgp0RCsN+wHZ2Ekneac9w8uuV0njcbbie2ME+Vs+d6duwmYuR3HgQXs1fOg==",
    },
    tests: "shipped",
    install: npmInstall("mocha@3.5.3"),
    runner: "mocha",
    command: "npx mocha",
    breaks: "sed -i \"s/'#'/'~'/\" url.js",
  },
  {
    name: "zen-observable",
    version: "0.10.0",
    tools: "yarn 1, Mocha 10 with Babel",
    from: {
      npm: "zen-observable@0.10.0",
      integrity:
        "sha512-iI3lT0iojZhKwT5DaFy2Ce42n3yFcLdFyOh01G7H0flMY60P8MJuVFEoJoNwXlmAyQ45GrjL6AcZmmlv8A5rbw==",
    },
    tests: "shipped",
    needs: ["yarn"],
    install:
      "npm pkg delete devDependencies && yarn add --silent --dev --exact mocha@10.8.2 @babel/core@7.28.0 " +
      "@babel/preset-env@7.28.0 @babel/register@7.27.1",
    runner: "mocha",
    command: "yarn --silent test",
    breaks: "sed -i 's/observer.next(/observer.error(/' src/Observable.js",
  },
  {
    name: "avvio",
    version: "9.3.1",
    tools: "npm, node:test",
    from: {
      npm: "avvio@9.3.1",
      integrity:
        "sha512-QyTKW61/qlba+cUQBm/sT9X8lri4UdomqSDwCnrnj1IvLVDRRiXRkz4CgBRWB+/cmfC7SK5WQc8T1vSdGvaUcQ==",
    },
    tests: "shipped",
    install: npmInstall("express@5.1.0"),
    runner: "node",
    command: "node --test test/after-*.test.js test/expose.test.js",
    breaks: "sed -i 's/Boot.prototype.after = /Boot.prototype.later = /' index.js",
  },
  {
    name: "rfdc",
    version: "1.4.1",
    tools: "npm, tap 16",
    from: {
      npm: "rfdc@1.4.1",
      integrity:
        "sha512-q1b3N5QkRUWUl7iyylaaj3kOpIT0N2i9MqIEQXP73GVsN9cw3fdx8X63cEmWhJGi2PPCF23Ijp7ktmd39rawIA==",
    },
    tests: "shipped",
    files: { ".gitignore": "node_modules/\n.nyc_output/\n" },
    install: npmInstall("tap@16.3.10"),
    runner: "tapCount",
    command: "npx tap --no-coverage --reporter tap test",
    breaks: "sed -i 's/new Date(o)/o/' index.js",
  },
  {
    name: "semver",
    version: "5.0.0",
    tools: "npm, tap 16",
    from: {
      npm: "semver@5.0.0",
      integrity:
        "sha512-z/rlLJBd9rXGzbWqnPw1zBkcn2hqGPQ+I95tJIBbyqMKnX9E+J4DqPvIJxxQHldsIxEG/Z60TVRwwJcjl11IeQ==",
    },
    tests: "shipped",
    files: { ".gitignore": "node_modules/\n.nyc_output/\n" },
    install: npmInstall("tap@16.3.10"),
    runner: "tapCount",
    command: "npx tap --no-coverage --reporter tap test/clean.js test/index.js",
    breaks: "sed -i 's/this.major, other.major/this.minor, other.major/' semver.js",
  },
  {
    name: "secure-json-parse",
    version: "4.1.1",
    tools: "npm, tape",
    from: {
      npm: "secure-json-parse@4.1.1",
      integrity:
        "sha512-lnd81MQEZKjhW/Gd2TQqdd4XP6QYNdDW/EP+I7nTrFHP9y2LmaGPIHk9xsnzcOiEr1c39c/e84xFgGviQKBTRw==",
    },
    tests: "shipped",
    install: npmInstall("tape@5.9.0"),
    runner: "tap",
    command: "npm run-script test:unit",
    breaks: "sed -i 's/__proto__/__other__/g' index.js",
  },
  {
    name: "optimism",
    version: "0.18.1",
    tools: "npm, TypeScript references, Mocha 10",
    from: {
      npm: "optimism@0.18.1",
      integrity:
        "sha512-mLXNwWPa9dgFyDqkNi54sjDyNJ9/fTI6WGBLgnXku1vdKY/jovHfZT5r+aiVeFFLOz+foPNOm5YJ4mqgld2GBQ==",
    },
    tests: "shipped",
    files: {
      ".gitignore": "node_modules/\nout/\n",
      "tsconfig.json": '{ "files": [], "references": [{ "path": "src" }, { "path": "src/tests" }] }\n',
      "src/tsconfig.json": tsconfig({ outDir: "../out", rootDir: "." }, { exclude: ["tests"] }),
      "src/tests/tsconfig.json": tsconfig(
        { outDir: "../../out/tests", rootDir: "." },
        { references: [{ path: ".." }] },
      ),
      "out.package.json": '{ "type": "commonjs" }\n',
    },
    install: npmInstall(
      "typescript@5.9.3",
      "mocha@10.8.2",
      "@types/mocha@10.0.10",
      "@types/node@20.19.0",
      "@wry/equality@0.5.7",
    ),
    runner: "mocha",
    command:
      "npx tsc -b --force && cp out.package.json out/package.json && npx mocha out/tests/api.js out/tests/deps.js out/tests/exceptions.js",
    breaks: "sed -i 's/entry.dirty = false/entry.dirty = false; entry.value = []/' src/entry.ts",
  },
];

function tsconfig(
  options: Readonly<Record<string, string>>,
  more: Readonly<Record<string, unknown>>,
): string {
  const compilerOptions = {
    composite: true,
    target: "es2020",
    module: "commonjs",
    moduleResolution: "node10",
    ignoreDeprecations: "5.0",
    lib: ["es2022"],
    types: ["node", "mocha"],
    skipLibCheck: true,
    ...options,
  };
  return `${JSON.stringify({ compilerOptions, include: ["*.ts"], ...more }, undefined, 2)}\n`;
}
