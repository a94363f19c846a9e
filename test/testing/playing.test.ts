import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askForReturn } from "../../src/contract/return-instruction.ts";
import { validateReturn, validateReturnBytes } from "../../src/contract/validate-return.ts";
import type { ModelServerOptions } from "../../src/testing/index.ts";
import { modelServer, postJson, type Json } from "./ask-model.ts";

type Steps = ModelServerOptions["scripts"][string];

interface Tool {
  readonly name: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** What the model calls, offered these tools, after these results. */
async function callsOf(
  steps: Steps,
  tools: readonly Tool[],
  { prompt = "Go.", results = [] }: { prompt?: string; results?: readonly string[] } = {},
): Promise<Json> {
  const server = await modelServer({ it: steps });
  const body = {
    model: "mock-1",
    tools: tools.map(({ name, properties = {}, required = [] }) => ({
      type: "function",
      function: { name, parameters: { type: "object", properties, required } },
    })),
    messages: [
      { role: "user", content: `@@S:it ${prompt}` },
      ...results.map((content) => ({ role: "tool", content })),
    ],
  };
  const answer: Json = await (await postJson(`${server.url}/v1/chat/completions`, body)).json();
  const { message } = answer.choices[0];
  return {
    text: message.content,
    problem: server.requests()[0]?.problem,
    calls: (message.tool_calls ?? []).map((call: Json) => [
      call.function.name,
      JSON.parse(call.function.arguments),
    ]),
  };
}

const text = { type: "string" };

describe("a step of a script", () => {
  const write = [{ write: { path: "d/a.txt", text: "it's" } }];

  it.each([
    [
      "Claude Code",
      { name: "Write", properties: { file_path: text, content: text } },
      ["file_path", "content"],
    ],
    [
      "Gemini",
      { name: "write_file", properties: { file_path: text, content: text } },
      ["file_path", "content"],
    ],
    ["OpenCode", { name: "write", properties: { content: text, filePath: text } }, ["filePath", "content"]],
    ["Copilot", { name: "create", properties: { path: text, file_text: text } }, ["path", "file_text"]],
    ["pi", { name: "write", properties: { path: text, content: text } }, ["path", "content"]],
  ] as const)(
    "writes a file with the tool of %s, by the names of its fields",
    async (_, tool, [path, content]) => {
      const { calls } = await callsOf(write, [{ name: "other" }, tool]);
      expect(calls).toStrictEqual([[tool.name, { [path]: "d/a.txt", [content]: "it's" }]]);
    },
  );

  it("writes a file through the shell if there is no file tool, as in Codex", async () => {
    const { calls } = await callsOf(write, [{ name: "exec_command", properties: { cmd: text } }]);
    const command = `mkdir -p 'd' && printf %s 'it'\\''s' > 'd/a.txt'`;
    expect(calls).toStrictEqual([["exec_command", { cmd: command }]]);
  });

  it.each([
    ["Bash", { command: text }, { command: "ls" }],
    ["run_shell_command", { command: text }, { command: "ls" }],
    ["exec_command", { cmd: text }, { cmd: "ls" }],
    ["shell", { command: { type: "array", items: text } }, { command: ["sh", "-c", "ls"] }],
  ] as const)("runs a command with %s in its own format", async (name, properties, expected) => {
    const { calls } = await callsOf([{ sh: "ls" }], [{ name, properties }]);
    expect(calls).toStrictEqual([[name, expected]]);
  });

  it("fills in other required fields of a tool", async () => {
    const properties = {
      command: text,
      description: text,
      is_background: { type: "boolean" },
      mode: { enum: ["sync", "async"] },
      optional: text,
    };
    const required = ["command", "description", "is_background", "mode"];
    const { calls } = await callsOf([{ sh: "ls" }], [{ name: "bash", properties, required }]);
    expect(calls[0][1]).toStrictEqual({
      command: "ls",
      description: "scripted",
      is_background: false,
      mode: "sync",
    });
  });

  it("reads a file with a tool or through the shell", async () => {
    const steps = [{ read: "a b.txt" }];
    const named = await callsOf(steps, [{ name: "read", properties: { filePath: text } }]);
    expect(named.calls).toStrictEqual([["read", { filePath: "a b.txt" }]]);
    const shell = await callsOf(steps, [{ name: "exec_command", properties: { cmd: text } }]);
    expect(shell.calls).toStrictEqual([["exec_command", { cmd: "cat 'a b.txt'" }]]);
  });

  it.each(["mcp__ambit__delegate", "mcp_ambit_delegate", "ambit_delegate", "ambit-delegate", "delegate"])(
    "delegates with the tool called %s",
    async (name) => {
      const { calls } = await callsOf([{ delegate: { tasks: ["x"] } }], [{ name: "Task" }, { name }]);
      expect(calls).toStrictEqual([[name, { tasks: ["x"] }]]);
    },
  );

  it("prefers our tool to another one of the same name", async () => {
    const tools = [{ name: "wait" }, { name: "other_wait" }, { name: "mcp__ambit__wait" }];
    const { calls } = await callsOf([{ call: { tool: "wait" } }], tools);
    expect(calls).toStrictEqual([["mcp__ambit__wait", {}]]);
  });

  it("calls a tool only by its exact name if the script says so", async () => {
    const tools = [{ name: "wait" }, { name: "mcp__ambit__wait" }];
    const { calls } = await callsOf([{ call: { tool: "=wait" } }], tools);
    expect(calls).toStrictEqual([["wait", {}]]);
    const none = await callsOf([{ call: { tool: "=look" } }], [{ name: "mcp__ambit__look" }]);
    expect(none.calls).toStrictEqual([]);
  });

  it("reaches our tool through the one tool for all MCP servers that Grok offers", async () => {
    const { calls } = await callsOf([{ delegate: { tasks: ["x"] } }], [{ name: "use_tool" }]);
    const expected = { tool_name: "ambit__delegate", tool_input: { tasks: ["x"] } };
    expect(calls).toStrictEqual([["use_tool", expected]]);
  });

  it("names a tool that was not offered instead of calling it", async () => {
    const { text: said, problem, calls } = await callsOf([{ delegate: {} }, { sh: "x" }], [{ name: "look" }]);
    expect(calls).toStrictEqual([]);
    expect(problem).toBe("The script needs delegate; offered: look.");
    expect(said).toBe(problem);
  });
});

const identity = {
  session_id: "sess_1794742054_abc123",
  agent_type: "worker",
  delegation_depth: 1,
  delegation_path: ["root", "run", "worker"],
};
const RETURN_FILE = "/state/logs/x's folder/attempt-1/return.json";
const PROMPT = [
  "# Write a file",
  "## Your return",
  `Your identity: ${JSON.stringify(identity)}`,
  "Out of context? Write what the next session must know to /state/handover.md and end your turn.",
  askForReturn({ returnFile: RETURN_FILE }),
].join("\n");
const expected = { session: identity.session_id, depth: 1, path: identity.delegation_path };
const shell: Tool = { name: "bash", properties: { command: text } };

describe("a return", () => {
  const steps = [{ return: { summary: "It was written. It says what was asked." } }];

  it("goes to its tool, as fields or wrapped, as the tool expects", async () => {
    const plain = await callsOf(steps, [shell, { name: "ambit_submit_return" }], { prompt: PROMPT });
    expect(plain.calls[0][0]).toBe("ambit_submit_return");
    expect(validateReturn(plain.calls[0][1], expected)).toMatchObject({ valid: true });
    const wrapping = { name: "mcp__ambit__submit_return", properties: { return: { type: "object" } } };
    const wrapped = await callsOf(steps, [shell, wrapping], { prompt: PROMPT });
    expect(validateReturn(wrapped.calls[0][1].return, expected)).toMatchObject({ valid: true });
  });

  it("goes through the shell to the file that the prompt names, if it has no tool", async () => {
    const { calls } = await callsOf(steps, [shell, { name: "write" }], { prompt: PROMPT });
    const command: string = calls[0][1].command;
    expect(command).toMatch(/^mkdir -p '\/state\/logs\/x'\\''s folder\/attempt-1' && printf %s '\{/);
    const json = command.slice(command.indexOf("{"), command.lastIndexOf("}") + 1);
    expect(validateReturnBytes(Buffer.from(json), expected)).toMatchObject({ valid: true });
  });

  it("goes to that file through the file tool, if there is no shell", async () => {
    const { calls } = await callsOf(steps, [{ name: "write" }], { prompt: PROMPT });
    expect(calls[0][1].file_path).toBe(RETURN_FILE);
    expect(validateReturnBytes(Buffer.from(calls[0][1].content), expected)).toMatchObject({ valid: true });
  });

  it("is the final message if the prompt names no file", async () => {
    const prompt = `Identity: ${JSON.stringify(identity)}`;
    const { text: said, calls } = await callsOf(steps, [shell], { prompt });
    expect(calls).toStrictEqual([]);
    expect(validateReturnBytes(Buffer.from(said), expected)).toMatchObject({ valid: true });
  });

  it("goes the way the script says, and may be wrong on purpose", async () => {
    const wrong = [{ return: { via: "text" as const, metadata: { session_id: "sess_1_zzzzzz" } } }];
    const { text: said } = await callsOf(wrong, [{ name: "submit_return" }], { prompt: PROMPT });
    expect(validateReturnBytes(Buffer.from(said), expected)).toMatchObject({ codes: ["SESSION_MISMATCH"] });
  });

  it("is followed by a final message if it is the last step", async () => {
    const done = await callsOf(steps, [shell], { prompt: PROMPT, results: ["written"] });
    expect(done).toMatchObject({ text: "Done.", calls: [] });
  });

  it("reports a problem if it must go to a file and the prompt names none", async () => {
    const { problem } = await callsOf([{ return: { via: "file" } }], [shell]);
    expect(problem).toMatch(/a return file in the prompt/);
  });
});

describe("placeholders", () => {
  const said = async (words: string, results: readonly string[] = []) => {
    const steps = [...results.map(() => ({ sh: "x" })), { text: words }];
    return (await callsOf(steps, [shell], { prompt: PROMPT, results })).text;
  };

  it.each([
    ["{{return_file}}", RETURN_FILE],
    ["{{ handover_file }}", "/state/handover.md"],
    ["{{session_id}} of {{identity.agent_type}}", "sess_1794742054_abc123 of worker"],
    ["{{identity.delegation_path}}", '["root","run","worker"]'],
    ["{{model}}", "mock-1"],
    ["{{after:write ONLY this}}", `JSON to ${RETURN_FILE}, or end with it as your last message:`],
    ["{{unknown}} stays, and so does {{", "{{unknown}} stays, and so does {{"],
  ])("are replaced if they are known: %s", async (words, expectedText) => {
    expect(await said(words)).toBe(expectedText);
  });

  it("read tool results through the words that CLIs put around them", async () => {
    const results = [
      'Wall time: 0.1 seconds\nOutput:\n{"ticket":"T-1","at":{"cursor":7}}',
      '{"ticket":"T-2"}\n\n<system-reminder>\nx\n</system-reminder>',
    ];
    expect(await said("{{result.ticket}} {{results.0.at.cursor}} {{results.9.x}}", results)).toBe(
      "T-2 7 {{results.9.x}}",
    );
    expect(await said("{{result}}", ["plain"])).toBe("plain");
  });

  it("become the value itself if they are the whole text", async () => {
    const steps = [{ call: { tool: "take", arguments: { who: "{{identity}}", list: ["{{model}}!"] } } }];
    const { calls } = await callsOf(steps, [{ name: "take" }], { prompt: PROMPT });
    expect(calls).toStrictEqual([["take", { who: identity, list: ["mock-1!"] }]]);
  });

  it("never break an answer, whatever they contain", async () => {
    const words = fc.array(
      fc.constantFrom("{{", "}}", "result", ".", "identity", "after:", "results.0", "x", " "),
    );
    await fc.assert(
      fc.asyncProperty(words, async (parts) => {
        expect(typeof (await said(`!${parts.join("")}`))).toBe("string");
      }),
      { numRuns: 40 },
    );
  });
});
