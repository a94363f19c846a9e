// Preloaded into the built program: writes down what it has loaded when it ends.
const Module = require("node:module");
const { writeFileSync } = require("node:fs");

const load = Module._load;
const requests = new Set();
Module._load = function (request, ...rest) {
  requests.add(request);
  return load.call(this, request, ...rest);
};
process.on("exit", () => {
  const schemas = Object.getOwnPropertyNames(globalThis).some((name) => name.startsWith("__zod_"));
  writeFileSync(process.env["LOADED_MODULES"], JSON.stringify({ requests: [...requests], schemas }));
});
