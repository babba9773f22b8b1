import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ApiError } from "@/lib/errors";
import { queryOf, validate } from "@/lib/http/validate";

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
