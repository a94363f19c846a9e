import { resolve } from "node:path";

/** Where processes of a program that was built with --coverage write their reports. */
export const COVERAGE_FOLDER = resolve("reports/coverage");
