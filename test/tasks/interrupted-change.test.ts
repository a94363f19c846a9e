import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diskEffects, openTaskStore, type TaskEffects, type TaskStore } from "../../src/tasks/task-store.ts";
import { makeProject, type TaskProject } from "./task-project.ts";

/** Effects of a process that dies after so many of them: from then on every one fails, undoing included. */
function dyingAfter(count: number): TaskEffects {
  let left = count;
  const live = <Arguments extends readonly unknown[]>(effect: (...given: Arguments) => void) => {
    return (...given: Arguments): void => {
      if (left <= 0) throw new Error("the disk is gone");
      left -= 1;
      effect(...given);
    };
  };
  return { write: live(diskEffects.write), move: live(diskEffects.move), remove: live(diskEffects.remove) };
}

/** Everything in its folder, and what its journal has. */
interface Saved {
  readonly texts: Readonly<Record<string, string>>;
  readonly journal: TaskProject["journal"];
}
let saved: Saved | undefined;

/** Each test gets a copy of the same project. */
async function project(): Promise<TaskProject> {
  if (saved === undefined) {
    const first = await fillProject();
    saved = { texts: readAll(first.root), journal: first.journal };
  }
  const copy = makeProject(saved.texts);
  for (const [id, events] of saved.journal) copy.journal.set(id, events);
  return copy;
}

async function fillProject(): Promise<TaskProject> {
  const made = makeProject();
  for (const title of ["One", "Two", "Three"]) await made.store.create({ title });
  await made.store.change(1, { artifacts: [{ type: "plan", path: "specs/1_one/plans/plan-001.md" }] });
  for (const status of ["planning", "planned", "implementing", "completed"])
    await made.store.updateStatus(1, status);
  made.write("specs/1_one/plans/plan-001.md", "# Plan\n");
  return made;
}

function readAll(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}

/** Whether the note of a change that is not finished is still there. */
const hasNote = ({ root }: TaskProject): boolean =>
  Object.values(readAll(join(root, ".ambit"))).some((text) => text.startsWith(NOTE));
const NOTE = '{"version":1,"id":"task-';

const files = ({ root }: TaskProject) => readAll(join(root, "specs"));

const recorded = ({ journal }: TaskProject) => [...journal.values()].flat();

const changes: Readonly<Record<string, (store: TaskStore) => Promise<unknown>>> = {
  create: (store) => store.create({ title: "Four", description: "With words" }),
  change: (store) => store.change(2, { status: "planning", metadata: { title: "Zwei" } }),
  divide: (store) => store.divide(2, { subtasks: [{ title: "Half" }, { title: "Other half" }] }),
  archive: (store) => store.archive(1),
  abandon: (store) => store.abandon(2, { reason: "no more" }),
};

describe.each(Object.keys(changes))("a process that dies while it makes the change %s", (name) => {
  const change = changes[name] ?? (async () => undefined);

  it("leaves nothing half done: the next change finishes it, wherever it died (R139)", async () => {
    const whole = await project();
    const before = files(whole);
    const events = recorded(whole).length;
    await change(whole.store);
    const after = files(whole);
    const added = recorded(whole).slice(events);
    const seen = new Set<string>();
    for (let count = 0, isDead = true; isDead; count += 1) {
      const one = await project();
      const dead = one.open({ effects: dyingAfter(count) });
      isDead = await change(dead).then(
        () => false,
        () => true,
      );
      await one.store.refresh();
      const found = files(one);
      const isWhole = JSON.stringify(found) === JSON.stringify(after);
      expect(found).toEqual(isWhole ? after : before);
      expect(recorded(one).slice(events)).toEqual(isWhole ? added : []);
      expect(one.disagreements()).toEqual([]);
      expect(hasNote(one)).toBe(false);
      expect(JSON.stringify(await one.store.refresh())).toContain('"filesUpdated":[]');
      seen.add(isWhole ? "whole" : "none");
    }
    expect([...seen].toSorted()).toEqual(["none", "whole"]);
  });

  it("loses neither the change nor what a person wrote meanwhile (C27)", async () => {
    for (let count = 1; count < 20; count += 1) {
      const one = await project();
      const dead = one.open({ effects: dyingAfter(count) });
      const isDead = await change(dead).then(
        () => false,
        () => true,
      );
      if (!isDead) break;
      one.edit("specs/TODO.md", "### 3. Three\n", "### 3. Drei\n");
      await one.store.refresh();
      expect(one.store.find(3)).toMatchObject({ title: "Drei", archived: false });
      expect(one.read("specs/TODO.md")).toContain("### 3. Drei\n");
      expect(one.disagreements()).toEqual([]);
      expect(hasNote(one)).toBe(false);
      const ids = one.store.list({ place: "all" }).map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)]);
      expect((await one.store.refresh()).filesUpdated).toEqual([]);
    }
  });
});

