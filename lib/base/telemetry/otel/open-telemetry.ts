import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import type { Telemetry } from "@/lib/base/telemetry/hub";
import { meterFor } from "./meter-for";

interface TelemetrySettings {
  role: "web" | "worker";
  /** Where `/metrics` is served for Prometheus. */
  metrics?: { host: string; port: number };
  /** Set if there is a collector. `traceRatio` is the share of requests that are traced, 0 to 1. */
  otlp?: { traceRatio: number };
}

/**
 * Starts the OpenTelemetry SDK behind the hub. Metrics are pulled from `/metrics` and, with a collector, pushed to it;
 * traces are pushed. The SDK's exporters read the standard variables themselves (OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS
 * …). Nothing is registered as the global provider: Next.js would then trace by itself, with complete URLs.
 *
 * @param onPortTaken called when `/metrics` cannot be served
 */
export async function openTelemetry(
  { role, metrics, otlp }: TelemetrySettings,
  onPortTaken: (error: unknown) => void,
): Promise<Telemetry> {
  const resource = resourceFromAttributes({ "service.name": `halcyon-${role}` }).merge(
    detectResources({ detectors: [envDetector] }),
  );
  const meter = await meterFor(resource, { metrics, push: otlp !== undefined }, onPortTaken);
  const tracer = otlp && (await import("./tracer-for")).tracerFor(resource, otlp.traceRatio);
  return {
    record: meter.record,
    inSpan: tracer?.inSpan ?? ((_name, _attributes, work) => work({ set: () => {} })),
    traceId: () => tracer?.traceId(),
    async stop() {
      await Promise.allSettled([meter.stop(), tracer?.stop()]);
    },
  };
}
