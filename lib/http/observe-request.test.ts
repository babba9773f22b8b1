import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { emptyResource } from "@opentelemetry/resources";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace";
import { afterEach, expect, it } from "vitest";
import { unwrittenRequests } from "@/lib/accounts/request-log/unwritten-requests";
import { newId } from "@/lib/base/ids";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import { hub } from "@/lib/base/telemetry/hub";
import { stopTelemetry } from "@/lib/base/telemetry/otel/start";
import { tracerFor } from "@/lib/base/telemetry/otel/tracer-for";
import { observeRequest } from "./observe-request";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

afterEach(stopTelemetry);

it("the span of a request goes under the one its traceparent names; a malformed one begins a trace of our own", async () => {
  const exporter = new InMemorySpanExporter();
  hub().telemetry = {
    ...tracerFor(emptyResource(), 1, new SimpleSpanProcessor({ exporter })),
    record: () => {},
  };
  const server = createServer((request, response) => {
    void observeRequest(request, response, "/v1/transfers", async () => void response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const span = async (traceparent: string) => {
    exporter.reset();
    await (await fetch(url, { headers: { traceparent } })).text();
    await expect.poll(() => exporter.getFinishedSpans().length).toBe(1);
    const [ended] = exporter.getFinishedSpans();
    return { trace: ended?.spanContext().traceId, under: ended?.parentSpanContext?.spanId };
  };
  try {
    expect(await span(`00-${TRACE}-${SPAN}-01`)).toEqual({ trace: TRACE, under: SPAN });
    const own = await span(`00-${TRACE}-${SPAN}-01-more`);
    expect(own).toEqual({ trace: expect.stringMatching(/^[0-9a-f]{32}$/), under: undefined });
    expect(own.trace).not.toBe(TRACE);
  } finally {
    server.close();
  }
});

it("of a request with an API key the owner's log gets the path's template and what came of it: no path, query, header or body", async () => {
  const canaries = ["hc_test_canary", "7.654321", "tr_canary", "lunch", "hc_live_canary"];
  const [key, amount, transfer, memo, other] = canaries;
  const caller = { rootId: newId("account"), chainId: 46630, keyId: newId("key") } as const;
  const requestId = newId("request");
  const server = createServer((request, response) => {
    const anonymous = request.url === "/open";
    const log = request.url === "/v1/request-log";
    void observeRequest(request, response, log ? "/v1/request-log" : "/v1/transfers/{transfer_id}", async () => {
      noteRequest({ requestId, errorCode: "invalid_request", ...(anonymous ? {} : { caller }) });
      response.statusCode = 400;
      response.end(JSON.stringify({ error: { message: `${amount} ${memo}` } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const logged = () => unwrittenRequests().list;
  try {
    await (await fetch(`${at}/open`)).text();
    // Who follows the log would read of nothing else.
    await (await fetch(`${at}/v1/request-log`)).text();
    const headers = { authorization: `Bearer ${key}`, "user-agent": `${memo}` };
    const body = JSON.stringify({ amount, memo });
    await (await fetch(`${at}/v1/transfers/${transfer}?key=${other}`, { method: "POST", headers, body })).text();
    await expect.poll(logged).toEqual([
      {
        ...caller,
        id: requestId,
        method: "POST",
        route: "/v1/transfers/{transfer_id}",
        status: 400,
        errorCode: "invalid_request",
        durationMs: expect.any(Number),
      },
    ]);
    expect(canaries.filter((canary) => JSON.stringify(logged()).includes(canary))).toEqual([]);
  } finally {
    unwrittenRequests().list = [];
    clearTimeout(unwrittenRequests().timer);
    server.close();
  }
});
