import { expect, test } from "vitest";
import { HOLDER } from "./settings";

test("a process that is frozen loses its locks within 20 s, and one that works may miss beats before it does", () => {
  // The runbook names the 20 s (docs/runbook.md). lib/chain/advisory-lock.integration.test.ts shows it with shorter times.
  expect(HOLDER.idleMs).toBeLessThanOrEqual(20_000);
  expect(HOLDER.idleMs).toBeGreaterThanOrEqual(3 * HOLDER.beatMs);
});
