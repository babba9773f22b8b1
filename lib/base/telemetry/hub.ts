import type { GaugeName, Labels, MetricName, SpanAttributes, SpanName } from "./catalogue";
import type { CallerSpan } from "./read-traceparent";

/** One value of a gauge, with its labels. */
export type Reading = [value: number, labels: Labels];

/** A span that has not ended. */
export interface OpenSpan {
  /** Adds attributes that become known late. */
  set(attributes: SpanAttributes): void;
}

/** What a process's exporters offer to the code that measures. */
export interface Telemetry {
  record(name: MetricName, value: number, labels: Labels): void;
  inSpan<T>(
    name: SpanName,
    attributes: SpanAttributes,
    work: (span: OpenSpan) => Promise<T>,
    caller?: CallerSpan,
  ): Promise<T>;
  /**
   * Returns the trace id of the current span, 32 hex digits; undefined outside of a span, or when nothing is traced.
   */
  traceId(): string | undefined;
  /** Exports what is still pending, and stops. */
  stop(): Promise<void>;
}

interface Hub {
  /** Absent while nothing is exported, so that measuring costs almost nothing. */
  telemetry?: Telemetry;
  gauges: Map<GaugeName, () => Reading[] | Promise<Reading[]>>;
}

// Next.js bundles routes separately, so a module variable would give one hub per bundle. A global gives one per
// process.
const shared = globalThis as typeof globalThis & { halcyonTelemetry?: Hub };

/** Returns the process's hub, which connects the code that measures with the exporters. */
export function hub(): Hub {
  shared.halcyonTelemetry ??= { gauges: new Map() };
  return shared.halcyonTelemetry;
}
