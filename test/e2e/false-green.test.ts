import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { makeProject, type Project } from "./project.ts";
import { runShell, type CliResult } from "./run-cli.ts";

/** A way in which a check could run the user's own files. In the user's checkout all of them are green. */
interface Way {
  readonly name: string;
  readonly command: (places: Places) => string;
  /** The shell it needs; by default a plain one. */
  readonly shell?: (places: Places) => Shell;
}

interface Places {
  readonly root: string;
  readonly outside: string;
}

interface Shell {
  /** A folder that is put in front of the PATH. */
  readonly path?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

const unittest = "-m unittest discover tests";
const ways: readonly Way[] = [
  {
    name: "an activated environment inside the project",
    command: () => `python ${unittest}`,
    shell: ({ root }) => ({ path: `${root}/.venv/bin` }),
  },
  {
    name: "an activated environment outside",
    command: () => `env python ${unittest}`,
    shell: ({ outside }) => ({ path: `${outside}/env/bin` }),
  },
  {
    name: "an activated environment like conda's, with a finder of an editable install",
    command: () => `CONDA=1 python ${unittest}`,
    shell: ({ outside }) => ({ path: `${outside}/conda/bin` }),
  },
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
    name: "PYTHONPATH of the shell",
    command: () => `python3 ${unittest}`,
    shell: ({ root }) => ({ variables: { PYTHONPATH: `${root}/src` } }),
  },
  {
    name: "a flag in a variable of the shell, as GOFLAGS has them",
    command: () => 'sh "${GOFLAGS#-modfile=}"',
    shell: ({ root }) => ({ variables: { GOFLAGS: `-modfile=${root}/test.sh` } }),
  },
  {
    name: "a linked package",
    command: ({ outside }) => `NODE_PATH=${outside}/lib/node_modules node test.cjs`,
  },
  {
    name: "a linked program",
    command: () => "linked-program",
    shell: ({ outside }) => ({ path: `${outside}/npm` }),
  },
  {
    name: "a program on the PATH",
    command: () => "check-it",
    shell: ({ outside }) => ({ path: `${outside}/bin` }),
  },
  {
    name: "a path override of cargo",
    command: () => 'sh "$(cut -d\\" -f2 $HOME/.cargo/config.toml)/test.sh"',
    shell: ({ outside }) => ({ variables: { HOME: `${outside}/home-cargo` } }),
  },
  {
    name: "flags that go env keeps",
    command: () => 'sh "$(cut -d= -f3 $HOME/.config/go/env)"',
    shell: ({ outside }) => ({ variables: { HOME: `${outside}/home-go` } }),
  },
  { name: "a script by its full path", command: ({ root }) => `sh ${root}/test.sh` },
  { name: "a script below the home folder", command: () => 'sh "$HOME/../project/test.sh"' },
  { name: "make in the project", command: ({ root }) => `make -s -C ${root} test` },
  { name: "a link to the project", command: ({ outside }) => `sh ${outside}/link/test.sh` },
  { name: "a folder changed to", command: ({ root }) => `cd ${root} && sh test.sh` },
  { name: "a header by its full path", command: ({ root }) => `grep -q VALUE.1 ${root}/include/value.h` },
  {
    name: "a result kept in an ignored folder",
    command: ({ root }) => `test -e ${root}/.cache/ok || sh test.sh`,
  },
  { name: "a product that make takes for new", command: () => "make -s built" },
];

/** These ways are in the tree. Without namespaces they make every check of that tree doubtful. */
const waysOfTree: readonly Way[] = [
  { name: "a script of the tree with a full path", command: () => "sh full-path.sh" },
  { name: "a program named after #!", command: () => "./shebang.sh" },
  { name: "a link with a full path", command: () => "sh linked.sh" },
];

let stories = 0;
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
    "test.sh": "#!/bin/sh\nexit 0\n",
    Makefile:
      "test:\n\t@sh test.sh\nbuilt: zproduct\n\t@sh zproduct\nzproduct: test.sh\n\t@cp test.sh zproduct\n",
    zproduct: "exit 0\n",
    "include/value.h": "#define VALUE 1\n",
    "interpreter.sh": "#!/bin/sh\nexit 0\n",
    "ambit.yaml": "verification:\n  base: false\nworkspace:\n  env:\n    pass: [GOFLAGS, PYTHONPATH]\n",
    ".gitignore": ".venv\n.cache\n",
    ".cache/ok": "",
  }))
    project.write(path, text);
  for (const script of ["interpreter.sh", "test.sh"]) chmodSync(join(root, script), 0o755);
  makeEnvironment(join(root, ".venv"), { "pkg.pth": `${root}/src\n` });
  makeEnvironment(join(outside, "env"), { "pkg.pth": `${root}/src\n` });
  makeEnvironment(join(outside, "conda"), {
    "__editable___pkg_finder.py": `import sys; sys.path.insert(0, "${root}/src")\n`,
    "__editable__.pkg.pth": "import __editable___pkg_finder\n",
  });
  mkdirSync(join(outside, "lib/node_modules"), { recursive: true });
  for (const folder of ["bin", "npm", "home-cargo/.cargo", "home-go/.config/go"])
    mkdirSync(join(outside, folder), { recursive: true });
  writeFileSync(join(outside, "home-cargo/.cargo/config.toml"), `paths = ["${root}"]\n`);
  writeFileSync(join(outside, "home-go/.config/go/env"), `GOFLAGS=-modfile=${root}/test.sh\n`);
  symlinkSync(join(root, "test.sh"), join(outside, "npm/linked-program"));
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
printf '#!/bin/sh\\nexit 1\\n' > test.sh
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

