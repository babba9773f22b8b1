import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultOfAmount, formatAmount, InvalidAmount, parseAmount } from "./money";

const decimals = fc.constantFrom(6 as const, 9 as const);

describe("amounts", () => {
  it("every number of units from 1 to 2^64 - 1 survives being written and read", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, (1n << 64n) - 1n), decimals, (units, places) => {
        const text = formatAmount(units, places);
        expect(parseAmount(text, places)).toBe(units);
        expect(text).not.toMatch(/\.\d*0$|\.$/);
      }),
    );
  });

  it.each([
    ["25", 25_000_000n],
    ["0.000001", 1n],
    ["12.50", 12_500_000n],
    ["18446744073709.551615", (1n << 64n) - 1n],
  ])("reads %s as %s units of USDG", (text, units) => {
    expect(parseAmount(text, 6)).toBe(units);
  });

  it.each([
    ..."0,0.0,0.000000,-1,+1,1e3, 1,1 ,1.,.5,01,00,0x10,１,1.１,1.0000001,18446744073709.551616,NaN,Infinity,١".split(
      ",",
    ),
    "1,0",
    "",
    "1\n",
    "1_000",
    "9".repeat(5000),
  ])("refuses %j", (text) => {
    expect(() => parseAmount(text, 6)).toThrow(InvalidAmount);
  });

  it("says what is wrong with a text that is not an amount, each fault in a sentence of its own, without the text", () => {
    const faults = [
      "1,000.00",
      "1,000,000",
      "1,000",
      "12,5",
      "-3",
      "0",
      "0.00",
      "abc",
      "",
      "$5",
      "007",
      "1.2345678",
      "99999999999999",
    ];
    expect(faults.map((text) => faultOfAmount(text, 6))).toEqual([
      "Remove the comma: nothing groups thousands.",
      "Remove the comma: nothing groups thousands.",
      "Remove the comma if it groups thousands, or write a dot if it separates decimals.",
      "Write a dot before the decimals, not a comma.",
      "An amount can't be negative. Write one such as 12.5.",
      "An amount must be above 0.",
      "An amount must be above 0.",
      "This is not a number. Write an amount such as 12.5.",
      "This is not a number. Write an amount such as 12.5.",
      "Write only the number, such as 12.5.",
      "Write the amount without a zero at its beginning.",
      "Write at most 6 decimal places.",
      "An amount is at most 18446744073709.551615.",
    ]);
    for (const text of faults) expect(() => parseAmount(text, 6)).toThrow(InvalidAmount);
    expect(faultOfAmount(`1${"0".repeat(5000)}`, 6)).toMatch(/^This is not a number/);
  });

  it("takes nine places for ETH and no more", () => {
    expect(parseAmount("0.000000001", 9)).toBe(1n);
    expect(() => parseAmount("0.0000000001", 9)).toThrow(InvalidAmount);
  });

  it("writes zero, and refuses to write what is below it", () => {
    expect(formatAmount(0n, 6)).toBe("0");
    expect(() => formatAmount(-1n, 6)).toThrow(RangeError);
  });

  it("never repeats the refused text", () => {
    expect(() => parseAmount("77.1234567", 6)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("77") }),
    );
  });
});
