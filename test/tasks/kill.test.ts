import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diskEffects } from "../../src/tasks/task-store.ts";
import type { TaskEffects, TaskJournal } from "../../src/tasks/task-store.ts";
import type { TaskStore } from "../../src/tasks/task-store.ts";
import { makeProject, projectAt, type TaskProject } from "./task-project.ts";

interface Mortal {
  readonly effects: TaskEffects;
  readonly journal: TaskJournal;
  readonly isDead: () => boolean;
}

/** A process that dies after the first `left` of its effects: nothing it does later reaches the disk or the journal. */
function dyingAfter(left: number, project: TaskProject): Mortal {
  let remaining = left;
  const live = (effect: () => void): void => {
    if (remaining === 0) throw new Error("killed");
    remaining -= 1;
    effect();
  };
  return {
    effects: {
      write: (file, text) => live(() => diskEffects.write(file, text)),
      move: (from, to) => live(() => diskEffects.move(from, to)),
      remove: (file) => live(() => diskEffects.remove(file)),
    },
    journal: async (changes, id) => {
      live(() => project.journal.set(id, changes));
      await Promise.resolve();
    },
    isDead: () => remaining === 0,
  };
}

let template: { readonly root: string; readonly journal: TaskProject["journal"] };

beforeAll(async () => {
  const project = projectAt(mkdtempSync(join(tmpdir(), "ambit-tasks-template-")));
  for (const title of ["One", "Two", "Three", "Four"]) await project.store.create({ title });
  await project.store.abandon(3);
  project.write("specs/2_two/reports/research-001.md", "found\n");
  template = project;
});

afterAll(() => rmSync(template.root, { recursive: true, force: true }));

function filled(): TaskProject {
  const project = makeProject();
  cpSync(template.root, project.root, { recursive: true });
  for (const [id, changes] of template.journal) project.journal.set(id, changes);
  return project;
}

const operations: readonly (readonly [string, (store: TaskStore) => Promise<unknown>])[] = [
  ["create", (store) => store.create({ title: "Five" })],
  ["updateStatus", (store) => store.updateStatus("1-2", "planning")],
  ["divide", (store) => store.divide(1, { subtasks: [{ title: "A" }, { title: "B" }] })],
  ["abandon", (store) => store.abandon("1-2")],
  ["recover", (store) => store.recover(3)],
];

/** Kills an operation after each of its effects in turn, and hands the project over after each. */
async function killEverywhere(
  run: (store: TaskStore) => Promise<unknown>,
  examine: (project: TaskProject, effects: number) => Promise<void>,
): Promise<number> {
  for (let count = 0; count < 40; count += 1) {
    const project = filled();
    const { isDead, ...ports } = dyingAfter(count, project);
    const store = project.open(ports);
    const ended = await run(store).then(
      () => true,
      () => false,
    );
    await examine(project, count);
    if (ended && !isDead()) return count;
  }
  throw new Error("the operation never ended");
}

describe("a process that is killed after any effect", () => {
  it.each(operations)(
    "leaves %s either done or not done, the same in both files and the journal (R139, R142)",
    async (_name, run) => {
      const effects = await killEverywhere(run, async (project, count) => {
        const numbers = new Set(
          project
            .open()
            .list({ place: "all" })
            .map(({ id }) => id),
        );
        const refreshed = await project.open().refresh();
        expect(refreshed.status).toBe("completed");
        expect(project.disagreements(), `after ${count} effects`).toEqual([]);
        expect(existsSync(join(project.root, ".ambit/tasks/intent.json"))).toBe(false);
        const after = new Set(project.store.list({ place: "all" }).map(({ id }) => id));
        expect(["1", "2", "3", "4"].filter((id) => !after.has(id))).toEqual([]);
        // A reader saw before what the next change then finished.
        expect(after).toEqual(numbers);
        const next = await project.store.create({ title: "After" });
        expect(after.has(next.taskIds[0] ?? "")).toBe(false);
        expect(project.disagreements()).toEqual([]);
      });
      expect(effects).toBeGreaterThan(4);
    },
  );

  it.each(operations)(
    "loses nothing of %s if a person edits TODO.md before the next change",
    async (_name, run) => {
      await killEverywhere(run, async (project, count) => {
        project.edit("specs/TODO.md", "### 4. Four\n", "### 4. Vier\n\nA note.\n");
        await project.open().refresh();
        expect(project.disagreements(), `after ${count} effects`).toEqual([]);
        expect(project.store.find(4)?.title).toBe("Vier");
        expect(project.read("specs/TODO.md")).toContain("A note.\n");
        const ids = new Set(project.store.list({ place: "all" }).map(({ id }) => id));
        expect(["1", "2", "3", "4"].filter((id) => !ids.has(id))).toEqual([]);
      });
    },
  );

  it("control: without the intent the three records would differ", async () => {
    const broken: number[] = [];
    await killEverywhere(
      (store) => store.abandon("1-2"),
      async (project, count) => {
        rmSync(join(project.root, ".ambit/tasks/intent.json"), { force: true });
        await project.open().refresh();
        if (project.disagreements().length > 0) broken.push(count);
      },
    );
    expect(broken.length).toBeGreaterThan(0);
  });
});
