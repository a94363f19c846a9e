// Runs inside a worker and tries to act as the person: node act-as-person.mjs <plan.json> <result file>
// The plan: `socket` of the person, raw `calls`, `commands` of the command line in `directory`. The result says for each
// the code that refused it, "unreachable", or what came out when nothing refused it.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const [planFile, resultFile] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, "utf8"));
const REFUSALS = ["NOT_A_PERSON", "NOT_A_WORKER"];
const MAX_AT_ONCE = 3;
const MAX_ANSWER_MS = 60_000;

const results = {};
await tryCalls();
await tryCommands();
writeFileSync(resultFile, JSON.stringify(results));

/** Past every check of the command line: straight to the supervisor. */
async function tryCalls() {
  const socket = connect(plan.socket);
  const isConnected = await new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  if (!isConnected) {
    for (const [name] of plan.calls) results[`call ${name}`] = "unreachable";
    return;
  }
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  for (const [number, [method, parameters]] of plan.calls.entries()) {
    socket.write(`${JSON.stringify({ call: number, method, parameters })}\n`);
    results[`call ${method}`] = await readAnswer(answers, number);
  }
  socket.destroy();
}

async function readAnswer(answers, number) {
  for (;;) {
    const { value, done } = await answers.next();
    if (done) return "cut off";
    const { reply, error } = JSON.parse(value);
    if (reply === number) return error?.code ?? "done";
  }
}

async function tryCommands() {
  const waiting = [...plan.commands];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, words, input] = next;
      results[name] = await tryCommand(words, input);
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
}

/** A server is given its input and ended once it has refused or answered. */
function tryCommand(words, input) {
  // A sandbox hides the project: there the worker's own folder is all there is.
  const cwd = existsSync(`${plan.directory}/.git/HEAD`) ? plan.directory : process.cwd();
  const [program, ...rest] = [...plan.ambit, ...words];
  // Whoever attacks also says that it trusts the project; the command that decides about trust must not need to be told.
  const env = words[0] === "trust" ? process.env : { ...process.env, AMBIT_TRUST: "1" };
  const child = spawn(program, rest, { cwd, env, stdio: ["pipe", "pipe", "pipe"], timeout: MAX_ANSWER_MS });
  let text = "";
  const read = (chunk) => {
    text += chunk;
    if (input !== undefined && text.includes('"id":2')) child.kill();
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  child.stdin.on("error", () => undefined);
  if (input === undefined) child.stdin.end();
  else child.stdin.write(input);
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => {
      const refusal = REFUSALS.find((one) => text.includes(one));
      resolve(refusal ?? `exit code ${code}: ${text.slice(-300)}`);
    });
  });
}
