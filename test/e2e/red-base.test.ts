import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { runCli, type CliResult } from "./run-cli.ts";

let project: Project;

beforeEach(() => {
  project = makeProject();
});

afterEach(async () => {
  await project.remove();
});

const run = (environment: Readonly<Record<string, string>>, ...words: string[]): Promise<CliResult> =>
  runCli(words, {
    directory: project.root,
    home: join(project.root, "..", "home"),
    environment: { AMBIT_IDLE_MS: "400", ...environment },
  });
const story = (id: string, check: string): readonly string[] => {
  const words = ["run", "Do it", "--id", id, "--check", check];
  return [...words, "--", "sh", "-c", "echo done > made.txt"];
};

describe("a check that fails without any change", () => {
  it("is reported with its differences from the user's checkout and shell", async () => {
    project.write(".gitignore", ".env\ndist/\n");
    project.write("test.sh", '. ./.env; test "$DATABASE_URL" = local\n');
    project.git("add", "-A");
    project.git("commit", "--quiet", "-m", "tests");
    project.write(".env", "KEY=1\n");
    project.write("dist/index.js", "1\n");
    const red = await run({ DATABASE_URL: "local", UNUSED_URL: "x" }, ...story("S1", "sh test.sh"));
    expect(red.stderr + red.stdout).toContain(
      "`sh test.sh` fails here without any change. DATABASE_URL is set in your",
    );
    expect(red.stderr + red.stdout).toContain(
      "lacks ignored files of your checkout: .env, dist/ (workspace.include).",
    );
    expect(red.stderr + red.stdout).not.toContain("UNUSED_URL");
    const criteria = JSON.stringify((await project.json("verify", "S1"))["criteria"]);
    expect(criteria).toContain(
      "DATABASE_URL is set in your shell but not passed (workspace.env.pass: [DATABASE_URL]).",
    );
    // Control: with both settings nothing differs and nothing is reported.
    project.write("ambit.yaml", "workspace:\n  include: [.env, dist/]\n  env:\n    pass: [DATABASE_URL]\n");
    const green = await run({ DATABASE_URL: "local" }, ...story("S2", "sh test.sh"));
    expect(green.status).toBe(0);
    expect(green.stderr + green.stdout).not.toContain("fails here");
  });

  it("is reported with the variable that the check itself reads", async () => {
    const { stderr } = await run({ SERVICE_URL: "x" }, ...story("S4", 'test -n "$SERVICE_URL"'));
    expect(stderr).toContain("SERVICE_URL is set in your shell but not passed");
  });

  it("is reported with the variables that say where its tool has its parts", async () => {
    const environment = { CARGO_HOME: "/opt/cargo", GOPATH: "/opt/go" };
    const check = "echo 'could not choose a version of cargo to run'; exit 1";
    const { stderr } = await run(environment, ...story("S6", check));
    expect(stderr).toContain("CARGO_HOME is set in your shell but not passed");
    expect(stderr).not.toContain("GOPATH");
  });

  it("is reported as a collision if it needed a port that is in use", async () => {
    const check = "echo 'Error: listen EADDRINUSE: address already in use :::65001'; exit 1";
    const { stderr, stdout } = await run({}, ...story("S3", check));
    expect(stderr + stdout).toContain(
      "Port 65001 is in use: a collision with another check or worker, not a fault of the work (verification.exclusive: true",
    );
  });
});
