import { mkdtempSync, rmSync } from "node:fs";

/** Vitest's global set-up: a folder in which a run of the tests prepares what its files copy. */
export default function preparedFolder(): (() => void) | undefined {
  if (process.env.HALCYON_TEST_PREPARED) return undefined; // another project's
  const folder = mkdtempSync("/tmp/halcyon-prepared-");
  process.env.HALCYON_TEST_PREPARED = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
