// Walks as a newcomer does: installs the package that `npm pack` makes into an empty prefix, with an empty home, and
// pastes what the README says under "Without any agent installed" into a terminal. Prints what they see.
//   node scripts/newcomer-walk.mjs [package.tgz]
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const MAX_MINUTES = 5;
const work = mkdtempSync(join(tmpdir(), "ambit-newcomer-"));
const [home, prefix, temporary] = ["home", "prefix", "tmp"].map((name) => join(work, name));
for (const folder of [home, prefix, temporary]) mkdirSync(folder);
const environment = {
  HOME: home,
  PATH: `${join(prefix, "bin")}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  TMPDIR: temporary,
  TERM: "xterm-256color",
  LC_ALL: "C.UTF-8",
  npm_config_cache: join(work, "cache"),
  npm_config_progress: "false",
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(https?_proxy|no_proxy|node_extra_ca_certs)$/i.test(name),
    ),
  ),
  GIT_AUTHOR_NAME: "Newcomer",
  GIT_AUTHOR_EMAIL: "newcomer@example.org",
  GIT_COMMITTER_NAME: "Newcomer",
  GIT_COMMITTER_EMAIL: "newcomer@example.org",
};

try {
  const tarball = resolve(process.argv[2] ?? pack());
  const started = performance.now();
  const install = readBlock("## Your first story").replace(
    /^npm install -g ambit$/m,
    `npm install -g --prefix ${prefix} ${tarball}`,
  );
  paste(install);
  paste(readBlock("### Without any agent installed"));
  const minutes = (performance.now() - started) / 60_000;
  console.log(`\nThe walk took ${minutes.toFixed(1)} minutes of at most ${MAX_MINUTES}.`);
  if (minutes > MAX_MINUTES) process.exitCode = 1;
} finally {
  for (const name of readdirSync(temporary))
    spawnSync("ambit", ["supervisor", "stop"], { cwd: join(temporary, name), env: environment });
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}

function pack() {
  const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  const report = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", work], options));
  return join(work, Object.values(report)[0].filename);
}

/** The first block of shell below a heading. */
function readBlock(heading) {
  const text = readFileSync("README.md", "utf8");
  const block = /```sh\n([\s\S]*?)```/.exec(text.slice(text.indexOf(`${heading}\n`)))?.[1];
  if (block === undefined) throw new Error(`README.md has no commands below ${heading}`);
  return block;
}

/** In a terminal of 80 columns, each line shown before it runs; the first that fails ends the walk. */
function paste(block) {
  const file = join(work, "paste.sh");
  writeFileSync(file, block);
  const line = `stty rows 24 cols 80; exec bash --norc -ev '${file}'`;
  const ran = spawnSync("script", ["-qefc", line, "/dev/null"], {
    cwd: home,
    env: environment,
    stdio: ["ignore", "inherit", "inherit"],
    timeout: MAX_MINUTES * 60_000,
  });
  if (ran.status !== 0) throw new Error(`the walk ended with ${ran.status ?? ran.signal}`);
}
