import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
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
    const error = new ApiError("internal", "Try again later.", {
      cause: new Error("column available balance.encrypted is null"),
    });
    expect(error.publicMessage).not.toContain("encrypted");
    expect(error.message).not.toContain("encrypted");
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("is recognised whichever bundle it comes from, and no other error is", async () => {
    vi.resetModules();
    const elsewhere = await import("@/lib/base/errors");
    const { ReadAgain: Theirs } = await import("@/lib/chain/optimistic-read");
    vi.resetModules();
    const { ReadAgain: Ours } = await import("@/lib/chain/optimistic-read");
    expect(elsewhere.ApiError).not.toBe(ApiError);
    const [theirs, ours] = [new elsewhere.ApiError("not_found", "Nothing."), new ApiError("not_found", "Nothing.")];
    expect(theirs).toBeInstanceOf(ApiError);
    expect(ours).toBeInstanceOf(elsewhere.ApiError);
    expect(new Theirs()).toBeInstanceOf(Ours);
    expect(new Theirs()).toBeInstanceOf(ApiError);
    expect(theirs).not.toBeInstanceOf(Ours);
    for (const other of [new Error("x"), null, undefined, "not_found", {}]) expect(other).not.toBeInstanceOf(ApiError);
  });

  it("says in every class that extends it which one that is, for other bundles", () => {
    const files = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const extending = files.flatMap((at) => {
      const file = `lib/${at}`;
      const text = readFileSync(file, "utf8");
      return [...text.matchAll(/class (\w+) extends ApiError\b/g)].map(([, name = ""]) => ({ file, name, text }));
    });
    expect(extending.length).toBeGreaterThan(2);
    for (const { file, name, text } of extending) expect(text, file).toContain(`isCopyOf("${name}", value)`);
  });
});
