import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";

let project: Project;

beforeEach(() => {
  project = makeProject();
});

afterEach(async () => {
  await project.remove();
});

/** Two stories whose checks wait for each other. Both pass if they run at the same time; otherwise one fails. */
async function runBoth(settings: string): Promise<readonly (number | null)[]> {
  project.write("ambit.yaml", `verification:\n  base: false\n  retries: 0\n${settings}`);
  const run = async (id: string, other: string): Promise<number | null> => {
    const check = `touch "$HOME/${id}"; until test -e "$HOME/${other}"; do sleep 0.05; done`;
    const words = ["run", "Do it", "--id", id, "--check", check];
    return (await project.ambit(...words, "--", "sh", "-c", `echo ${id} > ${id}.txt`)).status;
  };
  return Promise.all([run("S1", "S2"), run("S2", "S1")]);
}

describe("checks of two stories", () => {
  it("run one at a time with verification.exclusive", async () => {
    const statuses = await runBoth("  exclusive: true\n  timeoutSeconds: 3\n");
    expect(statuses.filter((status) => status === 0)).toHaveLength(1);
  });

  it("run at the same time without it", async () => {
    expect(await runBoth("  timeoutSeconds: 40\n")).toStrictEqual([0, 0]);
  });
});
