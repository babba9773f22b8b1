import type { SpanAttributes, SpanName } from "./catalogue";
import { hub, type OpenSpan } from "./hub";
import type { CallerSpan } from "./read-traceparent";

const NOWHERE: OpenSpan = { set: () => {} };

/**
 * Runs `work` inside a span, a child of the current one. If it throws, the span records the error's code or class,
 * never its message. Costs nothing unless OTEL_EXPORTER_OTLP_ENDPOINT is set.
 *
 * @param caller a span of another system to use as the parent instead of the current span
 */
export function inSpan<T>(
  name: SpanName,
  attributes: SpanAttributes,
  work: (span: OpenSpan) => Promise<T>,
  caller?: CallerSpan,
): Promise<T> {
  const { telemetry } = hub();
  return telemetry ? telemetry.inSpan(name, attributes, work, caller) : work(NOWHERE);
}
