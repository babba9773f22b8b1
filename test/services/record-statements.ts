import { appendFileSync } from "node:fs";

// Loaded through vitest.config.ts if HALCYON_RECORD names a file. Records each statement as one line of JSON.
Object.assign(globalThis, {
  halcyonStatements: (text: string) => appendFileSync(process.env.HALCYON_RECORD ?? "", `${JSON.stringify(text)}\n`),
});
