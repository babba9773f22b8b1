import { mkdtempSync } from "node:fs";
import { removeFolder } from "@/scripts/stack/files";

/** Vitest's global set-up: a folder in which a run prepares what its files copy. */
export default function preparedFolder(): (() => void) | undefined {
  if (process.env.HALCYON_TEST_PREPARED) return undefined; // another project's
  const folder = mkdtempSync("/tmp/halcyon-prepared-");
  process.env.HALCYON_TEST_PREPARED = folder;
  return () => removeFolder(folder);
}
