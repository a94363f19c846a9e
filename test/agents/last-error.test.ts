import { describe, expect, it } from "vitest";
import { chooseErrorLine, findMissingInSandbox } from "../../src/agents/error-line.ts";
import { createAdapterFinder } from "../../src/agents/find-adapter.ts";

const findAdapter = createAdapterFinder(["ambit", "__worker"]);

describe.each(["claude", "codex", "gemini", "opencode"])("%s that dies at once", (name) => {
  const settle = (lastError?: string) =>
    findAdapter(name).settle(
      { code: 2, signal: null, ...(lastError === undefined ? {} : { lastError }) },
      [],
    );

  it("is reported with its last output, such as an unknown option", () => {
    const { ok, code, reason } = settle("error: unexpected argument '--json'");
    expect({ ok, code }).toStrictEqual({ ok: false, code: "AGENT_STREAM_BROKEN" });
    expect(reason).toBe("It exited with code 2 and said: error: unexpected argument '--json'");
  });

  it("is reported as silent if it printed nothing", () => {
    expect(settle().reason).toBe("It exited with code 2 without a word.");
  });
});

describe("the line of error output that is reported", () => {
  const choose = (output: string): string => output.split("\n").reduce(chooseErrorLine, "");

  it("is the last line of most programs", () => {
    expect(choose("starting\nfatal: no such thing\n\n")).toBe("fatal: no such thing");
    expect(choose('Traceback (most recent call last):\n  File "a.py", line 1\nValueError: boom')).toBe(
      "ValueError: boom",
    );
  });

  it("is the error, not the stack, the fields or the version that Node prints after it", () => {
    const output = [
      "/work/agent.js:1",
      "throw new Error('boom')",
      "^",
      "",
      "Error: boom",
      "    at Object.<anonymous> (/work/agent.js:1:7) {",
      "  code: 'E_BOOM'",
      "}",
      "",
      "Node.js v20.20.2",
    ];
    expect(choose(output.join("\n"))).toBe("Error: boom");
  });

  it("is a line such as those when there is no other", () => {
    expect(choose("  Node.js v20.20.2\n")).toBe("Node.js v20.20.2");
  });
});

describe("a program that the sandbox does not have", () => {
  const line = "ambit-guard: cannot run /opt/py: No such file or directory";

  it("is known by the exit code and the words of the launcher together", () => {
    expect(findMissingInSandbox(127, line)).toBe("/opt/py: No such file or directory");
    expect(findMissingInSandbox(1, line)).toBeUndefined();
    expect(findMissingInSandbox(127, "sh: 1: py: not found")).toBeUndefined();
  });
});
