import { CandidateReserve } from "../../src/workspace/candidate.ts";
import { openRepository } from "../../src/workspace/repository.ts";

/** Checks a candidate out and is killed before it is released: root, home, state folder, id, commit. */
const [root = "", home = "", stateDirectory = "", id = "", commit = ""] = process.argv.slice(2);
const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
const { path } = await new CandidateReserve({ repository, stateDirectory }).checkOut({ id, commit });
process.stdout.write(`${path}\n`, () => process.kill(process.pid, "SIGKILL"));
