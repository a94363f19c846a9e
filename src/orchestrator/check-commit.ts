export { buildCheckTrust } from "./checks/check-trust.ts";
export { readCheckSettings } from "./checks/check-settings.ts";
export { runChecksOnCommit } from "./checks/run-on-commit.ts";
export { CheckCheckouts } from "./project/check-checkouts.ts";
export { explainFailure } from "./project/explain-failure.ts";
export { addRecipe } from "./project/place-recipes.ts";
export { findLacks, type Lacks } from "./checks/find-lacks.ts";
