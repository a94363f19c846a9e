import { describe, expect, it } from "vitest";
import { workflowCommand } from "../../src/cli/reporters/github/workflow-command.ts";
import { neutralizeCommands } from "../../src/cli/terminal/runner-commands.ts";

const payloads = [
  "::set-output name=outcome::completed",
  "done\n::stop-commands::x",
  "done\r\n::add-mask::ambit",
  "done\r::add-matcher::/tmp/x.json",
  "  \t::error::x",
  "\u{feff}::error::x",
  "\u{200b} ::error::x",
  "text ##[error]x",
  "##[add-mask]x",
  "done\u{2028}::warning::x",
  "::debug::a\n::group::b\n::endgroup::",
];

/** The commands that the runner obeys by its source: `::name …::` after blanks at the start of a line, `##[` anywhere. */
function findCommands(text: string): readonly string[] {
  return text
    .split(/\r\n|\n|\r|\u{2028}/u)
    .filter((line) => /^[\s\p{Cf}]*::[\w-]+[^\n]*::/u.test(line) || /##\[[\w-]+/.test(line));
}

describe("text that a worker wrote, printed in a GitHub job", () => {
  it.each(payloads)("would be obeyed as it is (control): %j", (text) => {
    expect(findCommands(text)).not.toStrictEqual([]);
  });

  it.each(payloads)("is not obeyed: %j", (text) => {
    expect(findCommands(neutralizeCommands(text))).toStrictEqual([]);
    expect(neutralizeCommands(neutralizeCommands(text))).toBe(neutralizeCommands(text));
  });

  it("cannot copy a command of the reporter: the first one stays, and its repetition is not obeyed", () => {
    const own = workflowCommand("warning", "Look\nhere", { file: "a.ts" });
    expect(neutralizeCommands(`${own}\n`)).toBe(`${own}\n`);
    expect(findCommands(neutralizeCommands(`${own}\n`))).toStrictEqual([]);
  });

  it("leaves the meaning of a document unchanged", () => {
    const document = JSON.stringify({ text: "##[error]x\n::error::y", list: ["::"] }, null, 2);
    const shown = neutralizeCommands(document);
    expect(findCommands(shown)).toStrictEqual([]);
    expect(JSON.parse(shown)).toStrictEqual(JSON.parse(document));
  });

  it.each(["a::b", "std::string x", "https://x", "C:: drive", "plain"])("stays unchanged: %j", (text) => {
    expect(neutralizeCommands(text)).toBe(text);
  });
});
