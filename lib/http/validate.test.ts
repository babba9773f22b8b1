import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ApiError } from "@/lib/base/errors";
import { queryOf, stopEarly, validate } from "@/lib/http/validate";

const schema = z.strictObject({ to: z.string(), nested: z.strictObject({ word: z.string() }).optional() });

function refusal(value: unknown): ApiError {
  try {
    validate(schema, value, "body");
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error("it was not refused");
}

describe("validate", () => {
  it.each([
    ["body", []],
    ["body", "text"],
    ["body", undefined],
    ["to", {}],
    ["to", { to: 1 }],
    ["nested.word", { to: "x", nested: { word: 7 } }],
    ["colour", { to: "x", colour: "red" }],
    ["nested.colour", { to: "x", nested: { word: "y", colour: "red" } }],
    ["__proto__", JSON.parse('{"to": "x", "__proto__": {"to": "y"}}')],
  ])("names %s as the field at fault", (param, value) => {
    expect(refusal(value)).toMatchObject({ code: "invalid_request", status: 400, param });
  });

  it("never repeats a value, nor a name that may be one", () => {
    const error = refusal({ to: 7391.042187, "7391.042187": "7391.042187", nested: "7391.042187" });
    expect(JSON.stringify([error.publicMessage, error.param, error.errors])).not.toContain("7391");
    expect(error.errors).toHaveLength(3);
  });
});

describe("a body with a thousand faults", () => {
  it("is refused with the first twenty", () => {
    const schema = z.strictObject({ list: z.array(z.string()) });
    try {
      validate(schema, { list: Array.from({ length: 1_000 }, () => 1) }, "body");
      expect.unreachable();
    } catch (error) {
      expect((error as ApiError).errors).toHaveLength(20);
    }
  });
});

describe("queryOf", () => {
  it("refuses a parameter that is there twice", () => {
    expect(() => queryOf(new URLSearchParams("limit=1&limit=2"))).toThrow(ApiError);
  });

  it("takes a parameter for what it is, whatever its name", () => {
    expect(Object.keys(queryOf(new URLSearchParams("__proto__=1&limit=2")))).toEqual(["__proto__", "limit"]);
  });
});

describe("a list with thousands of faulty elements", () => {
  it("is looked at until twenty are found, and then no further, wherever it is in a schema", () => {
    let looked = 0;
    const element = z.string().refine(() => {
      looked += 1;
      return false;
    });
    const list = () =>
      z
        .array(z.strictObject({ to: element }))
        .max(5_000)
        .optional();
    const whole = stopEarly(z.strictObject({ rows: list(), nested: z.object({ rows: list() }).transform(() => 1) }));
    const rows = Array.from({ length: 5_000 }, () => ({ to: "x" }));
    const refused = () => {
      looked = 0;
      try {
        validate(whole, { rows, nested: { rows } }, "body");
      } catch (error) {
        return (error as ApiError).errors;
      }
    };
    for (let again = 0; again < 2; again += 1) {
      expect(refused()).toHaveLength(20);
      expect(looked).toBe(20);
    }
    expect(whole.safeParse({ rows: [], nested: { rows: [] } }).success).toBe(true);
    expect(whole.safeParse({ rows: [...rows, ...rows], nested: {} }).success).toBe(false);
  });
});
