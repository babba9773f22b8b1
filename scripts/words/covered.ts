/** Documents the check leaves out, each with the reason. */
export const NOT_YET: Readonly<Record<string, string>> = {
  "docs/developer-rest-api.md": "the contract, whose text is given",
  "docs/decisions/": "records of their time",
};

/** Folders and files whose texts people read: screens, the command line, messages. */
export const SCREENS: readonly string[] = [
  "sdk/cli",
  "sdk/mcp",
  "lib/docs",
  "lib/budgets",
  "lib/events",
  "lib/keys",
  "app",
  "components",
];
