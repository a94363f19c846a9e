import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  checkTrust,
  isTrustedByVariable,
  recordTrust,
  revokeTrust,
  type TrustPlace,
} from "../../src/trust/check-trust.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";

let folder: string;
let root: string;
let place: TrustPlace;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder, "project");
  mkdirSync(root, { recursive: true });
  execFileSync("git", ["init", "-q"], { cwd: root });
  const homeDirectory = join(folder, "home");
  mkdirSync(homeDirectory);
  place = { projectRoot: root, environment: {}, homeDirectory };
  file = join(homeDirectory, ".config/ambit/trust.json");
  write("ambit.yaml", "workspace:\n  setup: npm ci\n");
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const trust = async (): Promise<void> => recordTrust(place, await checkTrust(place));
const state = async (): Promise<string> => (await checkTrust(place)).state;

describe("the decision about a project", () => {
  it("is unknown first, then trusted, until something is added or changed", async () => {
    expect(await state()).toBe("unknown");
    await trust();
    expect(await state()).toBe("trusted");
    write(".claude/settings.json", '{"hooks": {"Stop": "x"}}');
    expect(await state()).toBe("changed");
    rmSync(join(root, ".claude"), { recursive: true });
    expect(await state()).toBe("trusted");
    write("ambit.yaml", "workspace:\n  setup: npm install\n");
    expect(await state()).toBe("changed");
    rmSync(join(root, "ambit.yaml"));
    expect(await state()).toBe("nothing-named");
  });

  it("stays trusted if something was only removed", async () => {
    write(".mcp.json", '{"mcpServers": {"a": 1}}');
    await trust();
    rmSync(join(root, ".mcp.json"));
    expect(await checkTrust(place)).toMatchObject({ state: "trusted", changes: [] });
  });

  it("shows what was added, changed and removed, line by line and without credentials", async () => {
    write(".ambit/agents/a.md", "one\ntwo\nthree\n");
    write(".ambit/agents/b.md", "gone\n");
    await trust();
    write(".ambit/agents/a.md", "one\n2\nthree\n");
    rmSync(join(root, ".ambit/agents/b.md"));
    write(".mcp.json", '{"mcpServers": {"token": "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"}}');
    const { changes } = await checkTrust(place);
    expect(changes).toEqual([
      {
        file: ".ambit/agents/a.md",
        field: null,
        change: "changed",
        lines: [
          { sign: "-", text: "two" },
          { sign: "+", text: "2" },
        ],
      },
      expect.objectContaining({ file: ".mcp.json", field: "mcpServers", change: "added" }),
      { file: ".ambit/agents/b.md", field: null, change: "removed", lines: [{ sign: "-", text: "gone" }] },
    ]);
    expect(JSON.stringify(changes)).not.toContain("ghp_0123");
    await trust();
    expect(readFileSync(file, "utf8")).not.toContain("ghp_0123");
  });

  it("belongs to one repository, with all its worktrees, and can be revoked", async () => {
    const git = (...words: string[]): void =>
      void execFileSync("git", ["-c", "user.name=U", "-c", "user.email=u@e.org", ...words], { cwd: root });
    git("add", "-A");
    git("commit", "-qm", "x");
    git("worktree", "add", "-q", "../linked");
    git("clone", "-q", ".", "../other");
    await trust();
    expect(await state()).toBe("trusted");
    expect(await checkTrust({ ...place, projectRoot: join(root, "../linked") })).toMatchObject({
      state: "trusted",
    });
    expect(await checkTrust({ ...place, projectRoot: join(root, "../other") })).toMatchObject({
      state: "unknown",
    });
    expect(await revokeTrust(place)).toBe(true);
    expect(await revokeTrust(place)).toBe(false);
    expect(await state()).toBe("unknown");
  });
});

