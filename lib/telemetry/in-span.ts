import type { SpanAttributes, SpanName } from "./catalogue";
import { hub, type OpenSpan } from "./hub";
import type { CallerSpan } from "./read-traceparent";

const NOWHERE: OpenSpan = { set: () => {} };

/**
 * Runs `work` inside a span, a child of the one under way. When it throws, the span says so by the error's code or
 * class, never by its message. Costs nothing unless OTEL_EXPORTER_OTLP_ENDPOINT is set.
 *
 * @param caller the span of another system under which this one goes, instead of the one under way
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
