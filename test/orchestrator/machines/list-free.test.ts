import { expect, it } from "vitest";
import { listFreeMachines } from "../../../src/orchestrator/machines/list-free.ts";

it("lists the live machines that take work, with its pools and what it could begin now (R189)", async () => {
  const machine = {
    machine: "m",
    incarnation: "i",
    version: "1",
    protocol: 1,
    slots: 4,
    pools: ["default"],
  };
  const list = async () => [
    { ...machine, name: "north", used: 1, draining: false, isAlive: true },
    { ...machine, name: "full", used: 5, draining: false, isAlive: true, pools: ["gpu", "default"] },
    { ...machine, name: "leaving", used: 0, draining: true, isAlive: true },
    { ...machine, name: "gone", used: 0, draining: false, isAlive: false },
  ];
  expect(await listFreeMachines({ list })).toEqual([
    { name: "north", pools: ["default"], slots: 4, free: 3 },
    { name: "full", pools: ["gpu", "default"], slots: 4, free: 0 },
  ]);
});
