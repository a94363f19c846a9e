import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startPostgres, type PostgresService } from "../services.ts";
import { makeProject, until, type Project } from "./project.ts";
import { runCli, trustEverything } from "./run-cli.ts";

const PASSWORD = "hunter2-kept-to-myself";

let postgres: PostgresService;
let project: Project;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(() => {
  const address = new URL(postgres.url);
  // A server that trusts its own machine accepts any password; another server needs the given one.
  if (address.password === "") address.password = PASSWORD;
  project = makeProject({ AMBIT_CLUSTER_URL: address.href });
  // A project is named after its first commit, and those of other tests may be made in the same second.
  project.git("commit", "--quiet", "--amend", "-m", `start in ${project.root}`);
});
afterEach(() => project.remove());

const withoutAddress = (...words: string[]) =>
  runCli(words, {
    directory: project.root,
    home: join(dirname(project.root), "home"),
    environment: { AMBIT_IDLE_MS: "400", ...trustEverything },
  });

const findText = (text: string): string => {
  try {
    return execFileSync("grep", ["-rlF", text, dirname(project.root)], { encoding: "utf8" });
  } catch {
    // Nothing was found.
    return "";
  }
};

it("runs stories on the journal in PostgreSQL, and exports it again", async () => {
  await project.ambit("run", "Before", "--id", "S1", "--check", "test -f one", "--", "touch", "one");
  await project.ambit("supervisor", "stop");
  expect(await project.json("cluster", "init")).toMatchObject({ is_member: false, events_there: 0 });
  const imported = await project.json("cluster", "import");
  expect(imported).toMatchObject({ is_member: true, runs_here: true });
  expect([imported["events_there"], imported["head_there"]]).toEqual([
    imported["events_here"],
    imported["head_here"],
  ]);
  const looks = "cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' > seen; touch two";
  const sandboxed = ["--isolation", "sandbox", "--check", "test -f two", "--", "sh", "-c", looks];
  const run = await project.ambit("run", "Within", "--id", "S2", ...sandboxed);
  expect([run.status, run.stdout]).toEqual([0, expect.stringContaining("completed")]);
  await project.ambit("supervisor", "stop");
  const status = await project.json("cluster", "status");
  expect(status["events_there"]).toBeGreaterThan(Number(imported["events_there"]));
  expect(status["head_there"]).toBe(status["head_here"]);
  expect((await project.ambit("audit", "--verify")).status).toBe(0);
  const { findings } = await project.json("doctor");
  expect(findings).toContainEqual(
    expect.objectContaining({
      name: "cluster",
      ok: true,
      detail: expect.stringContaining("the work runs here"),
    }),
  );
  const seen = project.git("show", "ambit/S2:seen");
  expect(seen).toContain("AMBIT_");
  expect(seen).not.toContain("AMBIT_CLUSTER");

  const reading = await withoutAddress("status");
  expect([reading.status, reading.stderr]).toEqual([
    0,
    expect.stringContaining("AMBIT_CLUSTER_URL is not set"),
  ]);
  const writing = await withoutAddress("run", "No", "--id", "S3", "--", "true");
  expect([writing.status, writing.stderr]).toEqual([6, expect.stringContaining("CLUSTER_ADDRESS_INVALID")]);

  expect(await project.json("cluster", "export")).toMatchObject({ events: status["events_there"] });
  const after = await withoutAddress(
    "run",
    "After",
    "--id",
    "S4",
    "--check",
    "test -f four",
    "--",
    "touch",
    "four",
  );
  expect(after.status).toBe(0);
  expect(findText(PASSWORD)).toBe("");
});

it("continues after its supervisor was killed, and keeps the journal of both in one chain", async () => {
  await project.ambit("cluster", "init");
  const gate = join(dirname(project.root), "gate");
  const waits = `test -f ${gate} || { touch ${gate}.reached; sleep 600; }; touch done`;
  await project.ambit(
    "run",
    "Wait",
    "--id",
    "K1",
    "--detach",
    "--check",
    "test -f done",
    "--",
    "sh",
    "-c",
    waits,
  );
  await until("the worker waits", () => existsSync(`${gate}.reached`));
  process.kill(await project.supervisorPid(), "SIGKILL");
  project.write(join("..", "gate"), "");
  const resumed = await project.ambit("attach", "K1");
  expect(resumed.status).toBe(0);
  expect((await project.ambit("audit", "--verify")).status).toBe(0);
});
