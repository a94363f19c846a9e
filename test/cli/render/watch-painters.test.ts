import { expect, it } from "vitest";
import { ScreenPainter } from "../../../src/cli/watch/painters.ts";

function screenOf(size: { columns: number; rows: number }) {
  const written: string[] = [];
  let resized: () => void = () => undefined;
  const screen = {
    write: (text: string) => void written.push(text),
    size: () => size,
    onResize: (listener: () => void) => {
      resized = listener;
      return () => (resized = () => undefined);
    },
  };
  return { screen, written, size, resize: () => resized() };
}

const outcome = (text: string) => ({ exitCode: 0, json: {}, text }) as const;

it("touches the screen only when the picture differs", async () => {
  const { screen, written } = screenOf({ columns: 80, rows: 24 });
  const painter = new ScreenPainter(screen);
  await painter.show(outcome("one\ntwo"));
  await painter.show(outcome("one\ntwo"));
  expect(written).toHaveLength(1);
  await painter.show(outcome("one\nthree"));
  expect(written).toHaveLength(2);
  expect(written[1]).toContain("three");
  expect(written[1]).not.toContain("one");
});

it("never draws more than the screen holds, and says how much is left out", async () => {
  const { screen, written, size } = screenOf({ columns: 80, rows: 6 });
  const painter = new ScreenPainter(screen);
  await painter.show(outcome(Array.from({ length: 30 }, (_, row) => `line ${row}`).join("\n")));
  expect(written[0]?.split("\n")).toHaveLength(6);
  expect(written[0]).toContain("and 27 more lines");
  size.rows = 40;
  await painter.show(outcome(Array.from({ length: 30 }, (_, row) => `line ${row}`).join("\n")));
  expect(written[1]).toContain("line 29");
});

it("wakes up for a new terminal size and for a request to end", async () => {
  const { screen, resize } = screenOf({ columns: 80, rows: 24 });
  const painter = new ScreenPainter(screen);
  const abort = new AbortController();
  const waiting = painter.wait(600_000, abort.signal);
  resize();
  await waiting;
  const again = painter.wait(600_000, abort.signal);
  abort.abort();
  await again;
  await painter.wait(600_000, abort.signal);
});
