import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paint } from "../../../src/cli/terminal/paint.ts";
import { renderTree, type TreeStyle } from "../../../src/cli/render/story-tree.ts";
import { textWidth } from "../../../src/cli/terminal/text-width.ts";
import { type StoryView, emptyView, seeOutput } from "../../../src/reports/story-view.ts";
import { busyStory, idOf, STORY, StoryTape, timeOf } from "../../reports/story-tape.ts";

const nowMs = timeOf("12:04:12");
const hint = "Ctrl-C detaches, twice stops";

function render(view: StoryView, width: number, rows: number, more: Partial<TreeStyle> = {}): string {
  return renderTree(view, { width, rows, nowMs, ascii: false, paint: paint(false), ...more });
}

function busyView(): StoryView {
  const view = seeOutput(busyStory().view(), idOf("2"), { text: "editing src/routes/login.ts", atMs: nowMs });
  return seeOutput(view, idOf("2.2"), { text: "\u001b[32mnpm test\u001b[0m\n\n", atMs: nowMs });
}

describe("a silent worker", () => {
  const quiet = new StoryTape().open("Story").at("12:00:10").start("1", "work");

  it("is shown as silent, in amber, after five minutes without output", () => {
    expect(render(quiet.view(), 80, 9, { nowMs: timeOf("12:05:09") })).toMatch(/work +running +claude/);
    const late = { nowMs: timeOf("12:08:20"), paint: paint(true) };
    expect(render(quiet.view(), 80, 9, late)).toContain("\u001b[33m\u001b[1msilent 8m\u001b[22m\u001b[39m");
  });

  it("is shown as silent at once after a warning, and no longer once it writes", () => {
    const warned = new StoryTape().open("Story").start("1", "work").at("12:01:30");
    const view = warned.add("limit-warned", "1", { code: "STALLED", message: "nothing for 90 s" }).view();
    const later = timeOf("12:01:31");
    expect(render(view, 80, 9, { nowMs: later })).toMatch(/work +silent 1m +claude/);
    const heard = seeOutput(view, idOf("1"), { text: "", atMs: later });
    expect(render(heard, 80, 9, { nowMs: later })).toMatch(/work +running +claude/);
  });

  it("shows its question as its newest line", () => {
    const asked = { approvalId: "a", kind: "clarification", question: "uuid or bigint?" };
    const view = quiet.view();
    const node = new StoryTape()
      .open("Story")
      .start("1", "work")
      .add("approval-requested", "1", asked)
      .view();
    expect(view.nodes.get(idOf("1"))?.activity).toBe("");
    expect(node.nodes.get(idOf("1"))?.activity).toBe("uuid or bigint?");
  });
});

