// The same step in other libraries. Each returns { name, durable, prepare, step, close } as in ../own-steps.ts.
import { join } from "node:path";
import { Annotation, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import PQueue from "p-queue";

const nothing = async () => {};

/** In memory: what a step costs when nothing is kept. */
export function pQueueSteps() {
  const queue = new PQueue({ concurrency: 100 });
  return {
    name: "p-queue 9",
    durable: "no",
    prepare: nothing,
    step: () => queue.add(nothing),
    close: nothing,
  };
}

/** One job through Redis: added, taken by a worker in this process, completed. */
export async function bullSteps(port, appendfsync) {
  const connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null };
  const control = new Redis(connection);
  const select = () => control.config("SET", "appendfsync", appendfsync);
  await select();
  const name = `steps-${appendfsync}`;
  const queue = new Queue(name, { connection });
  const worker = new Worker(name, nothing, { connection, concurrency: 100 });
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  const waiting = new Map();
  let steps = 0;
  worker.on("completed", ({ data }) => waiting.get(data.step)?.());
  const step = async () => {
    const number = (steps += 1);
    const completed = new Promise((resolve) => waiting.set(number, resolve));
    await queue.add("step", { step: number }, { removeOnComplete: true });
    await completed;
    waiting.delete(number);
  };
  const close = async () => {
    await Promise.all([worker.close(), queue.close()]);
    control.disconnect();
  };
  // Both Redis variants share one server, so the wanted setting is made before each measurement.
  const durable = appendfsync === "always" ? "fsync" : "within 1 s";
  return { name: `BullMQ 6, Redis ${appendfsync}`, durable, prepare: select, step, close };
}

/** A graph of one node that does nothing, checkpointed before the step counts as done. */
export function langGraphSteps(folder, synchronous) {
  const saver = SqliteSaver.fromConnString(join(folder, `langgraph-${synchronous}.db`));
  saver.setup();
  saver.db.pragma(`synchronous=${synchronous}`);
  const state = Annotation.Root({ value: Annotation() });
  const graph = new StateGraph(state)
    .addNode("work", () => ({ value: 1 }))
    .addEdge("__start__", "work")
    .compile({ checkpointer: saver });
  let thread = 0;
  const step = () =>
    graph.invoke({ value: 0 }, { configurable: { thread_id: String((thread += 1)) }, durability: "sync" });
  const durable = synchronous === "FULL" ? "fsync" : "process only";
  const close = async () => void saver.db.close();
  return { name: `LangGraph.js SqliteSaver, ${synchronous}`, durable, prepare: nothing, step, close };
}
