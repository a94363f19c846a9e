import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeMarkdown } from "../../../src/cli/reporters/github/summary.ts";
import { plainLine, workflowCommand } from "../../../src/cli/reporters/github/workflow-command.ts";
import { githubReporter } from "../../../src/cli/reporters/github.ts";
import type { Reporter } from "../../../src/cli/reporters/reporter.ts";
import { busyStory, idOf, STORY, StoryTape } from "../../reports/story-tape.ts";
import { ended, now, play, Recorder } from "./recorder.ts";

function begin(recorder: Recorder, summaries: string[] = []): Reporter {
  const appendSummary = (markdown: string): void => void summaries.push(markdown);
  return githubReporter({ story: STORY, output: recorder.output, appendSummary, ...now });
}

describe("workflow commands", () => {
  it("escape messages and, more of it, properties", () => {
    expect(workflowCommand("error", "50%\r\nof a:b,c", { file: "a,b:c%\n.ts", title: "", line: "1" })).toBe(
      "::error file=a%2Cb%3Ac%25%0A.ts,line=1::50%25%0D%0Aof a:b,c",
    );
    expect(workflowCommand("endgroup", "")).toBe("::endgroup::");
  });

  it("cannot be broken out of, whatever the values", () => {
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

  it("are not made of text that looks like one", () => {
    expect(plainLine("::error::x")).toBe("| ::error::x");
    expect(plainLine("  \t::add-mask::x")).toBe("|   \t::add-mask::x");
    expect(plainLine("a ##[group]b")).toBe("a ## [group]b");
    expect(plainLine("12:00:00 a::b")).toBe("12:00:00 a::b");
  });
});

/** As the runner reads it. */
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

  it("folds what a worker wrote, the end of it, and lets none of it become a command", () => {
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

  it("writes no command of its own for text, whatever a worker writes and is called", () => {
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

  it("adds a table of the story to the job's summary", () => {
    const summaries: string[] = [];
    const reporter = begin(new Recorder(), summaries);
    play(reporter, busyStory());
    reporter.end(ended);
    reporter.close();
    expect(summaries).toStrictEqual([
      `## Add OAuth login

**partial** (NOT&#95;JSON) · 2 of 6 delegations done · $0.60

Half of it.

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

`,
    ]);
  });

  it("keeps titles from becoming markup", () => {
    expect(escapeMarkdown("a|b `c` <img> @all [x](y)\nz")).toBe(
      "a&#124;b &#96;c&#96; &#60;img&#62; &#64;all &#91;x&#93;&#40;y&#41; z",
    );
  });

  it("needs no summary to end", () => {
    const { output } = new Recorder();
    const reporter = githubReporter({ story: STORY, output, appendSummary: undefined, ...now });
    expect(() => reporter.end(ended)).not.toThrow();
  });
});
