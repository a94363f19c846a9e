import type { AgentEvent } from "../adapter-types/agent-adapter.ts";
import type { ProgramProbe } from "../adapter-types/agent-program.ts";
import type { KnownAgent, ShippedDefinition } from "../adapter-types/known-agent.ts";
import { knownAgents } from "../known-agents/known-agents.ts";
import { agentPrograms, findAgentProgram } from "./agent-programs.ts";
import { readJsonObject } from "../stream-json/read-line.ts";
import { readCommandNames } from "./command-names.ts";

/** How to probe any program we know, with an adapter of its own or without. */
export function findProgramProbe(name: string): ProgramProbe | undefined {
  return findAgentProgram(name)?.probe ?? knownAgents.find((agent) => agent.name === name)?.probe;
}

/** How a program without an adapter of its own works without a definition of the project. */
export function findShippedDefinition(name: string): ShippedDefinition | undefined {
  return knownAgents.find((agent) => agent.name === name)?.definition;
}

/** The agent CLI without an adapter of its own that a command starts. */
export function findKnownAgent(command: readonly string[]): KnownAgent | undefined {
  const names = readCommandNames(command);
  return knownAgents.find(({ name }) => names.has(name));
}

/** Whether a command starts an agent CLI that prints what it does and uses while it works. */
export function printsEvents(command: readonly string[]): boolean {
  const words = findKnownAgent(command)?.stream?.words;
  return words?.every((word) => command.includes(word)) ?? false;
}

const EVENT_START = /^\{ ?"type": ?"/;

/** The events on a line that one of the known agent CLIs prints; undefined for any other line. */
export function readKnownEvents(line: string): readonly AgentEvent[] | undefined {
  const fields = EVENT_START.test(line) ? readJsonObject(line) : undefined;
  if (fields === undefined) return undefined;
  for (const { stream } of knownAgents) {
    const events = stream?.readEvent(fields);
    if (events !== undefined) return events;
  }
  return undefined;
}

/** Whether a command starts an agent CLI that we know by its name. */
export function startsKnownAgent(command: readonly string[]): boolean {
  const names = readCommandNames(command);
  return (
    findKnownAgent(command) !== undefined || agentPrograms.some(({ adapter }) => names.has(adapter.name))
  );
}
