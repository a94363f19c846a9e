import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  getAgentHomes,
  noteHomesOwner,
  removeAgentHome,
  settleAgentHomes,
} from "../../src/project/agent-homes.ts";
import { adoptState, getStateDirectory, openOwnState } from "../../src/project/state-directory.ts";

let folder: string;
let home: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-homes-")));
  home = join(folder, "home");
  mkdirSync(home);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function openProject(name: string): string {
  const root = join(folder, name);
  execFileSync("git", ["init", "-q", root], { stdio: "pipe" });
  openOwnState(root);
  return getStateDirectory(root);
}

function settle(stateDirectory: string, environment: Readonly<Record<string, string>> = {}): string {
  return settleAgentHomes({ stateDirectory, environment, home });
}

/** As an attempt does. */
function addHome(stateDirectory: string, id: string): void {
  mkdirSync(join(getAgentHomes(stateDirectory), id), { recursive: true, mode: 0o700 });
  noteHomesOwner(stateDirectory);
}

describe("the homes of agents", () => {
  it("are in the user's state folder, closed to others, and not below the project", () => {
    const state = openProject("one");
    const homes = settle(state);
    expect(dirname(homes)).toBe(join(home, ".local/state/ambit/agents"));
    expect(getAgentHomes(state)).toBe(homes);
    for (const path of [dirname(homes), dirname(dirname(homes))])
      expect(statSync(path).mode % 0o1000).toBe(0o700);
  });

  it("follow an absolute XDG_STATE_HOME, and stay where they were first", () => {
    const state = openProject("one");
    expect(settle(openProject("two"), { XDG_STATE_HOME: "relative" })).toContain(join(home, ".local/state"));
    const homes = settle(state, { XDG_STATE_HOME: join(folder, "xdg") });
    expect(dirname(homes)).toBe(join(folder, "xdg/ambit/agents"));
    expect(settle(state)).toBe(homes);
  });

  it("are in the project's state folder if the user's state folder is missing or blocked by a link", () => {
    const state = openProject("one");
    expect(settleAgentHomes({ stateDirectory: state, environment: {}, home: "/proc/none" })).toBe(
      join(state, "agents"),
    );
    const other = openProject("two");
    mkdirSync(join(home, ".local/state/ambit"), { recursive: true });
    symlinkSync(folder, join(home, ".local/state/ambit/agents"));
    expect(settle(other)).toBe(join(other, "agents"));
  });

  it("are not shared with a copy of the project", () => {
    const state = openProject("one");
    const homes = settle(state);
    cpSync(join(folder, "one"), join(folder, "copy"), { recursive: true });
    const copy = getStateDirectory(join(folder, "copy"));
    adoptState(copy);
    expect(settle(copy)).not.toBe(homes);
  });

  it("are removed with the last one of a project", () => {
    const state = openProject("one");
    const homes = settle(state);
    addHome(state, "S-1");
    addHome(state, "S-2");
    removeAgentHome(state, "S-1");
    expect(readdirSync(homes)).toContain("S-2");
    removeAgentHome(state, "S-2");
    expect(existsSync(homes)).toBe(false);
    removeAgentHome(state, "S-2");
  });

  it("are removed a month after their project is gone, and no others are", () => {
    const [gone, moved, there] = ["gone", "moved", "there"].map(openProject);
    const homes = [gone, moved, there].map((state = "") => {
      const place = settle(state);
      addHome(state, "S-1");
      return place;
    });
    for (const place of homes.filter((_, index) => index !== 1))
      utimesSync(join(place, ".state-folder"), 1000, 1000);
    for (const name of ["gone", "moved"]) rmSync(join(folder, name), { recursive: true });
    writeFileSync(join(home, ".local/state/ambit/agents/note.txt"), "not a home");
    settle(openProject("next"));
    expect(homes.map((place) => existsSync(place))).toEqual([false, true, true]);
  });
});
