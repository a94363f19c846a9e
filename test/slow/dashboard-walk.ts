// Every view of the dashboard in every state, in a real browser: node scripts/run-ts.mjs test/slow/dashboard-walk.ts [--pictures <folder>] [state ...]
// Fails on a broken promise of a state, a rule of accessibility at three sizes, a page that scrolls sideways, or a complaint.
import { mkdirSync } from "node:fs";
import { openBrowser } from "../dashboard/browser/chromium.ts";
import { walkStates } from "../dashboard/walk/walk-states.ts";

const words = process.argv.slice(2);
const at = words.indexOf("--pictures");
const [, pictures] = at === -1 ? [] : words.splice(at, 2);
if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
const browser = await openBrowser();
try {
  const problems = await walkStates(browser, {
    pictures,
    only: words.length === 0 ? undefined : words,
    onState: (name, found) => {
      console.log(`${found.length === 0 ? "✔" : "✖"} ${name}`);
      for (const problem of found) console.error(`  ${problem}`);
    },
  });
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await browser.close();
}
