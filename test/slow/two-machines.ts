/**
 * The walk of docs/guides/many-machines.md between machines that have only a network in common: namespaces for the servers, the
 * coordinator and two workers, each with its own network, processes and files. As root, with iproute2:
 *   npm run test:two-machines [-- --keep]
 * Real agent CLIs (e2e/real-cli) delegate by MCP from one worker machine to the other and back; then a cable is pulled.
 */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { optionalPrograms, presentClis } from "../../e2e/real-cli/harness/clis.ts";
import { prepareMachine } from "../../e2e/real-cli/harness/install.ts";
import { removeFolder } from "../e2e/remove-folder.ts";
import { type Machine, Network } from "./two-machines/network.ts";
import { walk } from "./two-machines/walk.ts";

const { values } = parseArgs({ options: { keep: { type: "boolean", default: false } } });

process.exitCode = await main();

async function main(): Promise<number> {
  if (process.getuid?.() !== 0) throw new Error("Network namespaces are made as root.");
  prepareMachine(optionalPrograms);
  const clis = presentClis();
  const [north, south] = ["codex", "gemini"].map((wanted) => clis.find(({ name }) => name === wanted));
  if (north === undefined || south === undefined) throw new Error("codex and gemini are needed");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-two-")));
  // PostgreSQL runs as a user of its own, in a folder below.
  chmodSync(folder, 0o755);
  const names = ["server", "office", "north", "south"] as const;
  const network = new Network();
  try {
    const folders = names.map((name) => join(folder, name));
    for (const one of folders) mkdirSync(one);
    const add = (name: string): Promise<Machine> =>
      network.addMachine(
        name,
        folders.filter((one) => one !== join(folder, name)),
      );
    const faults = await walk({
      folder,
      server: await add("server"),
      office: await add("office"),
      north: await add("north"),
      south: await add("south"),
      clis: { north, south },
      tell: (line) => console.log(line),
    });
    console.log(`${faults.length} faults`);
    for (const fault of faults) console.log(`  ${fault}`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await network.remove();
    if (values.keep) console.log(folder);
    else removeFolder(folder);
  }
}
