import { expect, it } from "vitest";
import { parseDirectives, isDirective } from "../../src/contract/directive.ts";
import { templateSchema } from "../../src/contract/template.ts";
import {
  buildPartRequests,
  isHandedOut,
  buildManagerText,
  partDirective,
} from "../../src/templates/apply-template.ts";
import { builtInTemplates } from "../../src/templates/read-templates.ts";

const entries = Object.entries(builtInTemplates);

/** The directives of the source documents' five patterns. */
const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  feature: [
    "[delegate:Payment processing integration (Stripe API):6]",
    "[delegate:Order validation and inventory check:4]",
    "[delegate:Email confirmation service:3]",
    "[delegate:Receipt generation and PDF export:4]",
  ],
  layer: [
    "[delegate:Database schema and migrations (models):5]",
    "[delegate:API routes and controllers:6]",
    "[delegate:Authentication middleware:4]",
    "[delegate:Validation schemas and error handling:3]",
    "[delegate:API documentation (OpenAPI spec):2]",
  ],
  "test-driven": [
    "[delegate:Write notification service tests (TDD approach):4]",
    "[delegate:Implement email notification backend:5]",
    "[delegate:Implement SMS notification backend:4]",
    "[delegate:Create notification template system:3]",
  ],
  research: [
    "[delegate:Research Redis vs Memcached trade-offs and recommend:3]",
    "[delegate:Implement cache abstraction layer:4]",
    "[delegate:Add cache invalidation logic:3]",
    "[delegate:Performance benchmarks and optimization:4]",
  ],
  "front-back": [
    "[delegate:Backend API endpoints for profile CRUD:5]",
    "[delegate:React profile component with form validation:6]",
    "[delegate:Profile image upload and storage:4]",
    "[delegate:Integration tests for profile flow:3]",
  ],
  split: [],
};

it("provides the five ways to divide work, each with its example directives (R8, R181)", () => {
  const shown = Object.fromEntries(
    entries.map(([name, { parts }]) => [name, parts.map((part) => partDirective(part, "x"))]),
  );
  expect(shown).toEqual(DIRECTIVES);
});

it.each(entries)(
  "%s passes the published schema, and every directive it shows parses (R8)",
  (name, template) => {
    expect(templateSchema.parse(template)).toEqual(template);
    const text = buildManagerText(name, template, "Build it");
    const parsed = parseDirectives(text, { parentId: "US-001" });
    expect(parsed.errors).toEqual([]);
    expect(parsed.delegations).toHaveLength(template.parts.length);
    expect(template.parts.every((part) => isDirective(partDirective(part, "x")))).toBe(true);
  },
);

it("leaves the choice to the manager if the parts are an example, and delegates named parts itself (R191)", () => {
  expect(entries.map(([, template]) => isHandedOut(template))).toEqual(entries.map(() => false));
  const named = templateSchema.parse({
    title: "Release",
    summary: "Each release",
    parts: [
      { name: "notes", description: "Notes for {story}", hours: 2, accept: "file NOTES.md exists" },
      { description: "Publish", after: ["notes"], agent: "publisher" },
    ],
  });
  expect(isHandedOut(named)).toBe(true);
  expect(buildPartRequests(named, { story: "v2 $& {story}", agent: "writer" })).toEqual([
    {
      description: "Notes for v2 $& {story}",
      estimated_hours: 2,
      agent: "writer",
      accept: ["file NOTES.md exists"],
    },
    { description: "Publish", agent: "publisher", depends_on: ["#1"] },
  ]);
  expect(isHandedOut({ ...named, handout: "manager" })).toBe(false);
});
