import { describe, expect, it } from "vitest";
import { ApiError, ERROR_STATUS } from "@/lib/base/errors";

describe("ApiError", () => {
  it("takes its HTTP status from its code", () => {
    for (const [code, status] of Object.entries(ERROR_STATUS)) {
      expect(new ApiError(code as keyof typeof ERROR_STATUS, "message").status).toBe(status);
    }
  });

  it("returns 413 and 415 where a body is too large or multipart", () => {
    expect(new ApiError("invalid_request", "too large", { status: 413 }).status).toBe(413);
    expect(new ApiError("invalid_request", "multipart", { status: 415 }).status).toBe(415);
  });

  it("keeps the inner cause apart from the public message", () => {
    const error = new ApiError("internal", "Try again later.", { cause: new Error("column budget.sealed is null") });
    expect(error.publicMessage).not.toContain("sealed");
    expect(error.message).not.toContain("sealed");
    expect(error.cause).toBeInstanceOf(Error);
  });
});
