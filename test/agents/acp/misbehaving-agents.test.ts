import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { AgentEvent } from "../../../src/agents/adapter-types/agent-adapter.ts";
import { randomBase36 } from "../../../src/base/ids.ts";
import { launchProcess } from "../../../src/containment/launch.ts";
import { adapter, it, type ClientRun } from "./run-client.ts";

const say = (text: string): object => ({
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
});
const MEBIBYTE = 1024 * 1024;
const news = `{"jsonrpc":"2.0","method":"session/update","params":{"x":"`;
const answer = `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"`;

const LIMITS = {
  timeoutMs: 60_000,
  softLimit: 1,
  graceMs: 15_000,
  idleWarnMs: 60_000,
  idleStopMs: 60_000,
  outputMaxBytes: MEBIBYTE,
  memoryMaxBytes: null,
  maxProcesses: null,
  cpuMaxSeconds: null,
} as const;

function agentPid({ wire }: ClientRun): number {
  return Number(wire.find((entry) => "started" in entry)?.["started"]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.concurrent("agents that break the stream", () => {
  it("die in the middle: their earlier messages are kept", async ({ workshop }) => {
    const run = await workshop.run({ turns: [[say("half"), { exit: 7 }]] });
    expect(run.end).toMatchObject({ ok: false, code: "AGENT_STREAM_BROKEN", finalText: "half" });
    expect(run.end.reason).toContain("exited with code 7");
  });

  it("print garbage between messages: it is noted and skipped", async ({ workshop }) => {
    const garbage = ["warning: x\n", "{\n", "[]\n", "\n", "{}\n", "\u0000\u00ff\n", '{"jsonrpc":"2.0"'];
    const steps = [...garbage.map((print) => ({ print })), { print: "\n" }, say("done")];
    const run = await workshop.run({ turns: [steps] });
    expect(run.end).toMatchObject({ ok: true, finalText: "done" });
    expect(run.stdout).toContain("No message of the protocol: warning: x");
  });

  it("print endless garbage: it is noted a hundred times", async ({ workshop }) => {
    const run = await workshop.run({ turns: [[{ print: "x\n".repeat(50_000) }, say("done")]] });
    expect(run.stdout.split("\n").filter((line) => line.includes('"note"'))).toHaveLength(100);
    expect(run.end.ok).toBe(true);
  });

  it("send unknown requests: they get an error, and the session continues", async ({ workshop }) => {
    const methods = ["fs/read_text_file", "fs/write_text_file", "terminal/create", "craft/drainMidTurnQueue"];
    const run = await workshop.run({ turns: [methods.map((method) => ({ ask: { method } }))] });
    const answers = run.wire.flatMap((entry) => (entry.answer === undefined ? [] : [entry.answer]));
    expect(answers).toMatchObject(methods.map(() => ({ error: { code: -32_601 } })));
    expect(run.end.ok).toBe(true);
  });

  it("send a 15 MiB notification in one line, which is read, and a 17 MiB one, which is skipped", async ({
    workshop,
  }) => {
    const chunk = `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"x","content":"`;
    const run = await workshop.run({
      turns: [
        [
          { huge: { head: chunk, bytes: 15 * MEBIBYTE } },
          { huge: { head: news, bytes: 17 * MEBIBYTE } },
          say("done"),
        ],
      ],
    });
    expect(run.stdout).toContain("A message too long to be read");
    expect(run.end).toMatchObject({ ok: true, finalText: "done" });
    expect(run.stdout.length).toBeLessThan(10_000);
  });

  it("send a 17 MiB answer: the run ends, because the answer cannot be read", async ({ workshop }) => {
    const run = await workshop.run({
      turns: [[{ huge: { head: answer, bytes: 17 * MEBIBYTE } }, { never: true }]],
    });
    expect(run.end).toMatchObject({ ok: false, code: "AGENT_STREAM_BROKEN" });
    expect(run.end.reason).toContain("too long to be read");
  });
});

describe.concurrent("agents that do not stop", () => {
  it("are cancelled, then disconnected, then ended with SIGTERM and SIGKILL", async ({ workshop }) => {
    const client = workshop.start({ deaf: true, turns: [[say("busy"), { never: true }]] });
    await client.heard("session/prompt");
    client.process.kill("SIGTERM");
    const run = await client.ended;
    expect(run.methods.at(-1)).toBe("session/cancel");
    expect(run.end).toMatchObject({ ok: false, reason: "cancelled", finalText: "busy" });
    expect(run.wire).toContainEqual({ ended: "input" });
    expect(run.wire).toContainEqual({ ignored: "SIGTERM" });
    expect(isAlive(agentPid(run))).toBe(false);
  });

  it("do not exit when their input ends: the verdict stays, and they are ended", async ({ workshop }) => {
    const run = await workshop.run({ deaf: true, turns: [[say("done")]] });
    expect(run.end).toMatchObject({ ok: true, finalText: "done" });
    expect(run.code).toBe(0);
    expect(isAlive(agentPid(run))).toBe(false);
  });

  it("are stopped before the handshake", async ({ workshop }) => {
    const client = workshop.start({ silent: ["initialize"] });
    await client.heard("initialize");
    client.process.kill("SIGTERM");
    const run = await client.ended;
    expect(run.end).toMatchObject({ ok: false, reason: "cancelled" });
    expect(run.code).toBe(143);
  });

  it("get the answer cancelled to a permission request while they are being cancelled", async ({
    workshop,
  }) => {
    const permission = {
      ask: {
        method: "session/request_permission",
        params: { toolCall: { toolCallId: "c" }, options: [{ optionId: "once", kind: "allow_once" }] },
      },
    };
    const client = workshop.start({ turns: [[{ untilCancel: true }, permission]] });
    await client.heard("session/prompt");
    client.process.kill("SIGTERM");
    const run = await client.ended;
    expect(run.wire).toContainEqual(
      expect.objectContaining({
        answer: expect.objectContaining({ result: { outcome: { outcome: "cancelled" } } }),
      }),
    );
  });
});

describe.concurrent("wind-down", () => {
  it("cuts the turn short and lets the agent report in the same session", async ({ workshop }) => {
    const scenario = { turns: [[say("working"), { untilCancel: true }], [say("partly done")]] };
    const built = workshop.build(scenario);
    const client = workshop.start(scenario);
    await client.heard("session/prompt");
    client.process.stdin?.write(built.windDownInput ?? "");
    // Two requests cause one cancellation.
    client.process.stdin?.write(built.windDownInput ?? "");
    const run = await client.ended;
    expect(run.methods).toEqual([
      "initialize",
      "session/new",
      "session/prompt",
      "session/cancel",
      "session/prompt",
    ]);
    expect(JSON.stringify(run.wire.at(-2))).toContain("hand it in as you were told");
    expect(run.end).toMatchObject({ ok: true, finalText: "partly done" });
  });

  it("works if the agent answers the cancelled turn with an error", async ({ workshop }) => {
    const aborted = { code: -32_603, message: "The operation was aborted" };
    const client = workshop.start({
      turns: [[{ untilCancel: true }, { error: aborted }], [say("reported")]],
    });
    await client.heard("session/prompt");
    client.process.stdin?.write('{"ambit":"wind-down"}\n');
    expect((await client.ended).end).toMatchObject({ ok: true, finalText: "reported" });
  });

  it("ends an agent that is stopped during its report", async ({ workshop }) => {
    const client = workshop.start({
      turns: [[{ untilCancel: true }], [say("writing"), { untilCancel: true }]],
    });
    await client.heard("session/prompt");
    client.process.stdin?.write('{"ambit":"wind-down"}\n');
    await client.heard("nearly used up");
    client.process.kill("SIGTERM");
    const run = await client.ended;
    expect(run.methods.slice(-2)).toEqual(["session/prompt", "session/cancel"]);
    expect(run.end).toMatchObject({ ok: false, reason: "cancelled" });
  });
});

describe("containment", () => {
  it("ends the shell that a cancelled agent left running (codex-acp)", async ({ workshop }) => {
    const mark = `left-by-${randomBase36(12)}`;
    const built = workshop.build({ turns: [[{ leave: mark }, { untilCancel: true }]] });
    const events: AgentEvent[] = [];
    const contained = await launchProcess({
      argv: built.argv,
      cwd: workshop.cwd,
      environment: { PATH: process.env["PATH"] ?? "", ...built.environment },
      stdin: built.stdin,
      keepStdinOpen: true,
      logDirectory: join(workshop.folder, "logs"),
      runId: `acp-${randomBase36(12)}`,
      limits: LIMITS,
      onEvent: (event) => {
        if (event.kind === "line-read" && event.stream === "stdout")
          events.push(...adapter.parse(event.text));
      },
    });
    await expect.poll(() => countMarked(mark), { timeout: 30_000 }).toBe(1);
    const exit = await contained.stop("enough");
    expect(exit).toMatchObject({ reason: "stopped", survivors: 0 });
    expect(countMarked(mark)).toBe(0);
    expect(adapter.settle({ code: exit.code, signal: exit.signal }, events).ok).toBe(false);
  });
});

/** The processes that this process can see, in any namespace. */
function countMarked(mark: string): number {
  return readdirSync("/proc").filter((entry) => {
    try {
      return readFileSync(`/proc/${entry}/cmdline`, "utf8").split("\0").includes(mark);
    } catch {
      // This entry is not a process, or the process has ended.
      return false;
    }
  }).length;
}
