import { expect, test } from "vitest";
import { commitment, positive, u64 } from "./document-fields";

test.each(["x", "", "-1", "01", "1.0", "0x1", "1e3", " 1", "18446744073709551616", "9".repeat(80), null, 1, {}])(
  "%s is refused as a number of 64 bits, never thrown at",
  (value) => {
    expect(u64.safeParse(value).success).toBe(false);
    expect(positive.safeParse(value).success).toBe(false);
    expect(commitment.safeParse(value).success).toBe(false);
  },
);

test("the numbers of 64 bits are taken; zero is not positive", () => {
  for (const text of ["0", "1", "18446744073709551615"]) expect(u64.parse(text)).toBe(text);
  expect(positive.safeParse("0").success).toBe(false);
});
