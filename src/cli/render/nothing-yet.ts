/** Every report says this until something is stored. */
export const nothingYet = "Nothing has been delegated here yet.";
