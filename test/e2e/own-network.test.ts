import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startEcho } from "../containment/echo-service.ts";
import { makeProject, type Project } from "./project.ts";

let project: Project;

beforeEach(() => {
  project = makeProject();
  project.write(
    "listen.cjs",
    `const { existsSync, writeFileSync } = require("node:fs");
const [port, mine, other] = process.argv.slice(2);
const server = require("node:net").createServer().listen(Number(port), "127.0.0.1", () => {
  if (mine === undefined) process.exit(0);
  writeFileSync(process.env.HOME + "/" + mine, "");
  setInterval(() => { if (existsSync(process.env.HOME + "/" + other)) process.exit(0); }, 20);
});
`,
  );
  project.write(
    "call.cjs",
    `require("node:net").connect(Number(process.argv[2]), "127.0.0.1", () => process.exit(0)).on("error", (error) => { console.error(String(error)); process.exit(1); });\n`,
  );
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "tests");
});

afterEach(async () => {
  await project.remove();
});

function setServices(services: string): void {
  const checks = "verification:\n  base: false\n  retries: 0\n  timeoutSeconds: 40\n";
  project.write("ambit.yaml", `${checks}workspace:\n  services: ${services}\n`);
}

async function run(id: string, check: string, ...more: readonly string[]) {
  const words = ["run", "Do it", "--id", id, "--check", check, ...more];
  const { status, stdout, stderr } = await project.ambit(
    ...words,
    "--",
    "sh",
    "-c",
    `echo ${id} > ${id}.txt`,
  );
  return { status, told: stdout + stderr };
}

describe("checks with workspace.services", () => {
  it("of two stories listen on the same port at the same time, also while it is taken on the machine", async () => {
    const port = await startEcho();
    setServices("null");
    const collided = await run("S0", `node listen.cjs ${port}`);
    expect(collided.status).not.toBe(0);
    expect(collided.told).toContain(`Port ${port} is in use by `);
    setServices("[]");
    const both = await Promise.all([
      run("S1", `node listen.cjs ${port} S1 S2`),
      run("S2", `node listen.cjs ${port} S2 S1`),
    ]);
    expect(both.map(({ status }) => status)).toStrictEqual([0, 0]);
  });

  it("reach only the named services, and say which one is missing", async () => {
    const [named, other] = [await startEcho(), await startEcho()];
    setServices(`[${named}]`);
    expect((await run("S1", `node call.cjs ${named}`)).status).toBe(0);
    const missed = await run("S2", `node call.cjs ${other}`);
    expect(missed.status).not.toBe(0);
    expect(missed.told).toContain(
      `did not reach port ${other} of this machine (workspace.services: [${named}, ${other}])`,
    );
    setServices("null");
    expect((await run("S3", `node call.cjs ${other}`)).status).toBe(0);
  });

  it("reach only the named services from a sandbox, too", async () => {
    const [named, other] = [await startEcho(), await startEcho()];
    setServices(`[${named}]`);
    const sandbox = ["--isolation", "sandbox"];
    expect((await run("S1", `node call.cjs ${named}`, ...sandbox)).status).toBe(0);
    expect((await run("S2", `node call.cjs ${other}`, ...sandbox)).status).not.toBe(0);
    expect((await run("S3", `node call.cjs ${other}`, ...sandbox, "--network")).status).toBe(0);
  });
});

describe("workers with workspace.services", () => {
  const work = (id: string, command: string, ...more: readonly string[]) => {
    const words = ["run", "Do it", "--id", id, "--check", `test -s ${id}.txt`, ...more];
    return project.ambit(...words, "--", "sh", "-c", `${command} && echo ${id} > ${id}.txt`);
  };

  it("listen on the same port at the same time, also while it is taken on the machine", async () => {
    const port = await startEcho();
    setServices("null");
    expect((await work("S0", `node listen.cjs ${port}`)).status).not.toBe(0);
    setServices("[]");
    const both = await Promise.all([
      work("S1", `node listen.cjs ${port} S1 S2`),
      work("S2", `node listen.cjs ${port} S2 S1`),
    ]);
    expect(both.map(({ status }) => status)).toStrictEqual([0, 0]);
  });

  it("reach only the named services of this machine; with --network all of them", async () => {
    const [named, other] = [await startEcho(), await startEcho()];
    setServices(`[${named}]`);
    expect((await work("S1", `node call.cjs ${named}`)).status).toBe(0);
    expect((await work("S2", `node call.cjs ${other}`)).status).not.toBe(0);
    expect((await work("S3", `node call.cjs ${other}`, "--network")).status).toBe(0);
  });

  it("are refused other services of this machine by their proxy, and the refused ones are named", async () => {
    const other = await startEcho();
    setServices("[]");
    const ask = `node -e '
      const { hostname, port } = new URL(process.env.HTTPS_PROXY);
      require("node:http").request({ hostname, port, method: "CONNECT", path: "localhost:${other}" })
        .on("connect", (answer) => process.exit(answer.statusCode === 403 ? 7 : 8)).end();'`;
    const { status, stdout, stderr } = await work("S1", ask);
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain(
      `In its own network it could not reach localhost:${other} (workspace.services, or --network)`,
    );
  });
});
