import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PLANTED_CODE } from "@/test/simulate/planted";

it("each fault that `npm run test:long -- planted` plants in the product's code has its place there", () => {
  for (const { fault, file, right } of PLANTED_CODE) {
    expect(readFileSync(file, "utf8").split(right), fault).toHaveLength(2);
  }
});
