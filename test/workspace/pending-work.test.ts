import { expect, it } from "vitest";
import {
  dropPending,
  finishPending,
  leavePending,
  waitForPending,
} from "../../src/workspace/files/pending-work.ts";

/** Work that notes that it was done, once it is let. */
function makeWork(done: string[], name: string) {
  let finish: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = async (): Promise<void> => {
    await until;
    done.push(name);
  };
  return { work, finish };
}

it("does work that was left when it is needed, in the order in which it was left", async () => {
  const done: string[] = [];
  const [one, two] = [makeWork(done, "one"), makeWork(done, "two")];
  leavePending("/a", one.work);
  leavePending("/a", two.work);
  expect(done).toStrictEqual([]);
  two.finish();
  one.finish();
  await waitForPending("/a");
  expect(done).toStrictEqual(["one", "two"]);
  await waitForPending("/a");
  expect(done).toStrictEqual(["one", "two"]);
});

it("does not do work on a checkout that goes, and waits for work that has begun", async () => {
  const done: string[] = [];
  const [one, two] = [makeWork(done, "one"), makeWork(done, "two")];
  leavePending("/b", one.work);
  const begun = waitForPending("/b");
  leavePending("/b", two.work);
  let isDropped = false;
  const dropped = dropPending("/b").then(() => (isDropped = true));
  await Promise.resolve();
  expect(isDropped).toBe(false);
  one.finish();
  await Promise.all([begun, dropped]);
  await waitForPending("/b");
  expect(done).toStrictEqual(["one"]);
});

it("does all work below a folder, and no other, when it is asked to", async () => {
  const done: string[] = [];
  for (const path of ["/folder/a", "/folder/b", "/folder-2/c"]) {
    const { work, finish } = makeWork(done, path);
    finish();
    leavePending(path, work);
  }
  await finishPending("/folder");
  expect(done.toSorted()).toStrictEqual(["/folder/a", "/folder/b"]);
  await dropPending("/folder-2/c");
  await waitForPending("/folder-2/c");
  expect(done).toHaveLength(2);
});

it("does it after a while by itself", async () => {
  const done: string[] = [];
  const { work, finish } = makeWork(done, "late");
  finish();
  leavePending("/late", work);
  await expect.poll(() => done).toStrictEqual(["late"]);
});
