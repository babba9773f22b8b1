import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PLANTED_CODE, PLANTED_RUN } from "@/test/simulate/planted";
import { Model } from "./model";

it("each fault that `npm run test:long -- planted` plants in the product's code has its place there", () => {
  for (const { fault, file, right } of PLANTED_CODE) {
    expect(readFileSync(file, "utf8").split(right), fault).toHaveLength(2);
  }
});

it("the run of `npm run test:long -- planted` does what its faults need, and nothing that takes long", () => {
  const { seed, steps } = PLANTED_RUN;
  const model = new Model(seed);
  const kinds = Array.from({ length: steps }, () => model.next().operation.kind);
  expect([...new Set(kinds)].sort()).toEqual(["agent_pay", "endpoint", "new_key", "pay", "payout"]);
  expect(model.repetitions().length).toBeGreaterThan(1);
  expect(model.setting.services).toEqual(["web", "worker"]);
});