describe("a wide terminal", () => {
  it("shows each agent with its task, its cost and whether it waits for a person (R98)", () => {
    expect(render(busyView(), 140, 40, { hint })).toBe(
      `Add OAuth login · US-1 · 2/6 done · $0.60 of $5.00 · 04:12 of 30:00 · depth 2 of 3
◔ manager               waiting    claude         4m12s         waits for 2, 3, 4
├─ ✔ 1   token service  done       claude·sonnet  1m40s  $0.31  4 files  3/3 criteria
├─ ● 2   login routes   running    codex          2m02s  $0.22  editing src/routes/login.ts
│  ├─ ✔ 2.1 validators  done       claude·haiku     41s  $0.04  1 file  1/1 criteria
│  └─ ● 2.2 rate limit  running    claude·haiku     22s  $0.03  npm test
│     └─ ⊘ even deeper  refused                                 MAX_DEPTH_EXCEEDED
├─ ? 3   db migration   NEEDS YOU  claude           12s         "uuid or bigint ids?"  → ambit reply US-1-DEL-003 "..."
└─ ◌ 4   e2e tests      queued     claude                       waits for 2, 3
Ctrl-C detaches, twice stops`,
    );
  });

  it("shows the same in plain ASCII", () => {
    const text = render(busyView(), 140, 40, { ascii: true });
    expect(text).toBe(
      `Add OAuth login - US-1 - 2/6 done - $0.60 of $5.00 - 04:12 of 30:00 - depth 2 of 3
~ manager               waiting    claude         4m12s         waits for 2, 3, 4
|- + 1   token service  done       claude/sonnet  1m40s  $0.31  4 files  3/3 criteria
|- * 2   login routes   running    codex          2m02s  $0.22  editing src/routes/login.ts
|  |- + 2.1 validators  done       claude/haiku     41s  $0.04  1 file  1/1 criteria
|  \`- * 2.2 rate limit  running    claude/haiku     22s  $0.03  npm test
|     \`- o even deeper  refused                                 MAX_DEPTH_EXCEEDED
|- ? 3   db migration   NEEDS YOU  claude           12s         "uuid or bigint ids?"  -> ambit reply US-1-DEL-003 "..."
\`- . 4   e2e tests      queued     claude                       waits for 2, 3`,
    );
    expect(Array.from(text).filter((character) => character > "~")).toStrictEqual([]);
  });

  it("colours only marks and words, and never changes a letter", () => {
    const colored = render(busyView(), 140, 40, { paint: paint(true) });
    expect(colored).toContain("├─ \u001b[32m✔\u001b[39m 1   token service  \u001b[32mdone     \u001b[39m  ");
    expect(colored).toContain("\u001b[1mNEEDS YOU\u001b[22m");
    // oxlint-disable-next-line no-control-regex
    expect(colored.replaceAll(/\u001b\[\d+m/g, "")).toBe(render(busyView(), 140, 40));
  });
});

describe("a narrow terminal", () => {
  it("omits the agent, then the cost, then the time, and shows below what a person must type", () => {
    expect(render(busyView(), 80, 12)).toBe(
      `Add OAuth lo… · US-1 · 2/6 done · $0.60 of $5.00 · 04:12 of 30:00 · depth 2 of 3
◔ manager               waiting    4m12s         waits for 2, 3, 4
├─ ✔ 1   token service  done       1m40s  $0.31  4 files  3/3 criteria
├─ ● 2   login routes   running    2m02s  $0.22  editing src/routes/login.ts
│  ├─ ✔ 2.1 validators  done         41s  $0.04  1 file  1/1 criteria
│  └─ ● 2.2 rate limit  running      22s  $0.03  npm test
│     └─ ⊘ even deeper  refused                  MAX_DEPTH_EXCEEDED
├─ ? 3   db migration   NEEDS YOU    12s         "uuid or bigint ids?"
└─ ◌ 4   e2e tests      queued                   waits for 2, 3
ambit reply US-1-DEL-003 "..."  uuid or bigint ids?`,
    );
  });

  it("counts as at least 40 columns and 12 rows", () => {
    expect(render(busyView(), 40, 12, { hint })).toBe(
      `Add OAuth l… · 2/6 done · $0.60 of $5.00
◔ manager               waiting    4m12s
├─ ✔ 1   token service  done       1m40s
├─ ● 2   login routes   running    2m02s
│  ├─ ✔ 2.1 validators  done         41s
│  └─ ● 2.2 rate limit  running      22s
│     └─ ⊘ even deeper  refused
├─ ? 3   db migration   NEEDS YOU    12s
└─ ◌ 4   e2e tests      queued
ambit reply US-1-DEL-003 "..."  uuid or…
Ctrl-C detaches, twice stops`,
    );
  });

  it("keeps the word next to the mark even where names have to be cut", () => {
    expect(render(busyView(), 24, 6)).toBe(
      `Add OAuth lo… · 2/6 done
├─ ● 2   log…  running
│  └─ ● 2.2 …  running
├─ ? 3   db …  NEEDS YOU
└─ ◌ 4   e2e…  queued
… 2 more: ambit tree US…`,
    );
  });
});

describe("a low terminal", () => {
  const rows = (count: number): string => render(busyView(), 60, count);

  it("folds the manager's own line and refusals before any running work", () => {
    expect(rows(7)).toBe(
      `Add OAuth login · 2/6 done · $0.60 of $5.00 · 04:12 of 30:00
├─ ✔ 1   token service  done       1m40s  4 files  3/3 crit…
├─ ● 2   login routes   running    2m02s  editing src/route…
│  ├─ ✔ 2.1 validators  done         41s  1 file  1/1 crite…
│  └─ ● 2.2 rate limit  running      22s  npm test  1 refus…
├─ ? 3   db migration   NEEDS YOU    12s  "uuid or bigint i…
└─ ◌ 4   e2e tests      queued            waits for 2, 3`,
    );
  });

  it("keeps work that needs a person until the last", () => {
    expect(rows(5)).toContain("… 3 more: ambit tree US-1");
    expect(rows(3).split("\n").slice(1)).toStrictEqual([
      '├─ ? 3 db migration  NEEDS YOU  12s  "uuid or bigint ids?"',
      "… 5 more: ambit tree US-1",
    ]);
    expect(rows(2)).toContain("├─ ? 3 db migration  NEEDS YOU");
    expect(rows(1)).toBe("Add OAuth login · 2/6 done · $0.60 of $5.00 · 04:12 of 30:00");
    expect(rows(0)).toBe("");
  });

  it("folds a finished branch into its first line, and done and queued siblings into one line each", () => {
    const tape = new StoryTape().at("12:00:00").open("Many");
    tape.start("1", "first").start("1.1", "below").close("1.1").spend("1", 0.5, "simulated").close("1");
    for (const label of ["2", "3", "4"]) tape.start(label, `work ${label}`).spend(label, 0.25).close(label);
    tape.start("5", "going on");
    tape.start("6", "broken").close("6", "failed", { code: "NOT_JSON", summary: "No usable return." });
    for (const label of ["7", "8", "9"]) tape.admit(label, `later ${label}`);
    const view = tape.view();
    expect(render(view, 70, 11)).toBe(
      `Many · US-1 · 6/10 done · $1.25 simulated · 04:12 of 30:00
● manager        running  claude  4m12s
├─ ✔ 1 first     done     claude    0ms  ~$0.50  +1 done
├─ ✔ 2 work 2    done     claude    0ms   $0.25
├─ ✔ 3 work 3    done     claude    0ms   $0.25
├─ ✔ 4 work 4    done     claude    0ms   $0.25
├─ ● 5 going on  running  claude  4m12s
├─ ✖ 6 broken    failed   claude    0ms          NOT_JSON  No usable …
├─ ◌ 7 later 7   queued   claude
├─ ◌ 8 later 8   queued   claude
└─ ◌ 9 later 9   queued   claude`,
    );
    expect(render(view, 70, 6)).toBe(
      `Many · US-1 · 6/10 done · $1.25 simulated · 04:12 of 30:00
├─ ✔ 1-4         4 done                   ~$1.25
├─ ● 5 going on  running   claude  4m12s
├─ ✖ 6 broken    failed    claude    0ms          NOT_JSON  No usable…
└─ ◌ 7-9         3 queued`,
    );
  });
});

describe("a row", () => {
  const line = (tape: StoryTape): string => render(tape.view(), 160, 40).split("\n").at(-1) ?? "";

  it("names the attempt, retry time and reason of waiting work", () => {
    const tape = new StoryTape().at("12:04:00").open("Story").start("1", "work");
    tape.add("attempt-retried", "1", { reason: "No JSON.", kind: "retry", afterMs: 15_500 });
    expect(line(tape)).toBe("└─ ◌ 1 work  queued   claude  12s  retries in 4 s");
    const held = new StoryTape().at("12:04:00").open("Story").start("1", "work");
    held.add("attempt-retried", "1", { reason: "full", provider: "anthropic", afterMs: 15_500 });
    expect(line(held)).toBe("└─ ◌ 1 work  queued   claude  12s  waits for provider anthropic, 4 s more");
    tape.add("attempt-started", "1", {}, 2).add("note-added", "1", { text: "again" });
    expect(line(tape)).toBe("└─ ● 1 work  running  claude  12s  attempt 2  again");
    const waiting = new StoryTape().at("12:04:00").open("Story").admit("1", "work");
    waiting.add("attempt-waiting", "1", { reason: "waits for a slot: 3 of 3 in use" });
    expect(line(waiting)).toContain("queued   claude       waits for a slot: 3 of 3 in use");
  });

  it("counts criteria while they are checked", () => {
    const tape = new StoryTape()
      .at("12:04:00")
      .open("Story")
      .start("1", "work", { criteria: ["a", "b"] });
    tape.add("delegation-returned", "1", { summary: "Wrote it." });
    expect(line(tape)).toContain("◑ 1 work  returned  claude  12s  0/2 criteria  Wrote it.");
    tape.add("criterion-checked", "1", { criterionId: "a", text: "npm test", verdict: "passed" });
    expect(line(tape)).toContain("◑ 1 work  checking  claude  12s  1/2 criteria  passed: npm test");
  });

  it("names the command that approves, and one of several questions", () => {
    const ask = (approvalId: string, kind: string): object => ({
      approvalId,
      kind,
      question: "Go on?",
      details: [],
    });
    const tape = new StoryTape().at("12:04:00").open("Story").start("1", "work");
    tape.add("approval-requested", "1", ask("US-1-DEL-001-cost-1", "cost"));
    expect(line(tape)).toContain('NEEDS YOU  claude  12s  "Go on?"  → ambit approve US-1-DEL-001');
    tape.add("approval-requested", "1", ask("A2", "scope"));
    expect(line(tape)).toContain("→ ambit approve US-1-DEL-001-cost-1");
  });

  it("shows a story without workers as one worker", () => {
    const tape = new StoryTape().at("12:04:00").open("Alone").add("note-added", "", { text: "working" });
    expect(render(tape.view(), 80, 24)).toBe(
      "Alone · US-1 · 00:12 of 30:00\n● worker  running  claude  12s  working",
    );
    const ended = tape.close("", "completed", {}).view();
    expect(render(ended, 80, 24)).toContain("Alone · US-1 · cost not reported · ");
    expect(render(emptyView(STORY), 80, 24)).toBe("US-1 · 00:00\n◌ worker  queued");
  });
});

describe("texts from outside", () => {
  const hostile = (): StoryTape =>
    new StoryTape()
      .at("12:00:00")
      .open("認証を追加する\u001b[2J と\nテスト")
      .start("1", "データベースの移行を書き直す長い題名")
      .start("2", "x\u001b[31mred\u202e\ttab\u0007", { agent: "a\u001b]0;title\u0007b" })
      .close("2", "failed", { code: "X\u001b[H", summary: "\u009b31mNo\r\nreturn" });

  it("cannot move the cursor, change colours or hide anything, and wide letters count twice", () => {
    expect(render(hostile().view(), 90, 12)).toBe(
      `認証を追加する\\u{1b}[2J と テスト · US-1 · 1/2 done · 04:12 of 30:00 · depth 1 of 3
● manager                                    running  claude  4m12s
├─ ● 1 データベースの移行を書き直す長い題名  running  claude  4m12s
└─ ✖ 2 x\\u{1b}[31mred\\u{202e} tab\\u{7}       failed   ab        0ms  X  No return`,
    );
  });

  it("are cut at whole letters", () => {
    expect(render(hostile().view(), 40, 12)).toBe(
      `認証を追加… · 1/2 done · 04:12 of 30:00
● manager                 running  4m12s
├─ ● 1 データベースの移…  running  4m12s
└─ ✖ 2 x\\u{1b}[31mred\\u…  failed     0ms`,
    );
  });

  it("never make a line wider or the picture higher than the terminal, whatever they contain", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom("漢字".repeat(30), "🙂 e\u0301", ""),
    );
    const steps = fc.array(
      fc.record({
        label: fc.constantFrom("1", "2", "3", "1.1", "1.2", "2.1", "1.1.1"),
        title: text,
        detail: text,
        kind: fc.constantFrom("close", "fail", "ask", "refuse", "park", "run", "spend"),
      }),
      { maxLength: 12 },
    );
    const size = fc.record({
      width: fc.integer({ min: 1, max: 130 }),
      rows: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(steps, size, fc.boolean(), (list, { width, rows }, ascii) => {
        const tape = new StoryTape().at("12:00:00").open(list[0]?.title ?? "x", { budgetMicroUsd: 10 });
        for (const { label, title, detail, kind } of list) {
          tape.start(label, title, { agent: detail });
          if (kind === "close") tape.close(label);
          if (kind === "fail") tape.close(label, "failed", { code: detail, summary: detail });
          if (kind === "ask")
            tape.add("approval-requested", label, { approvalId: detail, kind: "cost", question: detail });
          if (kind === "refuse")
            tape.add("delegation-refused", label, {
              parent: idOf(label),
              description: title,
              failures: [{ code: detail }],
            });
          if (kind === "park") tape.add("delegation-parked", label, { waitingFor: [detail] });
          if (kind === "run") tape.add("note-added", label, { text: detail });
          if (kind === "spend") tape.spend(label, 1.5, "simulated");
        }
        const lines = render(tape.view(), width, rows, { ascii, hint }).split("\n");
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const shown of lines) expect(textWidth(shown)).toBeLessThanOrEqual(width);
        const controls = Array.from(lines.join(""), (character) => character.codePointAt(0) ?? 0);
        expect(controls.filter((code) => code < 0x20 || (code >= 0x7f && code < 0xa0))).toStrictEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
