import { describe, expect, it } from "vitest";
import { limitHeaders } from "@/lib/http/limits";

describe("rate limit headers", () => {
  it("are structured fields: quota and window, what is left and when it is whole again", () => {
    const policy = { name: "api_key", quota: 200, seconds: 2, slice: 10 } as const;
    const standing = { policy, allowed: true, remaining: 150, resetSeconds: 1, retrySeconds: 0 };
    expect(limitHeaders(standing)).toEqual({
      "ratelimit-policy": '"api_key";q=200;w=2',
      ratelimit: '"api_key";r=150;t=1',
    });
  });
});
