import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import { compareOutside } from "../../src/workspace/outside-state.ts";
import { makeProject } from "../e2e/project.ts";
import { runtimeOptions, useRuntime } from "./open-runtime.ts";
import { delegate, done, shell } from "./steps.ts";

const nothing = (): void => undefined;

/** Workspaces do not lie at the project's own path, and the person has a home of their own. */
async function openOutside() {
  const project = makeProject();
  project.write("ambit.yaml", "workspace:\n  ownPath: false\n");
  const home = join(dirname(project.root), "home-of-person");
  mkdirSync(home);
  const options = runtimeOptions(project);
  const environment = { ...options.environment, HOME: home };
  const opened = await openProjectRuntime({ ...options, environment, onQuiet: nothing, onShutdown: nothing });
  const runtime = useRuntime(project, opened);
  onTestFinished(() => runtime.close());
  return { runtime, home, root: project.root };
}

async function runProgram(id: string, script: (home: string, root: string) => string) {
  const { runtime, home, root } = await openOutside();
  const command = ["sh", "-c", `${script(home, root)}; echo ok > inside.txt`];
  const ended = await runtime.engine.whenEnded(
    await runtime.engine.openStory({ id, title: id, adapter: "command", command }),
  );
  return { ended, home, root, warned: runtime.told(id, "limit-warned") };
}

it("a warning names changes in the checkout, the branches and the home while a worker worked", async () => {
  const { warned, home, root } = await runProgram(
    "W-1",
    (place, folder) =>
      `echo x > ${folder}/planted.txt; git -C ${folder} branch planted; echo y > ${place}/note.txt; echo alias >> ${place}/.bashrc`,
  );
  expect(existsSync(join(root, "planted.txt"))).toBe(true);
  expect(warned).toHaveLength(1);
  const [warning] = warned;
  expect(warning).toMatchObject({ code: "CHANGED_OUTSIDE" });
  const text = JSON.stringify(warning);
  for (const name of [
    join(root, "planted.txt"),
    "refs/heads/planted",
    join(home, "note.txt"),
    join(home, ".bashrc"),
  ])
    expect(text).toContain(name);
});

it("a warning names what a worker changed in the settings, hooks and HEAD of the repository", async () => {
  const { warned, root } = await runProgram(
    "W-5",
    (_home, folder) =>
      `cd ${folder}; git config core.fsmonitor ./evil; mkdir -p .git/hooks .git/info; touch .git/hooks/pre-push; echo '* filter=x' > .git/info/attributes; git symbolic-ref HEAD refs/heads/other; cd "$OLDPWD"`,
  );
  const text = JSON.stringify(warned);
  for (const name of ["config", "hooks/pre-push", "info/attributes", "HEAD"])
    expect(text).toContain(join(root, ".git", name));
});

it("a worker that stays in its workspace causes no warning (control)", async () => {
  const { warned } = await runProgram("W-2", () => "true");
  expect(warned).toEqual([]);
});

it("a worker whose manager is parked causes a warning, too, unless it stays inside (control)", async () => {
  const { runtime, root } = await openOutside();
  const runWith = async (id: string, line: string): Promise<readonly object[]> => {
    runtime.agent("gardener", [shell(line), done()]);
    const tasks = [{ description: "Tend the garden", agent: "gardener" }];
    const story = await runtime.run(id, { begin: [delegate(tasks)], results: [done()] });
    expect(story).toMatchObject({ outcome: "completed", attempt: 2 });
    return [id, `${id}-DEL-001`].flatMap((one) => runtime.told(one, "limit-warned"));
  };
  expect(await runWith("W-3", "true")).toEqual([]);
  const planted = join(root, "planted.txt");
  const [warning, ...others] = await runWith("W-4", `echo x > ${planted}`);
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ code: "CHANGED_OUTSIDE", message: expect.stringContaining(planted) });
});

it.each(["rm -rf $logs", "rm -rf $logs && echo x > $logs"])(
  "a worker that removes the folder with its own output loses no work, and is told apart from a defect: %s",
  async (line) => {
    const logs = (root: string): string => join(root, ".git/ambit/logs/W-6");
    const { ended } = await runProgram("W-6", (_home, folder) => `logs=${logs(folder)}; ${line}`);
    expect(ended).toMatchObject({
      outcome: "partial",
      code: "WORKSPACE_TAMPERED",
      filesChanged: ["inside.txt"],
    });
  },
);

it("the comparison by fingerprint lists changed, new and missing entries", () => {
  const before = new Map([
    ["a", "1"],
    ["b", "1"],
    ["c", "1"],
  ]);
  expect(
    compareOutside(
      before,
      new Map([
        ["a", "1"],
        ["b", "2"],
        ["d", "1"],
      ]),
    ),
  ).toEqual(["b", "c", "d"]);
  expect(compareOutside(before, before)).toEqual([]);
});
