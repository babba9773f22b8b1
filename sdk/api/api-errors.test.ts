import { expect, test } from "vitest";
import document from "@/docs/openapi.json";
import { ERROR_STATUS, type ErrorCode } from "@/lib/base/errors";
import { API_ERRORS } from "./api-errors";
import { ApiCallError } from "./errors";

test.each(Object.keys(ERROR_STATUS) as ErrorCode[])("%s has a class of its own, named after it", (code) => {
  const error = new API_ERRORS[code]("What to do.", { status: ERROR_STATUS[code] });
  expect(error).toBeInstanceOf(ApiCallError);
  expect(error).toMatchObject({ code, message: "What to do.", name: API_ERRORS[code].name });
  expect(error.name.toLowerCase()).toBe(`${code.replaceAll("_", "")}error`);
});

test("every error that an operation declares has its class, so a client knows all that the document names", () => {
  const responses: Record<string, { "x-error-codes": string[] }> = document.components.responses;
  const methods = Object.values(document.paths).flatMap((one) => Object.values(one));
  for (const { operationId, responses: own } of methods as { operationId: string; responses: object }[]) {
    const named = Object.values(own).flatMap(({ $ref = "" }: { $ref?: string }) => {
      return responses[$ref.replace("#/components/responses/", "")]?.["x-error-codes"] ?? [];
    });
    expect(named.length, operationId).toBeGreaterThan(4);
    expect(Object.keys(API_ERRORS), operationId).toEqual(expect.arrayContaining(named));
  }
});
