import { expect, test } from "vitest";
import document from "@/docs/openapi.json";
import { ERROR_STATUS, type ErrorCode } from "@/lib/base/errors";
import { API_ERRORS, apiErrorOf, asApiError, InsufficientBalanceError } from "./api-errors";
import { ApiCallError, ChainUnreachable, HalcyonError } from "./errors";

test.each(Object.keys(ERROR_STATUS) as ErrorCode[])("%s has a class of its own, named after it", (code) => {
  const error = new API_ERRORS[code]("What to do.", { status: ERROR_STATUS[code] });
  expect(error).toBeInstanceOf(ApiCallError);
  expect(error).toMatchObject({ code, message: "What to do.", name: API_ERRORS[code].name });
  expect(error.name.toLowerCase()).toBe(`${code.replaceAll("_", "")}error`);
});

test("an error is an instance of its code's class, and of no other, wherever it was found", () => {
  for (const here of [true, false]) {
    const error = here
      ? new HalcyonError("insufficient_balance", "Too little.")
      : apiErrorOf("insufficient_balance", "Too little.", { status: 402 });
    const classes = Object.values(API_ERRORS).filter((one) => error instanceof one);
    expect(classes).toEqual([InsufficientBalanceError]);
    expect(error instanceof ApiCallError).toBe(!here);
  }
  expect(new Error("insufficient_balance")).not.toBeInstanceOf(InsufficientBalanceError);
});

test("what this machine finds has the name of its class and the page about it, and keeps those it has", () => {
  const service = "https://pay.test";
  expect(asApiError(new HalcyonError("invalid_request", "Too long."), service)).toMatchObject({
    name: "InvalidRequestError",
    docUrl: "https://pay.test/docs/errors/invalid_request",
  });
  expect(asApiError(new ChainUnreachable(), service)).toMatchObject({
    name: "ChainUnreachable",
    docUrl: "https://pay.test/docs/errors/unavailable",
  });
  const sent = apiErrorOf("rate_limited", "Wait.", { status: 429, docUrl: "https://other.test/page" });
  expect(asApiError(sent, service).docUrl).toBe("https://other.test/page");
  // Only this client knows it, so the service has no page about it.
  expect(asApiError(new HalcyonError("outcome_unknown", "Lost."), service)).toMatchObject({ name: "HalcyonError" });
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
