import type { Template } from "../../contract/template.ts";

/** One worker per layer, from the bottom up. */
export const layerTemplate: Template = {
  title: "By layer",
  summary: "Work that crosses layers: storage, interface, rules, documents",
  avoid: "A change that is thin in every layer: one worker is faster than five",
  depth: 1,
  example: "Build user management API",
  parts: [
    { name: "schema", description: "Database schema and migrations (models)", hours: 5 },
    { name: "routes", description: "API routes and controllers", hours: 6, after: ["schema"] },
    { name: "auth", description: "Authentication middleware", hours: 4 },
    {
      name: "validation",
      description: "Validation schemas and error handling",
      hours: 3,
      after: ["schema"],
    },
    { name: "documents", description: "API documentation (OpenAPI spec)", hours: 2, after: ["routes"] },
  ],
  guidance: `Begin at the bottom: a layer waits for the one it is built on, and only for that one (depends_on).
Decide names and types of the lowest layer yourself and give them to everyone as context.
Layers that touch neither each other's files nor types may start at once.
Hand out documents last: they describe what is there, not what was planned.`,
};
