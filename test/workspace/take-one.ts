import { WorkspacePool } from "../../src/workspace/pool.ts";
import { openRepository } from "../../src/workspace/repository.ts";

/** Takes a workspace at one commit from a pool whose checkouts are at another one: root, home, state folder, id, from, to. */
const [root = "", home = "", stateDirectory = "", id = "", from = "", to = ""] = process.argv.slice(2);
const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
const pool = new WorkspacePool({ repository, stateDirectory, size: 1, settleMs: 0 });
pool.aimAtCommit(from);
await pool.settled();
const { path } = await pool.takeWorkspace({ id, base: to });
process.stdout.write(`${path}\n`);
