import { expect, it } from "vitest";
import { withRun } from "./record";
import type { SimulateResult } from "./run";

const run: SimulateResult = {
  seed: 1,
  seconds: 90,
  steps: 80,
  payments: 40,
  kills: 12,
  transfers: 30,
  events: 170,
  done: { rotate: 2, pay: 30, clock: 1, freeze: 3 },
  errors: {},
  blind: { requests: 12, together: 3, kills: 4 },
  wrong: [],
};

it("a day's runs add up in one row of each table, and what else the file says stays", () => {
  let text = "# Figures\n";
  text = withRun(text, "2026-11-25", run);
  text = withRun(`${text}\n## Another\n`, "2026-11-25", { ...run, seed: 2, wrong: ["a", "b"] });
  text = withRun(text, "2026-11-26", run);
  expect(text).toContain("| 2026-11-25 | 2 | 160 | 80 | 24 | 60 | 340 | 3 | 2 |\n| 2026-11-26 | 1 |");
  expect(text).toContain("| 2026-11-25 | 2 | 4 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 2 | 0 | 0 | 0 |\n| 2026-11-26 | 1 | 2 |");
  expect(text).toContain("| 2026-11-25 | 2 | 6 | 0 | 0 | 0 | 0 | 0 |\n| 2026-11-26 | 1 | 3 |");
  expect(text).toContain("| 2026-11-25 | 2 | 24 | 6 | 8 |\n| 2026-11-26 | 1 | 12 | 3 | 4 |");
  expect(text).toMatch(/^# Figures\n[\s\S]*\n\n## Another\n$/);
});
