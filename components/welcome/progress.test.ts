import { expect, test } from "vitest";
import { type FirstVisit, firstPayee, stepNow } from "./progress";

const nothing: FirstVisit = { handle: null, enrolled: false, verified: false, madeAvailable: false, paid: false };

test("a first visit goes through its steps in order and ends", () => {
  const facts: Partial<FirstVisit>[] = [
    { handle: "@alice" },
    { enrolled: true },
    { verified: true },
    { madeAvailable: true },
    { paid: true },
  ];
  let visit = nothing;
  const steps = [stepNow(visit)];
  for (const fact of facts) {
    visit = { ...visit, ...fact };
    steps.push(stepNow(visit));
  }
  expect(steps).toEqual(["handle", "enroll", "identity", "money", "payment", null]);
});

test("the first payment names an account only where every stack has it", () => {
  expect(firstPayee(true)).toBe("@demo");
  expect(firstPayee(false)).toBeUndefined();
});
