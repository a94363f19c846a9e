// An ACP agent that does what a file says, for tests of the client: node fake-agent.mjs <scenario.json>
// With `replay` it plays the agent's side of a recorded conversation instead.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const scenario = JSON.parse(readFileSync(process.argv[2], "utf8"));
const note = (entry) => appendFileSync(scenario.log, `${JSON.stringify(entry)}\n`);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

note({ started: process.pid, arguments: process.argv.slice(3) });
if (scenario.deaf) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => note({ ignored: signal }));
  setInterval(() => undefined, 1000);
}

const input = createInterface({ input: process.stdin });
const take = scenario.replay === undefined ? follow() : replay(scenario.replay);
input.on("line", (line) => {
  const message = JSON.parse(line);
  note({ heard: message });
  take(message);
});
input.on("close", () => {
  note({ ended: "input" });
  if (!scenario.deaf) process.exit(0);
});

/** Says what was said after the same message in the recording; paths are those of this run. */
function replay(file) {
  const wire = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line.replaceAll("/repo", process.cwd())));
  let at = 0;
  return (heard) => {
    const expected = wire[at]?.msg;
    if (expected?.method !== heard.method) note({ unexpected: heard, instead: expected });
    if (heard.method === undefined) note({ answered: heard, recorded: expected });
    at += 1;
    while (wire[at]?.dir === "agent->client") {
      process.stdout.write(`${JSON.stringify(wire[at].msg)}\n`);
      at += 1;
    }
  };
}

function follow() {
  const answers = new Map();
  const failures = { ...scenario.errors };
  const sessionId = scenario.sessionId ?? "session-1";
  let turn = -1;
  let asked = 0;
  let onCancel = () => undefined;

  const update = (fields) => send({ method: "session/update", params: { sessionId, update: fields } });

  const open = (id) => {
    for (const fields of scenario.history ?? []) update(fields);
    send({ id, result: scenario.loaded ?? null });
    // As Gemini does: one after the other, when it had said already that this was all.
    for (const [index, fields] of (scenario.lateHistory ?? []).entries())
      setTimeout(() => update(fields), 60 * (index + 1));
  };

  const calls = {
    initialize: ({ id }) =>
      send({ id, result: { protocolVersion: 1, agentCapabilities: {}, ...scenario.initialize } }),
    authenticate: ({ id }) => send({ id, result: {} }),
    "session/new": ({ id }) => send({ id, result: { sessionId, ...scenario.session } }),
    "session/load": ({ id }) => open(id),
    "session/resume": ({ id }) => send({ id, result: scenario.loaded ?? {} }),
    "session/set_model": ({ id }) => send({ id, result: {} }),
    "session/set_config_option": ({ id }) => send({ id, result: {} }),
    "session/prompt": ({ id }) => void prompt(id),
    "session/cancel": () => onCancel(),
  };

  return (message) => {
    if (message.method === undefined) return answers.get(message.id)?.(message);
    if (scenario.silent?.includes(message.method)) return undefined;
    const failure = failures[message.method]?.shift();
    if (failure !== undefined && failure !== null) return send({ id: message.id, error: failure });
    return calls[message.method]?.(message);
  };

  async function prompt(id) {
    turn += 1;
    const cancelled = new Promise((resolve) => {
      onCancel = () => resolve();
    });
    let result = { stopReason: "end_turn" };
    for (const step of scenario.turns?.[turn] ?? []) {
      if (step.update) update(step.update);
      else if (step.ask) await ask(step.ask);
      else if (step.print !== undefined) process.stdout.write(step.print);
      else if (step.huge) process.stdout.write(`${step.huge.head}${"x".repeat(step.huge.bytes)}"}\n`);
      else if (step.write) writeFileSync(step.write.path, step.write.text);
      else if (step.returns) leaveReturn(step.returns);
      else if (step.leave) leaveProcess(step.leave);
      else if (step.workMs) await new Promise((resolve) => setTimeout(resolve, step.workMs));
      else if (step.exit !== undefined) process.exit(step.exit);
      else if (step.untilCancel) {
        await cancelled;
        result = { stopReason: "cancelled" };
      } else if (step.never) await new Promise(() => undefined);
      else if (step.error) return send({ id, error: step.error });
      else if (step.result) result = step.result;
    }
    return send({ id, result });
  }

  async function ask({ method, params }) {
    const id = `ask-${asked}`;
    asked += 1;
    const answer = await new Promise((resolve) => {
      answers.set(id, resolve);
      send({ id, method, params: { sessionId, ...params } });
    });
    note({ method, answer });
  }
}

/** A tool's process of its own session, as agents start them. */
function leaveProcess(mark) {
  spawn(process.execPath, ["-e", "setTimeout(() => undefined, 600_000)", mark], {
    detached: true,
    stdio: "ignore",
  }).unref();
}

function leaveReturn(value) {
  writeFileSync(process.env.AMBIT_RETURN_FILE, JSON.stringify({ artifacts: [], errors: [], ...value }));
}
