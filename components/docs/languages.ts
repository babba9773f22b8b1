/** The languages of samples, as `<input id="language-…">` and `data-language` name them. */
export const LANGUAGES = [
  { id: "bash", name: "curl" },
  { id: "ts", name: "TypeScript" },
  { id: "python", name: "Python" },
] as const;

export type SampleLanguage = (typeof LANGUAGES)[number]["id"];
