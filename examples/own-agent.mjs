// An agent in a page. Ambit starts it in a workspace with the prompt on standard input and reads its return from a file.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const PART = "List the sources of the notes";
const prompt = readFileSync(0, "utf8");

if (prompt.includes(PART)) listSources();
else writeNotes();

/** The manager: it delegates one part and uses what comes back. */
function writeNotes() {
  // Ambit checks the limits, starts a worker in a workspace of its own (here this same program), runs the check and brings
  // the proven files into this folder before the command ends.
  const words = ["delegate", PART, "--accept", "`test -s sources.md` passes"];
  execFileSync("ambit", words, { stdio: ["ignore", "inherit", "inherit"] });
  writeFileSync("notes.md", `# Notes\n\n${readFileSync("sources.md", "utf8")}`);
  finish("Wrote the notes and their sources.");
}

/** The worker. */
function listSources() {
  writeFileSync("sources.md", "- the manual\n- the code\n");
  finish("Listed the sources.");
}

/** Every return carries the metadata that Ambit gave to this attempt. */
function finish(summary) {
  const metadata = JSON.parse(process.env.AMBIT_RETURN_METADATA);
  const fields = { status: "completed", summary, artifacts: [], metadata };
  writeFileSync(process.env.AMBIT_RETURN_FILE, JSON.stringify(fields));
}
