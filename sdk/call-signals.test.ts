import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { describingService } from "@/test/sdk/describing-service";
import { clientOf, expectHalcyonError, failureOf, METHODS, PAID_BY_SERVICE, RECEIPT } from "@/test/sdk/every-method";
import { serve } from "@/test/sdk/serve";
import { CallAborted } from "./api/call-aborted";
import { ChainUnreachable } from "./api/errors";
import { ResponseLost } from "./payments/attempts/outcome-unknown";

describe("a signal", () => {
  test.each(METHODS)("that is aborted already keeps %s from sending anything", async (name, input) => {
    let requests = 0;
    const counting: typeof fetch = async () => {
      requests++;
      return Response.json({});
    };
    const signal = AbortSignal.abort();
    const error = await failureOf(clientOf({ fetch: counting, signal }), name, input);
    expectHalcyonError(error, name);
    expect(error).toBeInstanceOf(CallAborted);
    expect(requests).toBe(0);
  });

  test("ends every call whose request is on its way; a payment that may have been made says so", async () => {
    const url = await serve(() => {});
    await Promise.all(
      METHODS.filter(([name]) => !/^recovery|stopPaymentKey/.test(name)).map(async ([name, input]) => {
        const controller = new AbortController();
        const aborting: typeof fetch = (...request) => {
          queueMicrotask(() => controller.abort());
          return fetch(...request);
        };
        const error = await failureOf(clientOf({ url, fetch: aborting, signal: controller.signal }), name, input);
        expectHalcyonError(error, name);
        expect(error, name).toBeInstanceOf(PAID_BY_SERVICE.includes(name) ? ResponseLost : CallAborted);
      }),
    );
  });

  test("that many calls wait for gets one listener: Node warns of eleven", async () => {
    const controller = new AbortController();
    const client = clientOf({ url: await serve(() => {}), signal: controller.signal });
    const calls = Array.from({ length: 12 }, () => client.transfers.get("tr_1"));
    const others = Array.from({ length: 12 }, () => clientOf({ signal: controller.signal }).events.get("evt_1"));
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    controller.abort();
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(CallAborted);
    await Promise.allSettled(others);
  });

  test("of one call ends that call alone, also where both wait for the same", async () => {
    const asked: (() => void)[] = [];
    const client = clientOf({
      fetch: async (input) => {
        await new Promise<void>((resolve) => asked.push(resolve));
        return fetch(input);
      },
      url: await describingService("http://127.0.0.1:1"),
    });
    const controller = new AbortController();
    const aborted = client.receipts.verify(RECEIPT, { signal: controller.signal });
    const other = client.receipts.verify(RECEIPT);
    // The first call loads the code of receipts. Only after that do both calls wait for the same request.
    await expect.poll(() => asked.length).toBe(1);
    controller.abort();
    await expect(aborted).rejects.toBeInstanceOf(CallAborted);
    await expect.poll(() => asked.length).toBeGreaterThan(1);
    for (const resolve of asked) resolve();
    // It went on to the chain, which is away.
    await expect(other).rejects.toBeInstanceOf(ChainUnreachable);
  });
});
