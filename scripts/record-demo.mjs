// Records `ambit demo` in a real terminal: npm run record
// Writes docs/recordings/demo.cast (asciicast v2, plays in any asciinema player) and two pictures in docs/images.
// Needs tmux and script (Debian: tmux, bsdutils).
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { terminalToSvg } from "./terminal-svg.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const columns = 110;
const rows = 46;
const program = resolve("dist/cli/main.cjs");
const work = mkdtempSync(join(tmpdir(), "ambit-record-"));
const environment = { ...process.env, HOME: work, TERM: "xterm-256color", LANG: "C.UTF-8" };
const socket = join(work, "tmux");
const tmux = (...words) =>
  execFileSync("tmux", ["-S", socket, ...words], { encoding: "utf8", env: environment });

try {
  mkdirSync("docs/images", { recursive: true });
  mkdirSync("docs/recordings", { recursive: true });
  takePictures();
  writeFileSync("docs/recordings/demo.cast", recordCast());
} finally {
  spawnSync("tmux", ["-S", socket, "kill-server"]);
  rmSync(work, { recursive: true, force: true });
}

/** The live tree when most is going on, and the screen at the end. */
function takePictures() {
  tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), `node ${program} demo; sleep 60`);
  let busiest = { workers: 0, screen: "" };
  for (;;) {
    const screen = tmux("capture-pane", "-e", "-p");
    const workers = screen.split("\n").filter((line) => /[├└]─ /.test(line)).length;
    if (workers > busiest.workers) busiest = { workers, screen };
    if (screen.includes("Try it on your own repository")) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  writeFileSync("docs/images/live-tree.svg", terminalToSvg(busiest.screen, columns));
  writeFileSync("docs/images/demo-end.svg", terminalToSvg(tmux("capture-pane", "-e", "-p"), columns));
}

/** What `script` wrote, with its times, as an asciicast; the folder names of this machine are left out of it. */
function recordCast() {
  const [output, timing] = [join(work, "output"), join(work, "timing")];
  const command = `stty cols ${columns} rows ${rows}; node ${program} demo`;
  execFileSync("script", ["-qefc", command, "-O", output, "-T", timing], {
    env: environment,
    stdio: "ignore",
  });
  const bytes = readFileSync(output);
  const header = { version: 2, width: columns, height: rows, title: "ambit demo" };
  const lines = [JSON.stringify(header)];
  let [seconds, at] = [0, bytes.indexOf("\n") + 1];
  for (const line of readFileSync(timing, "utf8").trim().split("\n")) {
    const [delay, length] = line.split(" ").map(Number);
    seconds += delay;
    lines.push(JSON.stringify([Number(seconds.toFixed(3)), "o", bytes.toString("utf8", at, at + length)]));
    at += length;
  }
  return `${lines.join("\n")}\n`;
}
