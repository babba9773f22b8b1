import { expect, test } from "vitest";
import type { Context } from "../../context/context";
import type { OpenedRequest } from "./open-request";
import { payOpenedRequest } from "./pay-request";

test("a request that the service calls expired names when it expires, and the clock of this machine", async () => {
  const request = { status: "expired", expires_at: "2099-01-01T00:00:00.000Z" } as OpenedRequest;
  const paid = payOpenedRequest({ hasWallet: true } as Context, request, {}, {});
  await expect(paid).rejects.toMatchObject({
    code: "payment_request_closed",
    message: expect.stringMatching(/It expires at 2099-01-01T00:00:00.000Z\. By this machine's clock it is \d{4}-/),
  });
});
