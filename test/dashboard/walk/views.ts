/** The subject of the views: a story, and one of its workers. */
export interface Subject {
  readonly story: string;
  readonly worker: string;
}

export interface View {
  readonly name: string;
  readonly path: (subject: Subject) => string;
  /** Whether it is about one story, and so about its workers. */
  readonly isAboutStory: boolean;
}

const panel = (tab: string): View => ({
  name: `panel ${tab}`,
  path: ({ story, worker }) => `/story/${story}?d=${worker}&tab=${tab}`,
  isAboutStory: true,
});

const page = (name: string, path: string): View => ({ name, path: () => path, isAboutStory: false });

/** Every view there is. */
export const views: readonly View[] = [
  page("home", "/"),
  { name: "tree", path: ({ story }) => `/story/${story}`, isAboutStory: true },
  { name: "timeline", path: ({ story }) => `/story/${story}/timeline`, isAboutStory: true },
  { name: "graph", path: ({ story }) => `/story/${story}/graph`, isAboutStory: true },
  ...["log", "diff", "return", "criteria", "messages", "todos", "cost", "limits"].map(panel),
  page("inbox", "/inbox"),
  page("board", "/board"),
  page("cost", "/cost"),
  { name: "cost of a story", path: ({ story }) => `/cost/${story}`, isAboutStory: false },
  page("audit", "/audit"),
  page("health", "/health"),
  page("new story", "/new"),
  page("nowhere", "/nothing/here"),
];
