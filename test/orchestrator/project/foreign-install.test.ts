import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findForeignInstall, findForeignWord } from "../../../src/orchestrator/project/foreign-install.ts";
import { rewritePaths } from "../../../src/orchestrator/project/show-at-own-path.ts";

let folder: string;
let root: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-foreign-")));
  root = join(folder, "app");
  mkdirSync(root);
  writeFileSync(join(root, "test.sh"), "exit 0\n");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
  return file;
}

const site = "lib/python3.11/site-packages";

describe("an environment that leads into the user's checkout", () => {
  it.each([
    ["a .pth file", `${site}/pkg.pth`, (to: string) => `${to}/src\n`],
    [
      "a finder",
      `${site}/__editable___pkg_finder.py`,
      (to: string) => `MAPPING = {"pkg": "${to}/src/pkg"}\n`,
    ],
    ["an address", `${site}/pkg-1.dist-info/direct_url.json`, (to: string) => `{"url": "file://${to}"}`],
    ["an egg link", `${site}/pkg.egg-link`, (to: string) => `${to}\n.`],
  ])("is found by %s, and one next to the checkout is not", (name, path, text) => {
    const foreign = name.replaceAll(" ", "-");
    put(`${foreign}/${path}`, text(root));
    put(`${foreign}-beside/${path}`, text(`${root}.worktrees/ambit/w1`));
    const find = (prefix: string): string | undefined =>
      findForeignInstall({ PATH: `/usr/bin:${join(folder, prefix)}/bin` }, root);
    expect(find(foreign)).toBe(join(folder, foreign, path));
    expect(find(`${foreign}-beside`)).toBeUndefined();
  });

  it("is found by a linked package and by settings in the home folder", () => {
    mkdirSync(join(folder, "npm/lib/node_modules/@me"), { recursive: true });
    symlinkSync(root, join(folder, "npm/lib/node_modules/@me/app"));
    expect(findForeignInstall({ PATH: join(folder, "npm/bin") }, root)).toContain("@me/app");
    const file = put("home/.cargo/config.toml", `paths = ["${root}"]\n`);
    expect(findForeignInstall({ PATH: "", HOME: join(folder, "home") }, root)).toBe(file);
    expect(findForeignInstall({ PATH: "", HOME: join(folder, "empty") }, root)).toBeUndefined();
  });
});

describe("a check that names the user's checkout", () => {
  it.each([
    (): string => `sh ${root}/test.sh`,
    (): string => `cd ${root} && make`,
    (): string => `PYTHONPATH=lib:${root}/src python3 -m unittest`,
    (): string => `"${join(folder, "link")}/test.sh"`,
    (): string => "run-app --all",
    (): string => "linked-app",
    (): string => 'sh "$HOME/../app/test.sh"',
    (): string => "sh ~/../app/test.sh",
    (): string => `PATH=${join(folder, "env")}/bin:$PATH pytest`,
    (): string => `${join(folder, "env")}/bin/python -m pytest`,
    (): string => `NODE_PATH=${join(folder, "global")}/lib/node_modules node test.cjs`,
  ])("is found: case %#", (command) => {
    put("bin/run-app", `#!/bin/sh\nexec ${root}/test.sh\n`);
    put(`env/${site}/app.pth`, `${root}\n`);
    mkdirSync(join(folder, "global/lib/node_modules"), { recursive: true });
    const links = {
      link: root,
      "global/lib/node_modules/app": root,
      "bin/linked-app": join(root, "test.sh"),
    };
    for (const [link, to] of Object.entries(links)) {
      rmSync(join(folder, link), { force: true });
      symlinkSync(to, join(folder, link));
    }
    const environment = { PATH: join(folder, "bin"), HOME: join(folder, "home") };
    expect(findForeignWord(command(), environment, root)).toBeDefined();
  });

  it("is not confused with an ordinary check", () => {
    put("bin/other", "#!/bin/sh\nexit 0\n");
    for (const command of ["npm test", "other --all", `sh ${root}.worktrees/x/test.sh`, "cd api && make"])
      expect(findForeignWord(command, { PATH: join(folder, "bin") }, root)).toBeUndefined();
  });
});

it("paths inside the project are rewritten to the workspace, in every variable and list", () => {
  const moved = rewritePaths(
    {
      PATH: "/p/.venv/bin:/usr/bin:/p.worktrees/x",
      VIRTUAL_ENV: "/p/.venv",
      GOFLAGS: "-modfile=/p/go.alt.mod -overlay=/p/o.json",
      CFLAGS: "-I/p/include -I/data/p -L/p.old/lib '/p'",
      NAME: "p",
      AMBIT_SOCKET: "/p/.git/ambit/worker.sock",
    },
    { repository: { workTree: "/p", commonDirectory: "/p/.git" }, path: "/w" },
  );
  expect(moved).toStrictEqual({
    PATH: "/w/.venv/bin:/usr/bin:/p.worktrees/x",
    VIRTUAL_ENV: "/w/.venv",
    GOFLAGS: "-modfile=/w/go.alt.mod -overlay=/w/o.json",
    CFLAGS: "-I/w/include -I/data/p -L/p.old/lib '/w'",
    NAME: "p",
    AMBIT_SOCKET: "/p/.git/ambit/worker.sock",
  });
});
