import type { Template } from "../../contract/template.ts";

/** A question is answered first; what is built follows from the answer. */
export const researchTemplate: Template = {
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
  guidance: `Hand the question out alone, with the options, the measure that decides, and a report file as acceptance.
Read the report before anything else is handed out; the parts that follow are yours to cut, not the researcher's.
Give every builder the decision and its reasons as context, so that nobody decides again.
End with a measurement that could show the decision to be wrong.`,
};
