import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeProject, until, type Project } from "./project.ts";
import { cli } from "./run-cli.ts";

let project: Project;
let mark: string;

beforeEach(async () => {
  project = makeProject();
  mark = join(project.root, "..", "started");
  // Bounded, so that a failed test leaves nothing running.
  const line = `touch ${mark}; for i in $(seq 3000); do echo line $i; sleep 0.1; done`;
  await project.ambit("run", "Wait", "--id", "W1", "--detach", "--", "sh", "-c", line);
  await until("the worker runs", () => existsSync(mark));
});
afterEach(async () => {
  await project.ambit("stop", "W1");
  await project.remove();
});

/** SIGHUP, as shells report it. A crash of Node would be another one. */
const HUNG_UP = "129\n";

/** A shell whose terminal is closed passes the signal on to its job. */
const hangUpLikeAShell = (command: string, status: string): string =>
  `exec 3<&0; ${command} <&3 & job=$!; trap 'kill -HUP $job' HUP; wait $job; wait $job; echo $? > ${status}`;

it.each([
  [["run", "Another", "--", "sleep", "300"]],
  [["attach", "W1"]],
  [["attach", "W1", "-i"]],
  [["status", "--watch"]],
  [["logs", "-f", "W1"]],
  [["dashboard"]],
])("ambit %j ends with its terminal, and the work continues", async (words) => {
  const status = join(project.root, "..", "status");
  const line = hangUpLikeAShell([process.execPath, cli, ...words].join(" "), status);
  const terminal = spawn("script", ["-qfc", line, "/dev/null"], {
    cwd: project.root,
    env: { PATH: process.env["PATH"], HOME: join(project.root, "../home"), TERM: "xterm", AMBIT_TRUST: "1" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let shown = "";
  terminal.stdout.on("data", (bytes: Buffer) => (shown += bytes.toString("utf8")));
  await until("it shows something", () => /running|quits|127\.0\.0\.1|line \d/.test(shown)).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}: ${shown}`);
    },
  );
  terminal.kill("SIGKILL");
  await once(terminal, "close");
  await until("it has ended", () => existsSync(status) && readFileSync(status, "utf8") !== "");
  expect(readFileSync(status, "utf8")).toBe(HUNG_UP);
  expect(await project.json("status", "W1")).toMatchObject({ status: "running", interrupted: false });
});

it("ambit logs -f ends without a word when its reader has seen enough", async () => {
  const child = project.start("pipe", "logs", "W1", "-f");
  let told = "";
  child.stderr?.on("data", (bytes: Buffer) => (told += bytes.toString("utf8")));
  child.stdout?.once("data", () => child.stdout?.destroy());
  const [status]: unknown[] = await once(child, "exit");
  expect([status, told]).toEqual([0, ""]);
});
