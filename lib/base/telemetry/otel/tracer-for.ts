import {
  type Attributes,
  type Context,
  context,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { Resource } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { SPAN_ATTRIBUTES, type SpanAttributes } from "@/lib/base/telemetry/catalogue";
import type { Telemetry } from "@/lib/base/telemetry/hub";
import type { CallerSpan } from "@/lib/base/telemetry/read-traceparent";

// Enough for some thousand requests a second while a collector is slow. Beyond that, spans are dropped.
const BATCHES = { maxQueueSize: 16_384, scheduledDelayMillis: 2_000 };

/**
 * Creates spans of requests and their parts, exported in batches.
 *
 * @param ratio the share of traces that are exported, 0 to 1
 * @param processor receives ended spans; the collector by default, tests collect them
 */
export function tracerFor(
  resource: Resource,
  ratio: number,
  processor: SpanProcessor = new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...BATCHES }),
): Pick<Telemetry, "inSpan" | "traceId" | "stop"> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor] });
  const tracer = provider.getTracer("halcyon");
  return {
    async inSpan(name, attributes, work, caller) {
      const kind = name.includes(" /") ? SpanKind.SERVER : SpanKind.INTERNAL;
      const parent = caller ? under(caller) : context.active();
      const span = tracer.startSpan(name, { kind, attributes: listed(attributes) }, parent);
      try {
        return await context.with(trace.setSpan(parent, span), () =>
          work({ set: (more) => span.setAttributes(listed(more)) }),
        );
      } catch (error) {
        span.setAttributes({ "error.type": errorType(error) });
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    stop: () => provider.shutdown(),
  };
}

function under({ traceId, spanId, sampled }: CallerSpan): Context {
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags, isRemote: true });
}

/** Returns an error's code, or its class if it has none. Messages may quote input. */
function errorType(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const code = (thrown as { code?: unknown }).code;
  return typeof code === "string" ? code : thrown.name;
}

function listed(attributes: SpanAttributes): Attributes {
  const kept: Attributes = {};
  for (const name of SPAN_ATTRIBUTES) {
    const value = attributes[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
