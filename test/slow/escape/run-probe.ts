import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import type { SandboxReport } from "../../../src/containment/probe-sandbox.ts";
import { buildSandboxCommand } from "../../../src/containment/sandbox-command.ts";
import { runInSandbox } from "../../workspace/run-in-sandbox.ts";
import type { Probe } from "./probe.ts";
import type { Stage } from "./stage.ts";

export interface ProbeOutcome {
  readonly escaped: boolean;
  readonly how: readonly string[];
}

const CONTROL_MS = 20_000;
const STARTED = "started";
const PLAIN = { PATH: "/usr/bin:/bin" };

/** One probe in one sandbox; canaries are as before afterwards. */
export async function runProbe(stage: Stage, probe: Probe, sandbox: SandboxReport): Promise<ProbeOutcome> {
  // With a set-uid program in sight, as an agent's installation may have one.
  const clone = { ...stage.clone, readOnly: [...stage.clone.readOnly, `${stage.root}/suid`] };
  const argv = shell(stage, probe);
  if (probe.inheritsFolder === true) {
    const command = buildSandboxCommand({ ...sandbox, ...clone, argv, cwd: clone.path, environment: PLAIN });
    return judge(stage, startedOf(probe, await runPlain(command.argv, stage)));
  }
  const { stdout } = await runInSandbox(sandbox, clone, { argv, timeoutMs: 30_000 });
  return judge(stage, startedOf(probe, stdout));
}

/** The same where nothing stops it, or undefined where that cannot be shown. */
export async function runControl(
  stage: Stage,
  probe: Probe,
  sandbox: SandboxReport,
): Promise<ProbeOutcome | undefined> {
  const isRoot = process.getuid?.() === 0;
  const { control } = probe;
  const isShown =
    control.kind === "plain" || (control.kind !== "none" && isRoot === (control.kind !== "plain-as-user"));
  if (!isShown) return undefined;
  const command =
    control.kind === "weakened"
      ? weaken(stage, probe, { sandbox, without: control.without })
      : shell(stage, probe);
  return judge(stage, await runPlain(command, stage));
}

/** A probe that never ran has proven nothing. */
function startedOf(probe: Probe, stdout: string): string {
  if (stdout.startsWith(`${STARTED}\n`)) return stdout;
  throw new Error(`the probe "${probe.name}" did not run`);
}

function shell(stage: Stage, probe: Probe): readonly string[] {
  return ["/bin/sh", "-c", `echo ${STARTED}; cd probe || exit; ${probe.script(stage)}`];
}

function weaken(
  stage: Stage,
  probe: Probe,
  { sandbox, without }: { readonly sandbox: SandboxReport; readonly without: readonly string[] },
): readonly string[] {
  const { argv } = buildSandboxCommand({
    ...sandbox,
    ...stage.clone,
    argv: shell(stage, probe),
    cwd: stage.clone.path,
    environment: PLAIN,
  });
  const words = without.map((option) => option.split(" "));
  const isDropped = argv.map((_, at) =>
    words.some((option) =>
      option.some((_word, offset) => option.every((part, index) => argv[at - offset + index] === part)),
    ),
  );
  return argv.filter((_, at) => isDropped[at] === false);
}

async function runPlain(argv: readonly string[], stage: Stage): Promise<string> {
  const [program = "", ...rest] = argv;
  const folder = openSync(stage.root, "r");
  const ignored = ["ignore", "ignore", "ignore", "ignore", "ignore"] as const;
  const child = spawn(program, rest, {
    cwd: stage.clone.path,
    stdio: ["ignore", "pipe", ...ignored, folder],
    detached: true,
    timeout: CONTROL_MS,
  });
  closeSync(folder);
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  await once(child, "exit");
  // What it left behind may hold the pipe.
  await new Promise((resolve) => setTimeout(resolve, 50));
  child.stdout?.destroy();
  return text;
}

async function judge(stage: Stage, stdout: string): Promise<ProbeOutcome> {
  // Whoever connected is seen in the next turns of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const printed = stdout.includes(stage.secret) ? ["secret printed"] : [];
  const said = stdout.includes("ESCAPED") ? ["said so"] : [];
  const how = [...printed, ...said, ...stage.damage()];
  await stage.restore();
  return { escaped: how.length > 0, how };
}
