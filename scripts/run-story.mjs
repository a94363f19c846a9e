// Runs one story for a GitHub job and tells the job how it ended. All inputs are variables of the environment and reach
// ambit as arguments: no text of theirs is ever read by a shell.
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const inputs = new Set(
  ["STORY", "AGENT", "ACCEPT", "SCOPE", "BUDGET", "TIMEOUT", "STORY_ID", "PROGRAM"].map(
    (name) => `AMBIT_${name}`,
  ),
);
const own = fileURLToPath(new URL("../dist/cli/main.cjs", import.meta.url));
const given = input("AMBIT_PROGRAM");
const program = given === "" ? [process.execPath, own] : [given];
const story =
  input("AMBIT_STORY_ID") || `gh-${input("GITHUB_RUN_ID") || "0"}-${input("GITHUB_RUN_ATTEMPT") || "1"}`;

const ended = ambit(
  ["run", input("AMBIT_STORY"), "--id", story, "--in-process", "--reporter", "github", ...options()],
  "inherit",
);
tellOutputs();
process.exitCode = ended.status ?? 1;

function options() {
  const single = { "--agent": "AMBIT_AGENT", "--budget": "AMBIT_BUDGET", "--timeout": "AMBIT_TIMEOUT" };
  const several = { "--accept": "AMBIT_ACCEPT", "--scope": "AMBIT_SCOPE" };
  return [
    ...Object.entries(single).flatMap(([flag, name]) =>
      input(name) === "" ? [] : [`${flag}=${input(name)}`],
    ),
    ...Object.entries(several).flatMap(([flag, name]) => lines(name).map((line) => `${flag}=${line}`)),
  ];
}

function ambit(words, stdout) {
  const [command, ...first] = program;
  // What was an input of the action is no setting of ambit.
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !inputs.has(name)));
  return spawnSync(command, [...first, ...words], {
    env: environment,
    stdio: ["ignore", stdout, "inherit"],
    encoding: "utf8",
  });
}

/** A story that never began has no status; then only its id is told. */
function tellOutputs() {
  const file = process.env["GITHUB_OUTPUT"];
  if (file === undefined || file === "") return;
  const { status, stdout } = ambit(["tree", story, "--json"], "pipe");
  const tree = status === 0 ? JSON.parse(stdout).tree : null;
  const cost = status === 0 ? JSON.parse(ambit(["cost", story, "--json"], "pipe").stdout) : null;
  const outputs = {
    story,
    outcome: tree?.status ?? "",
    code: tree?.code ?? "",
    branch: hasBranch() ? `ambit/${story}` : "",
    "cost-usd": cost?.total_cost_usd ?? "",
  };
  for (const [name, value] of Object.entries(outputs))
    appendFileSync(file, `${name}=${String(value).replaceAll(/[\r\n]/g, " ")}\n`);
}

/** What did not complete leaves its work on other branches, which the summary names. */
function hasBranch() {
  const words = ["show-ref", "--verify", "--quiet", `refs/heads/ambit/${story}`];
  return spawnSync("git", words, { stdio: "ignore" }).status === 0;
}

function input(name) {
  return (process.env[name] ?? "").trim();
}

function lines(name) {
  return input(name)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
