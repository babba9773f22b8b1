import { appendFileSync } from "node:fs";

// Set up by vitest.config.ts when HALCYON_RECORD names a file: each statement as JSON, one a line.
Object.assign(globalThis, {
  halcyonStatements: (text: string) => appendFileSync(process.env.HALCYON_RECORD ?? "", `${JSON.stringify(text)}\n`),
});