describe("a change whose journal fails", () => {
  const broken = async (): Promise<never> => {
    throw new Error("the journal is away");
  };

  it("is in the files, and gets into the journal with the next one, once", async () => {
    const one = await project();
    const events = recorded(one).length;
    await expect(one.open({ journal: broken }).create({ title: "Four" })).rejects.toThrow("is away");
    expect(one.store.find(4)?.title).toBe("Four");
    await one.store.refresh();
    await one.store.refresh();
    expect(recorded(one).slice(events)).toMatchObject([{ taskId: "4", kind: "created" }]);
    expect(one.disagreements()).toEqual([]);
  });

  it("is not finished by a process that has no journal", async () => {
    const one = await project();
    await expect(one.open({ journal: broken }).create({ title: "Four" })).rejects.toThrow("is away");
    const { root } = one;
    const clock = { wallMs: () => 0, monotonicMs: () => performance.now() };
    const bare = openTaskStore({
      projectRoot: root,
      dir: "specs",
      stateDirectory: join(root, ".ambit"),
      clock,
    });
    await expect(bare.create({ title: "Five" })).rejects.toMatchObject({
      message: expect.stringContaining("journal"),
    });
    await one.store.refresh();
    expect(one.store.find(4)?.title).toBe("Four");
  });

  it("is refused if its note is not one of this version", async () => {
    const one = await project();
    await expect(one.open({ journal: broken }).create({ title: "Four" })).rejects.toThrow("is away");
    const folder = join(one.root, ".ambit");
    const [note = ""] = Object.entries(readAll(folder)).flatMap(([path, text]) =>
      text.startsWith(NOTE) ? [path] : [],
    );
    const file = join(folder, note);
    writeFileSync(file, readFileSync(file, "utf8").replace('"version":1', '"version":2'));
    await expect(one.store.refresh()).rejects.toThrow(`${file} is not an intent of this version`);
    renameSync(file, `${file}.away`);
    await one.store.refresh();
  });
});

describe("a change that is being made", () => {
  it("is what readers see, although its process died before the first file", async () => {
    const one = await project();
    const before = one.read("specs/state.json");
    await expect(one.open({ effects: dyingAfter(1) }).create({ title: "Four" })).rejects.toThrow("gone");
    expect(one.read("specs/state.json")).toBe(before);
    expect(one.store.find(4)).toMatchObject({ title: "Four" });
    expect(one.store.list().map(({ id }) => id)).toEqual(["1", "2", "3", "4"]);
    await expect(one.open({ effects: dyingAfter(0) }).create({ title: "Five" })).rejects.toThrow("gone");
  });

  it("lets another one wait for ten seconds", async () => {
    const one = await project();
    let now = 0;
    const clock = { wallMs: () => 0, monotonicMs: () => (now += 5000) };
    let other: unknown;
    const journal = async (): Promise<void> => {
      other = await one
        .open({ clock })
        .create({ title: "Five" })
        .catch((error: unknown) => error);
    };
    await one.open({ journal }).create({ title: "Four" });
    expect(other).toMatchObject({ code: "STORE_BUSY" });
    expect(now).toBe(20_000);
    expect(one.store.find(5)).toBeUndefined();
  });
});

describe("a file that another program writes at the same time", () => {
  it("is never overwritten: the change is planned again on what is there", async () => {
    const one = await project();
    let isEdited = false;
    const effects: TaskEffects = {
      ...diskEffects,
      write: (file, text) => {
        diskEffects.write(file, text);
        if (isEdited) return;
        isEdited = true;
        one.edit("specs/TODO.md", "### 3. Three\n", "### 3. Drei\n");
      },
    };
    const made = await one.open({ effects }).create({ title: "Four" });
    expect(made.status).toBe("completed");
    expect(one.store.find(3)?.title).toBe("Drei");
    expect(one.store.find(4)?.title).toBe("Four");
    expect(one.disagreements()).toEqual([]);
  });

  it("ends the change after five attempts, with everything undone", async () => {
    const one = await project();
    const before = one.read("specs/state.json");
    let count = 0;
    let attempts = 0;
    const effects: TaskEffects = {
      ...diskEffects,
      write: (file, text) => {
        diskEffects.write(file, text);
        if (text.startsWith(NOTE)) attempts += 1;
        if (file.endsWith("state.json"))
          one.write("specs/TODO.md", `${one.read("specs/TODO.md")}\nNote ${(count += 1)}.\n`);
      },
    };
    await expect(one.open({ effects }).create({ title: "Four" })).rejects.toMatchObject({
      message: expect.stringContaining("5"),
    });
    expect(attempts).toBe(5);
    expect(one.read("specs/state.json")).toBe(before);
    expect(one.read("specs/TODO.md")).toContain("Note 1.");
    await one.store.refresh();
    expect(one.store.find(4)).toBeUndefined();
  });
});
