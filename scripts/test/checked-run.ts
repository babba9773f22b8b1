import { writeFileSync } from "node:fs";
import { named } from "./failures";

/** More lines than this say no more of why. */
const MOST = 5;

/** Prints what was wrong in a run that counts as one test, and writes it where `npm test` reads it. */
export function reportWrong(wrong: readonly string[]): void {
  for (const line of wrong) console.error(line);
  const file = process.env.HALCYON_TEST_REPORT;
  if (file) writeFileSync(file, JSON.stringify(wrong));
}

/** Returns the failures of such a run, at most one: why it failed, in one line. */
export function failuresOf(wrong: readonly string[]): string[] {
  if (wrong.length === 0) return [];
  const more = wrong.length > MOST ? [`and ${wrong.length - MOST} more`] : [];
  return [named("", "", ...wrong.slice(0, MOST), ...more)];
}
