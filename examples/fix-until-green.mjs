// Asks an agent to make a command pass, at most three times, and says what each try cost.
// Usage: node fix-until-green.mjs <repository> <agent> <criterion>
import { createRuntime } from "ambit";

const MAX_TRIES = 3;
const [directory = ".", agent = "claude", criterion = "`npm test` passes"] = process.argv.slice(2);

const runtime = await createRuntime({
  directory,
  onEvent: ({ type, delegation }) => console.error(`${type} ${delegation ?? ""}`),
});
try {
  process.exitCode = (await tryRepeatedly()) ? 0 : 1;
} finally {
  await runtime.close();
}

async function tryRepeatedly() {
  let note = "";
  for (let number = 1; number <= MAX_TRIES; number += 1) {
    const ended = await runtime.run({
      id: `FIX-${Date.now().toString(36)}`,
      title: `Make this true: ${criterion}${note}`,
      agent,
      criteria: [criterion],
      timeoutSeconds: 900,
    });
    console.log(`try ${number}: ${ended.outcome}, $${(ended.money.spent / 1_000_000).toFixed(2)}`);
    if (ended.outcome === "completed") {
      console.log(`The proven work is on the branch ambit/${ended.id}.`);
      return true;
    }
    note = ` (an earlier try ended as ${ended.outcome}: ${ended.summary ?? "no summary"})`.slice(0, 300);
  }
  return false;
}
