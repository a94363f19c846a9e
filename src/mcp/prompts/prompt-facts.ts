export interface PromptFacts {
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly PromptArgument[];
  readonly text: (given: Readonly<Record<string, string>>) => Promise<string>;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}
