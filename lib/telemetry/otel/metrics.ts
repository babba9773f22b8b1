import type { Meter } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import type { Resource } from "@opentelemetry/resources";
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { type GaugeName, type Labels, METRICS, type Metric, type MetricName } from "../catalogue";
import { hub } from "../hub";

type Record = (name: MetricName, value: number, labels: Labels) => void;

/** The instruments of the catalogue, and what reads them. */
export async function meterFor(
  resource: Resource,
  { metrics, push }: { metrics?: { host: string; port: number }; push: boolean },
  onPortTaken: (error: unknown) => void,
): Promise<{ record: Record; stop: () => Promise<void> }> {
  const readers: IMetricReader[] = [];
  let prometheus: PrometheusExporter | undefined;
  if (metrics) {
    prometheus = new PrometheusExporter({ ...metrics, preventServerStart: true, withoutScopeInfo: true });
    readers.push(prometheus);
  }
  if (push) readers.push(new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() }));
  const provider = new MeterProvider({ resource, readers });
  const record = instruments(provider.getMeter("halcyon"));
  await prometheus?.startServer().catch(onPortTaken);
  return { record, stop: () => provider.shutdown() };
}

function instruments(meter: Meter): Record {
  const recorders = new Map<MetricName, (value: number, labels: Labels) => void>();
  for (const [key, metric] of Object.entries(METRICS) as [MetricName, Metric][]) {
    const { type, unit, description, labels: names, buckets } = metric;
    const options = { unit, description };
    if (type === "counter") {
      const counter = meter.createCounter(key, options);
      recorders.set(key, (value, labels) => counter.add(value, listed(names, labels)));
    } else if (type === "histogram") {
      const advice = { explicitBucketBoundaries: [...(buckets ?? [])] };
      const histogram = meter.createHistogram(key, { ...options, advice });
      recorders.set(key, (value, labels) => histogram.record(value, listed(names, labels)));
    } else {
      meter.createObservableGauge(key, options).addCallback(async (result) => {
        for (const [value, labels] of await readGauge(key as GaugeName)) result.observe(value, listed(names, labels));
      });
    }
  }
  return (name, value, labels) => recorders.get(name)?.(value, labels);
}

/** A gauge nobody reads here, or that cannot be read now (a chain is away), has no value. */
async function readGauge(name: GaugeName): Promise<[number, Labels][]> {
  try {
    return (await hub().gauges.get(name)?.()) ?? [];
  } catch {
    return [];
  }
}

function listed(names: readonly string[], labels: Labels): { [name: string]: string | number } {
  const given = labels as { [name: string]: string | number | undefined };
  const kept: { [name: string]: string | number } = {};
  for (const name of names) {
    const value = given[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
