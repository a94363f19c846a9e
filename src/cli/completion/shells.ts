/** Shells there is a completion for. */
export const shells = ["bash", "zsh", "fish", "pwsh"] as const;
