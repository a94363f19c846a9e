import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { makeProject, type Project } from "./project.ts";
import { runShell, type CliResult } from "./run-cli.ts";

/** A way in which a check runs the user's own files, where nothing prevents it. All of them are green at home. */
interface Way {
  readonly name: string;
  readonly command: (places: Places) => string;
  /** Without namespaces, Ambit does not search the scripts of the tree for the path of the project. */
  readonly needsNamespace?: true;
}

interface Places {
  readonly root: string;
  readonly outside: string;
}

const unittest = "-m unittest discover tests";
const ways: readonly Way[] = [
  { name: "an activated environment inside the project", command: () => `python ${unittest}` },
  {
    name: "an environment outside",
    command: ({ outside }) => `PATH=${outside}/env/bin:$PATH python ${unittest}`,
  },
  {
    name: "a finder of an editable install",
    command: ({ outside }) => `PATH=${outside}/conda/bin:$PATH python ${unittest}`,
  },
  { name: "PYTHONPATH", command: ({ root }) => `PYTHONPATH=${root}/src python3 ${unittest}` },
  {
    name: "a linked package",
    command: ({ outside }) => `NODE_PATH=${outside}/lib/node_modules node test.cjs`,
  },
  { name: "a program on the PATH", command: () => "check-it" },
  { name: "a script by its full path", command: ({ root }) => `sh ${root}/test.sh` },
  { name: "make in the project", command: ({ root }) => `make -s -C ${root} test` },
  { name: "a link to the project", command: ({ outside }) => `sh ${outside}/link/test.sh` },
  { name: "a folder changed to", command: ({ root }) => `cd ${root} && sh test.sh` },
  { name: "a header by its full path", command: ({ root }) => `grep -q VALUE.1 ${root}/include/value.h` },
  {
    name: "a result kept in an ignored folder",
    command: ({ root }) => `test -e ${root}/.cache/ok || sh test.sh`,
  },
  { name: "a product that make takes for new", command: () => "make -s built" },
  { name: "a script of the tree with a full path", command: () => "sh full-path.sh", needsNamespace: true },
  { name: "a program named after #!", command: () => "./shebang.sh", needsNamespace: true },
];

let project: Project;
let places: Places;

beforeEach(() => {
  project = makeProject();
  const { root } = project;
  const outside = join(dirname(root), "outside");
  places = { root, outside };
  for (const [path, text] of Object.entries({
    "src/pkg/__init__.py": "VALUE = 1\n",
    "tests/test_it.py":
      "import unittest, pkg\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(pkg.VALUE, 1)\n",
    "index.cjs": "module.exports = 1;\n",
    "package.json": '{"name":"pkg","main":"index.cjs"}\n',
    "test.cjs": "if (require('pkg') !== 1) process.exit(1);\n",
    "test.sh": "exit 0\n",
    Makefile:
      "test:\n\t@sh test.sh\nbuilt: zproduct\n\t@sh zproduct\nzproduct: test.sh\n\t@cp test.sh zproduct\n",
    zproduct: "exit 0\n",
    "include/value.h": "#define VALUE 1\n",
    "full-path.sh": `exec sh ${root}/test.sh\n`,
    "interpreter.sh": "#!/bin/sh\nexit 0\n",
    "shebang.sh": `#!${root}/interpreter.sh\n`,
    ".gitignore": ".venv\n.cache\n",
    ".cache/ok": "",
  }))
    project.write(path, text);
  for (const script of ["interpreter.sh", "shebang.sh"]) chmodSync(join(root, script), 0o755);
  makeEnvironment(join(root, ".venv"), { "pkg.pth": `${root}/src\n` });
  makeEnvironment(join(outside, "env"), { "pkg.pth": `${root}/src\n` });
  makeEnvironment(join(outside, "conda"), {
    "__editable___pkg_finder.py": `import sys; sys.path.insert(0, "${root}/src")\n`,
    "__editable__.pkg.pth": "import __editable___pkg_finder\n",
  });
  mkdirSync(join(outside, "lib/node_modules"), { recursive: true });
  mkdirSync(join(outside, "bin"));
  symlinkSync(root, join(outside, "lib/node_modules/pkg"));
  symlinkSync(root, join(outside, "link"));
  writeFileSync(join(outside, "bin/check-it"), `#!/bin/sh\nexec sh ${root}/test.sh\n`, { mode: 0o755 });
  writeFileSync(join(outside, "break.sh"), BREAK);
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "a package");
});

