import type { SpanAttributes, SpanName } from "./catalogue";
import { hub, type OpenSpan } from "./hub";

const NOWHERE: OpenSpan = { set: () => {} };

/**
 * Runs `work` inside a span, a child of the one under way. When it throws, the span says so by the error's code or
 * class, never by its message. Costs nothing unless OTEL_EXPORTER_OTLP_ENDPOINT is set.
 */
export function inSpan<T>(
  name: SpanName,
  attributes: SpanAttributes,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const { telemetry } = hub();
  return telemetry ? telemetry.inSpan(name, attributes, work) : work(NOWHERE);
}
