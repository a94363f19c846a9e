/** Headings of `ambit --help`, in this order; a group without commands is not shown. */
export const commandGroups = {
  work: "Delegate",
  see: "See what happens",
  review: "Review and merge",
  tasks: "Tasks",
  checks: "Check limits and contracts",
  setup: "Set up",
  help: "Help",
} as const;

export type CommandGroup = keyof typeof commandGroups;