afterEach(() => project.remove());

const BREAK = `
echo 'raise SystemError(1)' > src/pkg/__init__.py
echo 'process.exit(1)' > index.cjs
echo 'exit 1' > test.sh
echo '#define VALUE 2' > include/value.h
printf '#!/bin/sh\\nexit 1\\n' > interpreter.sh
node -e 'require("fs").writeFileSync(process.env.AMBIT_RETURN_FILE, JSON.stringify({status: "completed",
  summary: "Broke everything. All tests pass.", artifacts: [],
  metadata: JSON.parse(process.env.AMBIT_RETURN_METADATA)}))'
`;

/** An environment as \`python -m venv\` makes it, with packages that lead into the project. */
function makeEnvironment(folder: string, packages: Readonly<Record<string, string>>): void {
  const python = execFileSync("python3", ["-c", "import sys; print(sys.executable, *sys.version_info[:2])"], {
    encoding: "utf8",
  }).trim();
  const [program = "", major = "", minor = ""] = python.split(" ");
  const site = join(folder, "lib", `python${major}.${minor}`, "site-packages");
  mkdirSync(site, { recursive: true });
  mkdirSync(join(folder, "bin"));
  symlinkSync(realpathSync(program), join(folder, "bin/python"));
  writeFileSync(join(folder, "pyvenv.cfg"), `home = ${dirname(realpathSync(program))}\n`);
  for (const [name, text] of Object.entries(packages)) writeFileSync(join(site, name), text);
}

const verdicts = z.object({ criteria: z.array(z.object({ text: z.string(), verdict: z.string() })) });

/** Runs a worker that breaks everything and returns the checks that do not say so. */
async function listWrong(
  tried: readonly Way[],
  expected: readonly string[],
  wrap = "",
): Promise<readonly string[]> {
  const { root, outside } = places;
  const criteria = tried
    .map(({ command }) => `--accept '\`${command(places)}\` exits with code 0'`)
    .join(" ");
  await inShell(`${wrap} $ambit run 'Break it' --id S1 ${criteria} -- sh ${outside}/break.sh`);
  const { criteria: found } = verdicts.parse(JSON.parse((await inShell("$ambit verify S1 --json")).stdout));
  // The user's own files are as they were: the same commands are green at home.
  expect(readFileSync(join(root, "test.sh"), "utf8")).toBe("exit 0\n");
  return tried.flatMap(({ name, command }) => {
    const verdict = found.find(({ text }) => text.includes(`\`${command(places)}\``))?.verdict;
    return expected.includes(verdict ?? "") ? [] : [`${name}: ${verdict}`];
  });
}

function inShell(line: string): Promise<CliResult> {
  const { root, outside } = places;
  const path = [join(root, ".venv/bin"), join(outside, "bin"), process.env["PATH"] ?? ""].join(":");
  return runShell(line, {
    directory: root,
    home: join(dirname(root), "home"),
    environment: { PATH: path, AMBIT_IDLE_MS: "400" },
  });
}

describe("a worker that breaks the code", () => {
  it("is never proven by the user's own files (SPEC 7)", async () => {
    // The control: each command is green where it reaches the user's own files.
    for (const { name, command } of ways)
      expect([name, (await inShell(command(places))).status]).toStrictEqual([name, 0]);
    expect(await listWrong(ways, ["failed"])).toStrictEqual([]);
  });

  it("is not proven by them without namespaces either, where the check or its programs name them", async () => {
    const tried = ways.filter(({ needsNamespace }) => needsNamespace !== true);
    const without = "bwrap --dev-bind / / --ro-bind /dev/null /usr/bin/bwrap --";
    expect(await listWrong(tried, ["failed", "unverified"], without)).toStrictEqual([]);
  });

  it("is not proven in a sandbox by what was built before", async () => {
    const tried = ways.filter(({ name }) => name.startsWith("a product"));
    const { outside } = places;
    const work = `--isolation sandbox --check 'make -s built' -- sh -c "$(cat ${outside}/break.sh)"`;
    expect(tried).toHaveLength(1);
    expect((await inShell(`$ambit run 'Break it' --id S2 ${work}`)).status).toBe(3);
    const { criteria } = verdicts.parse(JSON.parse((await inShell("$ambit verify S2 --json")).stdout));
    expect(criteria.map(({ verdict }) => verdict)).toStrictEqual(["failed"]);
  });
});
