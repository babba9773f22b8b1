import { expect, test } from "vitest";
import { Progress } from "./progress";

test("failures are said when they happen, counts and the time left every quarter of a minute", () => {
  const said: string[] = [];
  let now = 0;
  const progress = new Progress(
    "unit",
    10,
    (line) => said.push(line),
    () => now,
  );
  const end = (at: number) => {
    now = at;
    progress.pass();
    progress.ended();
  };
  end(10_000);
  progress.fail("a.test.ts: holds: expected 2 to be 1");
  expect(said).toEqual(["unit: failed: a.test.ts: holds: expected 2 to be 1"]);
  end(16_000);
  end(30_000);
  end(32_000);
  expect(said.slice(1)).toEqual([
    "unit: 2 passed, 1 failed, about 64 s left",
    "unit: 4 passed, 1 failed, about 48 s left",
  ]);
});

test("a long rest is in minutes, and nothing is said when all has ended", () => {
  const said: string[] = [];
  let now = 0;
  const progress = new Progress(
    "e2e",
    3,
    (line) => said.push(line),
    () => now,
  );
  for (const at of [300_000, 600_000, 900_000]) {
    now = at;
    progress.pass();
    progress.ended();
  }
  expect(said).toEqual(["e2e: 1 passed, 0 failed, about 10 min left", "e2e: 2 passed, 0 failed, about 5 min left"]);
});
