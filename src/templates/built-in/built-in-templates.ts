import type { Template } from "../../contract/template.ts";

const featureTemplate: Template = {
  title: "By component",
  summary: "A feature made of components that can be built and tested alone",
  avoid: "Components that share most of their files, or wait for each other",
  depth: 1,
  example: "Implement checkout flow",
  parts: [
    { name: "payment", description: "Payment processing integration (Stripe API)", hours: 6 },
    { name: "order", description: "Order validation and inventory check", hours: 4 },
    { name: "email", description: "Email confirmation service", hours: 3 },
    { name: "receipt", description: "Receipt generation and PDF export", hours: 4 },
  ],
  guidance: `Name the components first, then the interface between each two: the function, event or file through which they meet.
Write each interface down yourself before you delegate, so that no worker has to guess it.
Give each worker one component, its own folder as scope, and a test of its own as acceptance.
Keep the integration for yourself and do it when the workers have returned.`,
};

const layerTemplate: Template = {
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
  guidance: `Start at the bottom: a layer waits only for the layer it is built on (depends_on).
Decide the names and types of the lowest layer yourself and give them to every worker as context.
Layers that share neither files nor types can start at the same time.
Delegate the documentation last: it describes the result, not the plan.`,
};

const testDrivenTemplate: Template = {
  title: "Tests first",
  summary: "Behaviour that can be written down as tests before it exists",
  avoid: "Work whose behaviour is not known yet",
  depth: 1,
  example: "Implement notification service",
  parts: [
    { name: "tests", description: "Write notification service tests (TDD approach)", hours: 4 },
    { name: "email", description: "Implement email notification backend", hours: 5, after: ["tests"] },
    { name: "sms", description: "Implement SMS notification backend", hours: 4, after: ["tests"] },
    {
      name: "templates",
      description: "Create notification template system",
      hours: 3,
      after: ["tests"],
    },
  ],
  guidance: `Let one worker write the tests and nothing else; they may fail at first, so do not make them its acceptance.
All other workers wait for it (depends_on) and are accepted by the tests of their own part, named as commands.
Keep the tests out of the scope of the workers that implement: a worker must not change the tests that judge it.
If a test turns out to be wrong, change it yourself and say why.`,
};

const researchTemplate: Template = {
  title: "Research, then build",
  summary: "A choice has to be made, and the rest of the work depends on it",
  avoid: "A choice that is already made, or that costs nothing to change later",
  depth: 1,
  example: "Integrate caching layer",
  parts: [
    {
      name: "research",
      description: "Research Redis vs Memcached trade-offs and recommend",
      hours: 3,
    },
    {
      name: "abstraction",
      description: "Implement cache abstraction layer",
      hours: 4,
      after: ["research"],
    },
    {
      name: "invalidation",
      description: "Add cache invalidation logic",
      hours: 3,
      after: ["abstraction"],
    },
    {
      name: "benchmarks",
      description: "Performance benchmarks and optimization",
      hours: 4,
      after: ["abstraction"],
    },
  ],
  guidance: `Delegate only the question first, with the options, the measure that decides, and a report file as acceptance.
Read the report before you delegate anything else; you choose the parts that follow, not the researcher.
Give every builder the decision and its reasons as context, so that it is not made twice.
End with a measurement that could prove the decision wrong.`,
};

const frontBackTemplate: Template = {
  title: "Front and back",
  summary: "A feature with a screen and a server behind it",
  avoid: "A screen over an interface that does not exist and cannot be written down yet",
  depth: 1,
  example: "Add user profile page",
  parts: [
    { name: "back", description: "Backend API endpoints for profile CRUD", hours: 5 },
    { name: "front", description: "React profile component with form validation", hours: 6 },
    { name: "images", description: "Profile image upload and storage", hours: 4 },
    {
      name: "integration",
      description: "Integration tests for profile flow",
      hours: 3,
      after: ["back", "front", "images"],
    },
  ],
  guidance: `Write the interface down first, as a file for both sides: paths, fields, types, errors.
Both sides then start at the same time, each with its own folder as scope; neither may change the interface alone.
Accept the screen against recorded answers of the interface, and the server against requests.
The integration waits for both (depends_on) and runs the real thing from end to end.`,
};

const splitTemplate: Template = {
  title: "By proposal",
  summary: "Work that may be divided, but has no plan yet",
  avoid: "Work in one file, or a change that takes less than three hours",
  depth: 1,
  handout: "proposal",
  parts: [],
  guidance: `Parts should change different files, and each should be worth a worker. One part waits for another only if it needs its result.
If the work is better not divided, propose one part.`,
};

/** The five ways of R8 and the one that is planned when the story starts, by the name `--template` takes. */
export const builtInTemplates: Readonly<Record<string, Template>> = {
  feature: featureTemplate,
  layer: layerTemplate,
  "test-driven": testDrivenTemplate,
  research: researchTemplate,
  "front-back": frontBackTemplate,
  split: splitTemplate,
};
