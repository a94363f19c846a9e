// Put in front of the program by `node scripts/build.mjs --coverage`: processes of it write down which code they ran.
// Tests start most of the product as processes of its own, with environments of their own; this way they count.
(() => {
  const { existsSync, mkdirSync, writeFileSync } = require("node:fs");
  const folder = COVERAGE_FOLDER;
  // Thousands of processes run the same few commands: this many of each show all that they do.
  const MAX_PER_COMMAND = 12;
  const words = process.argv.slice(2, 4).filter((word) => /^[a-z_-]+$/.test(word));
  const command = words.join("+") || "none";
  const nameReport = (number) => `${folder}/${command}-${number}.json`;
  // Recording makes a process half as fast again, so the others do without it.
  if (existsSync(nameReport(MAX_PER_COMMAND))) return;
  const { Session } = require("node:inspector");
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  process.on("exit", () => {
    session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error === null) writeReport(answer.result.filter(({ url }) => url.includes("/dist/cli/")));
    });
  });

  function writeReport(result) {
    for (let number = 1; number <= MAX_PER_COMMAND; number += 1)
      try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(nameReport(number), JSON.stringify({ result }), { flag: "wx" });
        return;
      } catch {
        // Another process has this name, or a sandbox hides the folder.
      }
  }
})();
