import { emptyResource } from "@opentelemetry/resources";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace";
import { afterEach, describe, expect, it } from "vitest";
import { freePort } from "@/test/services/free-port";
import { type Labels, SPAN_ATTRIBUTES, type SpanAttributes } from "./catalogue";
import { hub } from "./hub";
import { inSpan } from "./in-span";
import { openTelemetry } from "./otel/open-telemetry";
import { stopTelemetry } from "./otel/start";
import { tracerFor } from "./otel/tracer-for";
import { count, countOnSuccess, gauge, measure } from "./record";

const CANARY = "7391.042187";

let exporter = new InMemorySpanExporter();
const traced = () =>
  JSON.stringify(
    exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
  );

async function startTracing(ratio = 1): Promise<void> {
  exporter = new InMemorySpanExporter();
  const tracer = tracerFor(emptyResource(), ratio, new SimpleSpanProcessor({ exporter }));
  hub().telemetry = { ...tracer, record: () => {} };
}

async function startMetrics(): Promise<() => Promise<string>> {
  const port = await freePort();
  const failed = (error: unknown) => {
    throw error;
  };
  hub().telemetry = await openTelemetry({ role: "web", metrics: { host: "127.0.0.1", port } }, failed);
  return async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

afterEach(async () => {
  hub().gauges.clear();
  await stopTelemetry();
});

describe("spans", () => {
  it("are children of the span under way and carry its trace", async () => {
    await startTracing();
    await inSpan("POST /v1/transfers", { "http.route": "/v1/transfers" }, async (span) => {
      await inSpan("prove", { "halcyon.circuit": "transfer" }, async () => {});
      span.set({ "http.response.status_code": 201 });
    });
    const [prove, request] = exporter.getFinishedSpans();
    expect(prove).toMatchObject({ name: "prove", attributes: { "halcyon.circuit": "transfer" } });
    expect(prove?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(request?.attributes).toEqual({ "http.route": "/v1/transfers", "http.response.status_code": 201 });
  });

  it("go under the span of a caller that sends one, with all that is below them", async () => {
    await startTracing();
    const caller = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7", sampled: true };
    let logged: string | undefined;
    const request = () =>
      inSpan("prove", {}, async () => {
        logged = hub().telemetry?.traceId();
      });
    await inSpan("POST /v1/transfers", {}, request, caller);
    const [prove, received] = exporter.getFinishedSpans();
    expect(received?.parentSpanContext).toMatchObject({ spanId: caller.spanId, isRemote: true });
    expect(prove?.parentSpanContext?.spanId).toBe(received?.spanContext().spanId);
    expect([prove, received].map((span) => span?.spanContext().traceId)).toEqual([caller.traceId, caller.traceId]);
    expect(logged).toBe(caller.traceId);
  });

  it("are recorded or not as the caller's are, whatever share is recorded here", async () => {
    const caller = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
    const record = async (ratio: number, sampled: boolean) => {
      await startTracing(ratio);
      await inSpan("GET /v1/transfers", {}, () => inSpan("prove", {}, async () => {}), { ...caller, sampled });
      return exporter.getFinishedSpans().length;
    };
    expect(await record(1, false)).toBe(0);
    expect(await record(0, true)).toBe(2);
  });

  it("export no attribute that is not on the list, whatever is handed to them", async () => {
    await startTracing();
    const stray = { amount: CANARY, "halcyon.amount": CANARY, "halcyon.circuit": "fund" } as SpanAttributes;
    await inSpan("sign", stray, async (span) => span.set(stray));
    expect(exporter.getFinishedSpans()[0]?.attributes).toEqual({ "halcyon.circuit": "fund" });
    expect(traced()).not.toContain(CANARY);
  });

  it("describe an error by its code or class, never by its message", async () => {
    await startTracing();
    const coded = Object.assign(new Error(`cannot pay ${CANARY}`), { code: "insufficient_balance" });
    for (const error of [coded, new TypeError(CANARY), CANARY]) {
      await expect(inSpan("settle", {}, () => Promise.reject(error))).rejects.toBe(error);
    }
    const types = exporter.getFinishedSpans().map(({ attributes }) => attributes["error.type"]);
    expect(types).toEqual(["insufficient_balance", "TypeError", "string"]);
    expect(traced()).not.toContain(CANARY);
  });

  it("have no attribute that could hold an amount, a handle, an address or a key", () => {
    expect(
      SPAN_ATTRIBUTES.filter((name) =>
        /amount|value|balance|handle|account|address|key|memo|url|path|query/.test(name),
      ),
    ).toEqual([]);
  });

  it("cost nothing while nothing is exported: the work runs all the same", async () => {
    expect(await inSpan("prove", {}, async () => 7)).toBe(7);
  });
});

describe("/metrics", () => {
  it("shows counters, durations and gauges in Prometheus' format", async () => {
    const scrape = await startMetrics();
    count("halcyon.payments", { outcome: "refused", code: "insufficient_balance" });
    measure("halcyon.proof.duration", 0.12, { circuit: "transfer", kind: "prove", outcome: "done" });
    gauge("halcyon.index.lag_blocks", () => [[3, { chain: 46630 }]]);
    const text = await scrape();
    expect(text).toContain('halcyon_payments_total{outcome="refused",code="insufficient_balance"} 1');
    expect(text).toContain(
      'halcyon_proof_duration_seconds_bucket{circuit="transfer",kind="prove",outcome="done",le="0.15"} 1',
    );
    expect(text).toContain('halcyon_index_lag_blocks{chain="46630"} 3');
    expect(text).toContain('service_name="halcyon-web"');
  });

  it("shows no label that is not in the catalogue", async () => {
    const scrape = await startMetrics();
    count("halcyon.payments", { outcome: "accepted", amount: CANARY } as Labels<"halcyon.payments">);
    const text = await scrape();
    expect(text).toContain('halcyon_payments_total{outcome="accepted"} 1');
    expect(text).not.toContain(CANARY);
  });

  it("goes without a gauge that cannot be read, and shows the others", async () => {
    const scrape = await startMetrics();
    gauge("halcyon.index.lag", () => Promise.reject(new Error("the chain is away")));
    gauge("halcyon.prover.jobs", () => [[2, { state: "waiting" }]]);
    const text = await scrape();
    expect(text).not.toContain("halcyon_index_lag_seconds{");
    expect(text).toContain('halcyon_prover_jobs{state="waiting"} 2');
  });

  it("counts what happens in a transaction only once it has committed", async () => {
    const scrape = await startMetrics();
    const work = async () => count("halcyon.payments", { outcome: "confirmed" });
    await countOnSuccess(work);
    await countOnSuccess(async () => {
      await work();
      throw new Error("rolled back");
    }).catch(() => {});
    expect(await scrape()).toContain('halcyon_payments_total{outcome="confirmed"} 1');
  });

  it("on a port that is taken leaves the process running", async () => {
    const port = await freePort();
    const settings = { role: "web", metrics: { host: "127.0.0.1", port } } as const;
    const first = await openTelemetry(settings, () => {});
    const errors: unknown[] = [];
    const second = await openTelemetry(settings, (error) => errors.push(error));
    expect(errors).toHaveLength(1);
    second.record("halcyon.payments", 1, { outcome: "accepted" });
    await Promise.allSettled([first.stop(), second.stop()]);
  });
});
