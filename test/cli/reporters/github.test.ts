import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeMarkdown } from "../../../src/cli/reporters/github/escape-markdown.ts";
import { workflowCommand } from "../../../src/cli/reporters/github/workflow-command.ts";
import { plainLine } from "../../../src/cli/terminal/runner-commands.ts";
import { githubReporter } from "../../../src/cli/reporters/github.ts";
import type { Reporter } from "../../../src/cli/reporters/reporter.ts";
import { renderTreeMermaid } from "../../../src/app/tree/tree-mermaid.ts";
import { drawViewTree } from "../../../src/reports/tree.ts";
import { busyStory, idOf, STORY, StoryTape } from "../../reports/story-tape.ts";
import { ended, now, play, Recorder } from "./recorder.ts";

function begin(recorder: Recorder, summaries: string[] = [], room = 1024 * 1024): Reporter {
  const append = (markdown: string): void => void summaries.push(markdown);
  return githubReporter({
    story: STORY,
    output: recorder.output,
    summary: { room: () => room, append },
    ...now,
  });
}

describe("workflow commands", () => {
  it("escape messages, and more characters in properties", () => {
    expect(workflowCommand("error", "50%\r\nof a:b,c", { file: "a,b:c%\n.ts", title: "", line: "1" })).toBe(
      "::error file=a%2Cb%3Ac%25%0A.ts,line=1::50%25%0D%0Aof a:b,c",
    );
    expect(workflowCommand("endgroup", "")).toBe("::endgroup::");
  });

  it("contain their values whole, and no value can end one", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, text, (message, file, title) => {
        const command = workflowCommand("error", message, { file, title: `t${title}` });
        expect(command).not.toMatch(/[\r\n]/);
        const [, properties = "", data = ""] = /^::error (.*?)::(.*)$/su.exec(command) ?? [];
        const read = Object.fromEntries(properties.split(",").map((pair) => pair.split(/=(.*)/su, 2)));
        expect(decode(read["title"] ?? "")).toBe(`t${title}`);
        expect(decode(read["file"] ?? "")).toBe(file);
        expect(decode(data)).toBe(message);
      }),
    );
  });

  it("are not created from text that looks like one", () => {
    expect(plainLine("::error::x")).toBe("| ::error::x");
    expect(plainLine("  \t::add-mask::x")).toBe("|   \t::add-mask::x");
    expect(plainLine("a ##[group]b")).toBe("a ## [group]b");
    expect(plainLine("12:00:00 a::b")).toBe("12:00:00 a::b");
  });
});

/** Decodes a text as the runner does. */
function decode(text: string): string {
  const letters = { "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%" };
  return Object.entries(letters).reduce((read, [code, letter]) => read.replaceAll(code, letter), text);
}

