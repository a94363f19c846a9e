import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { ReapOutcome } from "../../src/containment/reap-leftovers.ts";
import type {
  AnnouncedRun,
  ContainmentEvent,
  ExitFacts,
  LaunchSpec,
  ProcessRecord,
} from "../../src/containment/contained-process.ts";

/** The time of a line in milliseconds since 1970, by a clock that only grows and by the wall clock, which may jump. */
export type OwnerLine = { readonly atMs: number; readonly wallMs: number } & (
  | ContainmentEvent
  | { readonly kind: "launched"; readonly record: ProcessRecord }
  | { readonly kind: "exited"; readonly facts: ExitFacts }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "reaped"; readonly outcomes: readonly ReapOutcome[] }
);

export type OwnerRequest =
  | (Omit<LaunchSpec, "onEvent"> & { readonly timeoutAtReady?: boolean; readonly opensAllAtReady?: boolean })
  | { readonly reap: readonly (ProcessRecord | AnnouncedRun)[] };

export interface Owner {
  readonly child: ChildProcess;
  readonly lines: readonly OwnerLine[];
  readonly seen: <Kind extends OwnerLine["kind"]>(
    kind: Kind,
    matches?: (line: Extract<OwnerLine, { kind: Kind }>) => boolean,
  ) => Promise<Extract<OwnerLine, { kind: Kind }>>;
}

/** Bundles the owner program once; call `remove` at the end. */
export async function bundleOwner(): Promise<{ readonly path: string; readonly remove: () => void }> {
  // Not in shared memory, because some owners see an empty folder there.
  const directory = mkdtempSync("/var/tmp/ambit-owner-");
  // One test runs as an ordinary user, who reads it as well.
  chmodSync(directory, 0o755);
  const path = join(directory, "owner.mjs");
  await build({
    entryPoints: ["test/containment/owner-process.ts"],
    outfile: path,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  return { path, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Starts an owner process, as root or through `prefix` as somebody else. */
export function startOwner(path: string, request: OwnerRequest, prefix: readonly string[] = []): Owner {
  const [program, ...rest] = [...prefix, process.execPath, path];
  const child = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(request));
  const lines: OwnerLine[] = [];
  const looks = new Set<() => void>();
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (text + chunk).split("\n");
    text = parts.pop() ?? "";
    lines.push(...parts.map((line) => JSON.parse(line)));
    for (const look of looks) look();
  });
  const seen: Owner["seen"] = (kind, matches = () => true) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        for (const line of lines) {
          if (isKind(line, kind) && matches(line)) return resolve(line);
        }
      };
      looks.add(look);
      child.once("close", () =>
        reject(new Error(`the owner ended before "${kind}"; it said ${JSON.stringify(lines)}`)),
      );
      look();
    });
  return { child, lines, seen };
}

function isKind<Kind extends OwnerLine["kind"]>(
  line: OwnerLine,
  kind: Kind,
): line is Extract<OwnerLine, { kind: Kind }> {
  return line.kind === kind;
}
