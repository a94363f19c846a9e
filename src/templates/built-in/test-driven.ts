import type { Template } from "../../contract/template.ts";

/** Tests first; they are then the proof of every other part. */
export const testDrivenTemplate: Template = {
  title: "Tests first",
  summary: "Behaviour that can be written down as tests before it exists",
  avoid: "Work whose behaviour is still being found out",
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
  guidance: `Let one worker write the tests and nothing else; they may be red, so do not make them its acceptance.
All others wait for it (depends_on) and are accepted by the tests of their own part, named as commands.
Keep the tests out of the scope of those who implement: whoever is judged by a test does not change it.
When a test turns out to be wrong, change it yourself and say why.`,
};
