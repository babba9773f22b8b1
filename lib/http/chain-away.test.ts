import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from "viem";
import { expect, test } from "vitest";
import { failure } from "./failure";

const responseTo = (error: unknown) => failure(error, "req_test", "/v1/transfers");

test("what needs a chain whose node is away gets a 503 with Retry-After, however deep the reason lies", async () => {
  const url = "http://node.internal";
  for (const reason of [new HttpRequestError({ url }), new TimeoutError({ url, body: {} })]) {
    for (const error of [reason, new BaseError("The contract call failed.", { cause: reason })]) {
      const response = responseTo(error);
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ error: { code: "unavailable" } });
      expect(text).not.toContain("node.internal");
    }
  }
});

test("a chain whose node refuses connections is not taken for the database", async () => {
  const socket = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  const cause = new TypeError("fetch failed", { cause: socket });
  const response = responseTo(new HttpRequestError({ url: "http://node.test", cause }));
  expect(await response.json()).toMatchObject({
    error: { code: "unavailable", message: "The service cannot reach the chain just now. Try again." },
  });
});

test("a node's response to an invalid call is no outage", () => {
  const error = new RpcRequestError({ url: "", body: {}, error: { code: 3, message: "execution reverted" } });
  expect(responseTo(error).status).toBe(500);
});