/** Adds the ways of the tree, which only some tests want, because every check then has them in its tree. */
function addWaysOfTree(): void {
  const { root } = places;
  project.write("full-path.sh", `exec sh ${root}/test.sh\n`);
  project.write("shebang.sh", `#!${root}/interpreter.sh\n`);
  chmodSync(join(root, "shebang.sh"), 0o755);
  symlinkSync(join(root, "test.sh"), join(root, "linked.sh"));
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "files with full paths");
}

interface Tier {
  /** The words before `ambit`. */
  readonly wrap?: string;
  readonly flags?: string;
  readonly expected: readonly string[];
}

/** Runs a worker that breaks the code and returns the checks without an expected verdict. */
async function listWrong(tried: readonly Way[], tier: Tier): Promise<readonly string[]> {
  const criteria = tried
    .map(({ command }) => `--accept ${quote(`\`${command(places)}\` exits with code 0`)}`)
    .join(" ");
  const id = `S${(stories += 1)}`;
  const shell = joinShells(tried);
  const worker = `-- sh -c "$(cat ${places.outside}/break.sh)"`;
  const { wrap = "", flags = "" } = tier;
  const run = await inShell(`${wrap} $ambit run 'Break it' --id ${id} ${flags} ${criteria} ${worker}`, shell);
  const { stdout } = await inShell(`${wrap} $ambit verify ${id} --json`, shell);
  const parsed = verdicts.safeParse(JSON.parse(stdout));
  if (!parsed.success) return [run.stdout, run.stderr, stdout];
  // The user's own files have not changed: there the same commands are green.
  expect(readFileSync(join(places.root, "test.sh"), "utf8")).toBe("#!/bin/sh\nexit 0\n");
  return tried.flatMap(({ name, command }) => {
    const verdict = parsed.data.criteria.find(({ text }) => text.includes(`\`${command(places)}\``))?.verdict;
    return tier.expected.includes(verdict ?? "") ? [] : [`${name}: ${verdict}`];
  });
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** One shell for several ways; of two homes the last one counts. */
function joinShells(tried: readonly Way[]): Shell {
  const shells = tried.map(({ shell }) => shell?.(places) ?? {});
  const path = shells.flatMap((shell) => shell.path ?? []).join(":");
  const variables = Object.assign({}, ...shells.map((shell) => shell.variables ?? {}));
  return { ...(path === "" ? {} : { path }), variables };
}

function inShell(line: string, { path, variables }: Shell = {}): Promise<CliResult> {
  const { root } = places;
  return runShell(line, {
    directory: root,
    home: join(dirname(root), "home"),
    environment: {
      PATH: [...(path === undefined ? [] : [path]), process.env["PATH"] ?? ""].join(":"),
      AMBIT_IDLE_MS: "400",
      ...variables,
    },
  });
}

/** Ways whose shells do not disturb each other. */
function groupWays(tried: readonly Way[]): readonly (readonly Way[])[] {
  const [plain, own] = [tried.filter(({ shell }) => !shell), tried.filter(({ shell }) => shell)];
  return [plain, ...own.map((way) => [way])];
}

const inNamespaces: Tier = { expected: ["failed"] };
const withoutNamespaces = "bwrap --dev-bind / / --ro-bind /dev/null /usr/bin/bwrap --";
const asOrdinaryUser = "unshare --user --map-user=54321 --map-group=54321 --";

describe("work that breaks the code", () => {
  it("is never proven by the user's own files (SPEC 7)", { timeout: 240_000 }, async () => {
    addWaysOfTree();
    const all = [...ways, ...waysOfTree];
    // Control: each command is green where it reaches the user's own files.
    for (const way of all)
      expect([way.name, (await inShell(way.command(places), joinShells([way]))).status]).toStrictEqual([
        way.name,
        0,
      ]);
    for (const group of groupHomes(all)) expect(await listWrong(group, inNamespaces)).toStrictEqual([]);
  });

  it("is not proven by them for an ordinary user with namespaces", { timeout: 240_000 }, async () => {
    addWaysOfTree();
    const tier = { ...inNamespaces, wrap: asOrdinaryUser };
    for (const group of groupHomes([...ways, ...waysOfTree]))
      expect(await listWrong(group, tier)).toStrictEqual([]);
  });

  it("is not proven by them for an ordinary user without namespaces", { timeout: 240_000 }, async () => {
    const wrap = `${withoutNamespaces} ${asOrdinaryUser}`;
    const tier = { wrap, expected: ["failed", "unverified"] };
    for (const group of groupWays(ways)) expect(await listWrong(group, tier)).toStrictEqual([]);
    addWaysOfTree();
    for (const way of waysOfTree) expect(await listWrong([way], tier)).toStrictEqual([]);
  });

  it("is not proven by them for root without namespaces", { timeout: 240_000 }, async () => {
    const tier = { wrap: withoutNamespaces, expected: ["failed", "unverified"] };
    for (const group of groupHomes(ways)) expect(await listWrong(group, tier)).toStrictEqual([]);
  });

  it.each([
    ["root", ""],
    ["an ordinary user", asOrdinaryUser],
  ])("is not proven in a sandbox of %s", { timeout: 240_000 }, async (_who, wrap) => {
    addWaysOfTree();
    const tier = { wrap, flags: "--isolation sandbox", expected: ["failed"] };
    for (const group of groupHomes([...ways, ...waysOfTree]))
      expect(await listWrong(group, tier)).toStrictEqual([]);
  });
});

/** One shell has one home folder. */
function groupHomes(tried: readonly Way[]): readonly (readonly Way[])[] {
  const homeOf = ({ shell }: Way): string | undefined => shell?.(places).variables?.["HOME"];
  return [tried.filter((way) => homeOf(way) === undefined), ...tried.filter(homeOf).map((way) => [way])];
}
