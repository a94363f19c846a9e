// Records `ambit demo` in a real terminal as a moving picture: npm run record
// Writes docs/images/demo.svg, an animation without scripts that browsers and code hosts show. Needs tmux.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { framesToSvg } from "./terminal-svg.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const size = { columns: 110, rows: 36 };
const FRAME_MS = 250;
const LAST_FRAME_MS = 8000;
const program = resolve("dist/cli/main.cjs");
const work = mkdtempSync(join(tmpdir(), "ambit-record-"));
const environment = { ...process.env, HOME: work, TERM: "xterm-256color", LANG: "C.UTF-8" };
const socket = join(work, "tmux");
const tmux = (...words) =>
  execFileSync("tmux", ["-S", socket, ...words], { encoding: "utf8", env: environment });

try {
  mkdirSync("docs/images", { recursive: true });
  writeFileSync("docs/images/demo.svg", framesToSvg(recordFrames(), size));
} finally {
  spawnSync("tmux", ["-S", socket, "kill-server"]);
  rmSync(work, { recursive: true, force: true });
}

/** What the screen shows, each time it changes, and for how long. */
function recordFrames() {
  const { columns, rows } = size;
  tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), `node ${program} demo; sleep 60`);
  const frames = [];
  for (;;) {
    const screen = tmux("capture-pane", "-e", "-p");
    const last = frames.at(-1);
    if (last?.screen === screen) last.ms += FRAME_MS;
    else frames.push({ screen, ms: FRAME_MS });
    if (screen.includes("Try it on your own repository")) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FRAME_MS);
  }
  frames.at(-1).ms = LAST_FRAME_MS;
  return frames.filter(({ screen }) => screen.trim() !== "");
}
