import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { describingService } from "@/test/sdk/describing-service";
import {
  ADDRESS,
  CHAIN,
  clientOf,
  expectHalcyonError,
  failureOf,
  METHODS,
  PAID_BY_SERVICE,
} from "@/test/sdk/every-method";
import { serve } from "@/test/sdk/serve";
import { ServiceTimeout } from "./api/errors";
import { ResponseLost } from "./payments/attempts/outcome-unknown";

const drip: RequestListener = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(timer));
};

describe("a call does not wait longer than its timeout", () => {
  test.each<[string, RequestListener]>([
    ["accepts requests and never responds", () => {}],
    ["sends headers and then nothing", (_, response) => void response.writeHead(200).flushHeaders()],
    ["sends one byte after the other", drip],
  ])("for a service that %s", async (_, listener) => {
    const url = await serve(listener);
    const client = clientOf({ url, timeout: 30, rpcUrl: CHAIN.rpc });
    await Promise.all(
      METHODS.map(async ([name, input]) => {
        const error = await failureOf(client, name, input);
        expectHalcyonError(error, name);
        if (PAID_BY_SERVICE.includes(name)) {
          expect(error).toBeInstanceOf(ResponseLost);
          expect(error.cause).toBeInstanceOf(ServiceTimeout);
          expect(error).toMatchObject({ code: "outcome_unknown" });
        } else if (!name.startsWith("recovery") && name !== "security.stopPaymentKey") {
          expect(error, name).toBeInstanceOf(ServiceTimeout);
          expect(error.message).toContain("did not respond within 0.03 seconds");
        }
      }),
    );
  });

  test("nor for a chain that never responds", async () => {
    const rpcUrl = await serve(() => {});
    const client = clientOf({ url: await describingService(rpcUrl), rpcUrl, timeout: 30 });
    const error = await failureOf(client, "recovery.run", [{ rpc: rpcUrl, ledger: ADDRESS }]);
    expect(error).toMatchObject({ name: "ChainUnreachable", code: "unavailable" });
    expect((error as Error).message).toContain("within 0.03 seconds");
  });

  test("the timeout of one call goes before the client's", async () => {
    const client = clientOf({ url: await serve(() => {}), timeout: 600_000 });
    await expect(client.transfers.get("tr_1", { timeout: 20 })).rejects.toMatchObject({ timeout: 20 });
    await expect(client.transfers.get("tr_1", { timeout: 0 })).rejects.toMatchObject({ param: "timeout" });
  });
});