describe("the GitHub reporter", () => {
  it("writes a line per change, and puts problems where a reader of the job sees them", () => {
    const recorder = new Recorder();
    const tape = new StoryTape().at("12:00:00").open("Story").start("1", "work, more: of it");
    play(
      begin(recorder),
      tape.add("merge-refused", "1", { code: "MERGE_CONFLICT", files: ["a.ts", "b,c.ts"] }),
    );
    expect(recorder.lines.slice(-3)).toStrictEqual([
      "12:00:00 1 merge refused MERGE_CONFLICT: a.ts, b,c.ts",
      "::error file=a.ts,title=1 work%2C more%3A of it::merge refused MERGE_CONFLICT: a.ts, b,c.ts",
      "::error file=b%2Cc.ts,title=1 work%2C more%3A of it::merge refused MERGE_CONFLICT: a.ts, b,c.ts",
    ]);
    recorder.lines.length = 0;
    play(
      begin(recorder),
      busyStory().close("3", "blocked", { code: "TOOL_UNAVAILABLE", summary: "No login." }),
    );
    expect(recorder.lines.filter((line) => line.startsWith("::"))).toStrictEqual([
      "::warning title=2.2 rate limit::refused MAX_DEPTH_EXCEEDED: even deeper",
      '::warning title=3 db migration::running → needs you "uuid or bigint ids?" → ambit reply US-1-DEL-003 "..."',
      "::error title=3 db migration::needs you → blocked TOOL_UNAVAILABLE - No login.",
    ]);
  });

  it("folds the end of a worker's output, and lets none of it become a command", () => {
    const recorder = new Recorder();
    const reporter = begin(recorder);
    const tape = new StoryTape().at("12:00:00").open("Story").start("1", "work");
    play(reporter, tape);
    recorder.lines.length = 0;
    for (let line = 0; line < 300; line += 1) reporter.output(idOf("1"), `line ${line}\n`);
    reporter.output(idOf("1"), "::add-mask::secret\n ##[error]x\u001b[31m\n");
    for (const event of tape.close("1").events.slice(-1)) reporter.event(event);
    expect(recorder.lines).toHaveLength(203);
    expect(recorder.lines.slice(0, 3)).toStrictEqual([
      "12:00:00 1 running → done",
      "::group::1 work: done",
      "| line 102",
    ]);
    expect(recorder.lines.slice(-3)).toStrictEqual([
      "| ::add-mask::secret",
      "|  ## [error]x",
      "::endgroup::",
    ]);
  });

  it("never turns text into a command, whatever a worker's output and name are", () => {
    const nasty = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\n::error::x", "\r::set-env::", "##[x]"),
    );
    fc.assert(
      fc.property(nasty, nasty, (title, text) => {
        const recorder = new Recorder();
        const reporter = begin(recorder);
        const tape = new StoryTape().open(title).start("1", title, { agent: text });
        tape.add("note-added", "1", { text }).add("limit-warned", "1", { code: text, message: title });
        play(reporter, tape);
        reporter.output(idOf("1"), text);
        reporter.note(text);
        for (const event of tape.close("1").events.slice(-1)) reporter.event(event);
        const lines = recorder.lines.flatMap((line) => line.split(/[\r\n]/));
        const commands = lines.filter((line) => line.trimStart().startsWith("::"));
        expect(commands.filter((line) => !/^::(group|endgroup)::/.test(line))).toStrictEqual([]);
        expect(lines.filter((line) => !line.startsWith("::") && line.includes("##["))).toStrictEqual([]);
      }),
    );
  });

  it("names the finding of a failed check", () => {
    const summaries: string[] = [];
    const reporter = begin(new Recorder(), summaries);
    const failed = { criterionId: "c1", text: "npm test", verdict: "failed", evidence: "1 failed: |sum|" };
    const passed = { ...failed, criterionId: "c2", verdict: "passed" };
    const tape = new StoryTape().open("Story").start("1", "work");
    play(reporter, tape.add("criterion-checked", "1", failed).add("criterion-checked", "1", passed));
    reporter.end(ended);
    expect(summaries[0]).toContain("**Failed checks**\n\n- 1 npm test: 1 failed&#58; &#124;sum&#124;\n\n");
  });

  it("adds a table of the story to the job's summary", () => {
    const summaries: string[] = [];
    const reporter = begin(new Recorder(), summaries);
    play(reporter, busyStory());
    reporter.end(ended);
    reporter.close();
    expect(summaries).toStrictEqual([
      `## Add OAuth login

**partial** (NOT&#95;JSON) · 2 of 6 delegations ended · $0.60

Half of it.

**Waits for a person**

- uuid or bigint ids? → \`ambit reply US-1-DEL-003 "..."\`

| | Task | State | Agent | Time | Cost | Files | Criteria |
|---|---|---|---|--:|--:|--:|--:|
| US&#45;1 | Add OAuth login | ◔ waiting | claude | 4m31s |  | 0 |  |
| 1 | token service | ✔ done | claude | 1m40s | &#36;0.31 | 4 | 3/3 |
| 2 | login routes | ● running | codex | 2m21s | &#36;0.22 | 0 |  |
| 2.1 | validators | ✔ done | claude | 41s | &#36;0.04 | 1 | 1/1 |
| 2.2 | rate limit | ● running | claude | 41s | &#36;0.03 | 0 |  |
| 3 | db migration | ? needs you | claude | 31s |  | 0 |  |
| 4 | e2e tests | ◌ queued | claude |  |  | 0 |  |

**Refused**

- 2.2 was refused MAX&#95;DEPTH&#95;EXCEEDED: even deeper

<details><summary>Tree</summary>

<pre>
US-1: Add OAuth login (depth=0) [running]
├── US-1-DEL-001: token service (depth=1) [completed]
├── US-1-DEL-002: login routes (depth=1) [running]
│   ├── US-1-DEL-002-DEL-001: validators (depth=2) [completed]
│   └── US-1-DEL-002-DEL-002: rate limit (depth=2) [running]
├── US-1-DEL-003: db migration (depth=1) [running]
└── US-1-DEL-004: e2e tests (depth=1) [pending]
</pre>

</details>

<details><summary>Diagram</summary>

\`\`\`mermaid
${renderTreeMermaid(drawViewTree(busyStory().view()))}
\`\`\`

</details>
`,
    ]);
  });

  it("keeps every field of the summary harmless, whatever it contains", () => {
    const nasty = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "</pre><script>x</script>",
        "\n```\n<img src=x>",
        "a\u001b[31m\u202eb",
        "</details>",
        "]]-->",
      ),
    );
    fc.assert(
      fc.property(nasty, nasty, (title, agent) => {
        const summaries: string[] = [];
        const reporter = begin(new Recorder(), summaries);
        play(
          reporter,
          new StoryTape().open(title).start("1", title, { agent }).close("1", "failed", { code: agent }),
        );
        reporter.end({ story: STORY, outcome: "failed", code: agent, summary: title });
        const page = summaries.join("");
        expect(page.match(/<[^>]*>/g) ?? []).toStrictEqual(
          ["<details>", "<summary>", "</summary>", "<pre>", "</pre>", "</details>"].concat([
            "<details>",
            "<summary>",
            "</summary>",
            "<br/>",
            "<br/>",
            "<br/>",
            "<br/>",
            "</details>",
          ]),
        );
        expect(page.match(/^```.*$/gm)).toStrictEqual(["```mermaid", "```"]);
        // oxlint-disable-next-line no-control-regex
        expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
      }),
    );
  });

  it("stays below the runner's limit, with the longest titles and a hundred workers", () => {
    const tape = new StoryTape().open("x".repeat(20_000));
    for (let number = 1; number <= 100; number += 1) tape.start(String(number), "<&".repeat(10_000));
    const summaries: string[] = [];
    const reporter = begin(new Recorder(), summaries);
    play(reporter, tape);
    reporter.end({ ...ended, summary: "y".repeat(20_000) });
    const bytes = Buffer.byteLength(summaries.join(""));
    expect(bytes).toBeLessThan(1024 * 1024);
    expect(summaries.join("")).toContain("| 100 |");
  });

  it("omits entries that do not fit, from the end, and says so", () => {
    const page = (room: number): string => {
      const summaries: string[] = [];
      const reporter = begin(new Recorder(), summaries, room);
      play(reporter, busyStory());
      reporter.end(ended);
      return summaries.join("");
    };
    for (const room of [300, 900, 1500, 2000]) {
      expect(Buffer.byteLength(page(room))).toBeLessThanOrEqual(room);
      expect(page(room)).toContain("has no room here");
      expect(page(room)).toContain("**partial**");
    }
    expect(page(900)).not.toContain("<pre>");
    expect(page(1500)).toContain("| 2.1 |");
  });

  it("adds at most ten annotations, each of a readable length", () => {
    const recorder = new Recorder();
    const tape = new StoryTape().open("Story");
    for (let number = 1; number <= 20; number += 1)
      tape
        .start(String(number), "z".repeat(10_000))
        .close(String(number), "failed", { summary: "q".repeat(100_000) });
    play(begin(recorder), tape);
    const errors = recorder.lines.filter((line) => line.startsWith("::error"));
    expect(errors).toHaveLength(10);
    expect(Math.max(...recorder.lines.map(({ length }) => length))).toBeLessThan(5000);
  });

  it("keeps titles from becoming markup", () => {
    expect(escapeMarkdown("a|b `c` <img> @all [x](y)\nz")).toBe(
      "a&#124;b &#96;c&#96; &#60;img&#62; &#64;all &#91;x&#93;&#40;y&#41; z",
    );
  });

  it("ends without a summary, too", () => {
    const { output } = new Recorder();
    const reporter = githubReporter({ story: STORY, output, summary: undefined, ...now });
    expect(() => reporter.end(ended)).not.toThrow();
  });
});