describe("the file with the decisions", () => {
  it("is readable only by its owner, in an equally private folder", async () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    await trust();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  });

  it("is ignored if it is a link or writable by others, and is replaced, not followed", async () => {
    await trust();
    chmodSync(file, 0o622);
    expect(await state()).toBe("unknown");
    chmodSync(file, 0o600);
    expect(await state()).toBe("trusted");
    const elsewhere = join(folder, "elsewhere.json");
    writeFileSync(elsewhere, readFileSync(file));
    rmSync(file);
    symlinkSync(elsewhere, file);
    expect(await state()).toBe("unknown");
    writeFileSync(elsewhere, "untouched");
    await trust();
    expect(readFileSync(elsewhere, "utf8")).toBe("untouched");
    expect(lstatSync(file).isFile()).toBe(true);
    expect(await state()).toBe("trusted");
  });

  it("is not written through a link in the place of its folder", async () => {
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(elsewhere);
    mkdirSync(dirname(dirname(file)), { recursive: true });
    symlinkSync(elsewhere, dirname(file));
    await expect(trust()).rejects.toMatchObject({ code: "STATE_NOT_OURS" });
    expect(existsSync(join(elsewhere, "trust.json"))).toBe(false);
  });

  it("is not looked for inside the project, which could bring it", async () => {
    await trust();
    mkdirSync(join(root, "config/ambit"), { recursive: true });
    writeFileSync(join(root, "config/ambit/trust.json"), readFileSync(file), { mode: 0o600 });
    const inside = { ...place, environment: { XDG_CONFIG_HOME: join(root, "config") } };
    expect(await checkTrust(inside)).toMatchObject({ state: "unknown" });
    await expect(recordTrust(inside, await checkTrust(inside))).rejects.toMatchObject({ code: "USAGE" });
  });

  it("keeps the decisions about other projects, also when two are made at once", async () => {
    const places = Array.from({ length: 8 }, (_, index) => {
      const projectRoot = join(folder, `p${index}`);
      mkdirSync(projectRoot);
      execFileSync("git", ["init", "-q"], { cwd: projectRoot });
      writeFileSync(join(projectRoot, "ambit.yaml"), `workspace:\n  setup: echo ${index}\n`);
      return { ...place, projectRoot };
    });
    await Promise.all(places.map(async (one) => recordTrust(one, await checkTrust(one))));
    for (const one of places) expect(await checkTrust(one)).toMatchObject({ state: "trusted" });
  });

  it("counts as empty if it is cut off", async () => {
    await trust();
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -20));
    expect(await state()).toBe("unknown");
    await trust();
    expect(await state()).toBe("trusted");
  });
});

describe("a command in a criterion", () => {
  const tasks = (...list: readonly (readonly [number, string])[]): void =>
    write(
      "specs/state.json",
      JSON.stringify({
        active_projects: list.map(([number, command]) => ({
          project_number: number,
          title: "T",
          criteria: [`running \`${command}\` exits with code 0`],
        })),
      }),
    );

  it("is asked about once, whichever task names it and whatever else was trusted meanwhile", async () => {
    tasks([1, "make a"]);
    await trust();
    tasks([2, "make a"]);
    expect(await state()).toBe("trusted");
    tasks([2, "make b"]);
    expect((await checkTrust(place)).changes).toMatchObject([
      { file: "specs/state.json", field: "task 2", change: "added", lines: [{ sign: "+", text: "make b" }] },
    ]);
    await trust();
    tasks([3, "make a"], [4, "make b"]);
    expect(await state()).toBe("trusted");
    await revokeTrust(place);
    expect(await state()).toBe("unknown");
  });

  it("in a PRD file counts only if that file is to run", async () => {
    const prd = join(root, "prd.json");
    const story = { id: "US-1", title: "A", acceptanceCriteria: ["`make x` passes"] };
    write("prd.json", JSON.stringify({ project: "p", userStories: [story] }));
    await trust();
    const check = await checkTrust({ ...place, prd });
    expect(check.state).toBe("changed");
    await recordTrust({ ...place, prd }, check);
    write("ambit.yaml", "workspace:\n  setup: npm install\n");
    await trust();
    expect((await checkTrust({ ...place, prd })).state).toBe("trusted");
  });
});

describe("AMBIT_TRUST", () => {
  it("counts only with the value 1, and never if the project sets it", async () => {
    const allows = async (value: string): Promise<boolean> =>
      isTrustedByVariable({ environment: { AMBIT_TRUST: value } }, (await checkTrust(place)).items);
    expect(await allows("1")).toBe(true);
    expect(await allows("true")).toBe(false);
    expect(await allows("")).toBe(false);
    for (const spelling of ["AMBIT_TRUST", String.raw`AMBIT\u005fTRUST`, String.raw`AMBIT\U0000005FTRUST`]) {
      write(".codex/config.toml", `[x.env]\n"${spelling}" = "1"\n`);
      expect(await allows("1")).toBe(false);
    }
  });
});
