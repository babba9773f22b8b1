import type { GaugeName, Labels, MetricName, SpanAttributes, SpanName } from "./catalogue";
import type { CallerSpan } from "./read-traceparent";

/** One value of a gauge, with its labels. */
export type Reading = [value: number, labels: Labels];

/** A span under way. */
export interface OpenSpan {
  /** Adds attributes that are known late. */
  set(attributes: SpanAttributes): void;
}

/** What the exporters of a process give to the code that measures. */
export interface Telemetry {
  record(name: MetricName, value: number, labels: Labels): void;
  inSpan<T>(
    name: SpanName,
    attributes: SpanAttributes,
    work: (span: OpenSpan) => Promise<T>,
    caller?: CallerSpan,
  ): Promise<T>;
  /** Of the span under way: 32 hex digits; undefined outside of one, or when nothing is traced. */
  traceId(): string | undefined;
  /** Hands over what is still to be exported. */
  stop(): Promise<void>;
}

interface Hub {
  /** Absent while nothing is exported: then measuring costs one look here. */
  telemetry?: Telemetry;
  gauges: Map<GaugeName, () => Reading[] | Promise<Reading[]>>;
}

// Next bundles routes separately: one hub per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonTelemetry?: Hub };

/** The process's place where what measures meets what exports. */
export function hub(): Hub {
  shared.halcyonTelemetry ??= { gauges: new Map() };
  return shared.halcyonTelemetry;
}
