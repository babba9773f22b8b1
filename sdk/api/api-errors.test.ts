import { expect, test } from "vitest";
import { ERROR_STATUS, type ErrorCode } from "@/lib/base/errors";
import { API_ERRORS } from "./api-errors";
import { ApiCallError } from "./errors";

test.each(Object.keys(ERROR_STATUS) as ErrorCode[])("%s has a class of its own, named after it", (code) => {
  const error = new API_ERRORS[code]("What to do.", { status: ERROR_STATUS[code] });
  expect(error).toBeInstanceOf(ApiCallError);
  expect(error).toMatchObject({ code, message: "What to do.", name: API_ERRORS[code].name });
  expect(error.name.toLowerCase()).toBe(`${code.replaceAll("_", "")}error`);
});
