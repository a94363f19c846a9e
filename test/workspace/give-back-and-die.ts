import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { openRepository } from "../../src/workspace/repository.ts";

/** Gives a used slot back and is killed before it is cleaned. */
const [root = "", home = "", stateDirectory = "", id = "", base = ""] = process.argv.slice(2);
const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
const pool = new WorkspacePool({ repository, stateDirectory, size: 1 });
pool.aimAtCommit(base);
await pool.settled();
const { path } = await pool.takeWorkspace({ id, base });
writeFileSync(join(path, "left.log"), "ignored\n");
await pool.giveBack({ id, path });
process.kill(process.pid, "SIGKILL");
