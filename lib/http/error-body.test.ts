import { describe, expect, it } from "vitest";
import { ApiError } from "@/lib/base/errors";
import { errorBody, errorHeaders, toApiError } from "@/lib/http/error-body";

describe("error responses", () => {
  it("list code, message, request id and documentation address", () => {
    const body = errorBody(
      new ApiError("recipient_not_found", "No such handle.", { param: "to" }),
      "req_1",
      "https://pay.test",
    );
    expect(body).toEqual({
      error: {
        code: "recipient_not_found",
        message: "No such handle.",
        param: "to",
        request_id: "req_1",
        doc_url: "https://pay.test/docs/errors/recipient_not_found",
      },
    });
  });

  it("never show what an unexpected error said", () => {
    const body = errorBody(toApiError(new Error("amount 25.000001 of @alice")), "req_2", "https://pay.test");
    expect(body.error.code).toBe("internal");
    expect(JSON.stringify(body)).not.toContain("25.000001");
  });

  it("challenge for a bearer key on 401 and name the wait on 429", () => {
    expect(errorHeaders(new ApiError("unauthorized", "Send a key."))).toEqual({ "WWW-Authenticate": "Bearer" });
    expect(errorHeaders(new ApiError("rate_limited", "Wait.", { retryAfter: 0.2 }))).toEqual({ "Retry-After": "1" });
  });
});
