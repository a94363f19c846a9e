import { describe, expect, it } from "vitest";
import { childPrd, prdSchema, userStorySchema } from "../../src/contract/story.ts";

const prd = {
  project: "shop",
  branchName: "feature/auth",
  description: "Add authentication",
  userStories: [
    {
      id: "US-007",
      title: "Add user authentication",
      description: "As a user I want to log in",
      acceptanceCriteria: ["All tests pass"],
      priority: 1,
      estimatedComplexity: "medium",
      passes: false,
      dependencies: [],
      fileScope: ["src/auth/**"],
    },
  ],
  metadata: { delegatedFrom: "US-001", delegationDepth: 1, estimatedHours: 4 },
};

function badFields(value: unknown): readonly string[] {
  return (prdSchema.safeParse(value).error?.issues ?? []).map((issue) => issue.path.join("."));
}

describe("prdSchema", () => {
  it("reads a whole PRD (R78)", () => {
    expect(prdSchema.parse(prd)).toEqual(prd);
  });

  it("keeps keys it does not know, at every level (R78)", () => {
    const [story] = prd.userStories;
    const more = { ...prd, owner: "team", userStories: [{ ...story, notes: [1] }], metadata: { sprint: 7 } };
    expect(prdSchema.parse(more)).toEqual(more);
  });

  it("fills in the missing fields of a short PRD, and reads nulls as absent (R78)", () => {
    const short = {
      project: "shop",
      branchName: null,
      userStories: [{ id: "US-1", title: "Log in", fileScope: null }],
    };
    expect(prdSchema.parse(short)).toEqual({
      project: "shop",
      description: "",
      userStories: [
        {
          id: "US-1",
          title: "Log in",
          description: "",
          acceptanceCriteria: [],
          priority: 1,
          estimatedComplexity: "medium",
          passes: false,
          dependencies: [],
        },
      ],
    });
  });

  it("accepts several stories with ids of their own (R78)", () => {
    const userStories = [...prd.userStories, { ...prd.userStories[0], id: "US-008" }];
    expect(prdSchema.parse({ ...prd, userStories }).userStories).toEqual(userStories);
  });

  it("carries a story's own delegation limits (R114)", () => {
    const delegationConfig = { maxDelegations: 15, maxDepth: 3, parallel: true, maxConcurrent: 5 };
    const story = { id: "US-040", title: "Complex multi-service integration", delegationConfig };
    expect(userStorySchema.parse(story)).toMatchObject({ id: "US-040", delegationConfig });
  });

  it("stores numbers that came as text (C34)", () => {
    const parsed = prdSchema.parse({ ...prd, metadata: { delegationDepth: "2", estimatedHours: "4.5" } });
    expect(parsed.metadata).toEqual({ delegationDepth: 2, estimatedHours: 4.5 });
  });

  it.each([
    [{ ...prd, project: "" }, "project"],
    [{ ...prd, userStories: [] }, "userStories"],
    [{ ...prd, userStories: [prd.userStories[0], prd.userStories[0]] }, "userStories"],
    [{ ...prd, userStories: [{ id: "US 1", title: "a" }] }, "userStories.0.id"],
    [{ ...prd, userStories: [{ id: "US-1" }] }, "userStories.0.title"],
    [
      { ...prd, userStories: [{ id: "US-1", title: "a", acceptanceCriteria: [""] }] },
      "userStories.0.acceptanceCriteria.0",
    ],
    [{ ...prd, userStories: [{ id: "US-1", title: "a", passes: "no" }] }, "userStories.0.passes"],
    [{ ...prd, metadata: { estimatedHours: 0 } }, "metadata.estimatedHours"],
    [{ ...prd, metadata: { delegationDepth: -1 } }, "metadata.delegationDepth"],
  ])("refuses a broken PRD naming the field, %# (R78)", (value, field) => {
    expect(badFields(value)).toEqual([field]);
  });
});

describe("childPrd", () => {
  const story = {
    parentId: "US-007",
    childId: "US-007-DEL-001",
    description: "Implement JWT service",
    depth: 1,
    estimatedHours: 4,
  };

  it("builds the PRD of a delegated story with the default criteria (R77, R78, R79)", () => {
    expect(childPrd(story)).toEqual({
      project: "US-007-DEL-001",
      branchName: "delegation/US-007-DEL-001",
      description: "Implement JWT service",
      userStories: [
        {
          id: "US-007-DEL-001",
          title: "Implement JWT service",
          description: "Delegated by US-007",
          acceptanceCriteria: [
            "Implement Implement JWT service",
            "All tests pass",
            "Code meets quality standards",
          ],
          priority: 1,
          estimatedComplexity: "medium",
          passes: false,
          dependencies: [],
        },
      ],
      metadata: { delegatedFrom: "US-007", delegationDepth: 1, estimatedHours: 4 },
    });
  });

  it("uses the manager's own criteria and scope instead when there are any (R79)", () => {
    const own = childPrd({
      ...story,
      acceptanceCriteria: ["npm test exits with code 0"],
      fileScope: ["src/**"],
    });
    expect(own.userStories[0]).toMatchObject({
      acceptanceCriteria: ["npm test exits with code 0"],
      fileScope: ["src/**"],
    });
    expect(childPrd({ ...story, acceptanceCriteria: [] })).toEqual(childPrd(story));
  });

  it("leaves out an estimate that was not given, and is itself a valid PRD (R78)", () => {
    const { estimatedHours: _hours, ...unestimated } = story;
    const built = childPrd({ ...unestimated, fileScope: ["src/**"] });
    expect(built.metadata).toStrictEqual({ delegatedFrom: "US-007", delegationDepth: 1 });
    expect(prdSchema.parse(built)).toEqual(built);
    expect(prdSchema.parse(childPrd(story))).toEqual(childPrd(story));
  });
});
