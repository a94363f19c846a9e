import type { Scenario } from "../harness/scenario.ts";
import { alone, sandbox } from "./alone.ts";
import { byDirective, byShell, byTicket, byTool } from "./delegate.ts";
import { killed, stop } from "./interrupted.ts";
import { budget, deadline, loop, metered, ownAgents, unmetered } from "./limits.ts";
import { nested } from "./nested.ts";
import { repair, returnText } from "./returns.ts";
import { tasks } from "./tasks.ts";
import { tokens } from "./tokens.ts";
import { doctor, tools, usualModel } from "./tools.ts";
import { cutStream, garbage, missing, rateLimit, refusedKey, tooOld } from "./trouble.ts";

export const scenarios: readonly Scenario[] = [
  doctor,
  alone,
  sandbox,
  tools,
  usualModel,
  tokens,
  returnText,
  repair,
  byTool,
  byDirective,
  byTicket,
  byShell,
  tasks,
  nested,
  budget,
  metered,
  unmetered,
  loop,
  ownAgents,
  deadline,
  stop,
  killed,
  refusedKey,
  rateLimit,
  cutStream,
  garbage,
  tooOld,
  missing,
];
