import type { Meter } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import type { Resource } from "@opentelemetry/resources";
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { type GaugeName, type Labels, METRICS, type Metric, type MetricName } from "@/lib/base/telemetry/catalogue";
import { hub } from "@/lib/base/telemetry/hub";

type Record = (name: MetricName, value: number, labels: Labels) => void;

/** Creates the catalogue's instruments once for each exporter, because exporters differ in the suffixes of names. */
export async function meterFor(
  resource: Resource,
  { metrics, push }: { metrics?: { host: string; port: number }; push: boolean },
  onPortTaken: (error: unknown) => void,
): Promise<{ record: Record; stop: () => Promise<void> }> {
  const providers: MeterProvider[] = [];
  const records: Record[] = [];
  const exportBy = (reader: IMetricReader, nameOf: (name: MetricName, metric: Metric) => string) => {
    const provider = new MeterProvider({ resource, readers: [reader] });
    providers.push(provider);
    records.push(instruments(provider.getMeter("halcyon"), nameOf));
  };
  if (push) exportBy(new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() }), (name) => name);
  if (metrics) {
    const prometheus = new PrometheusExporter({ ...metrics, preventServerStart: true, withoutScopeInfo: true });
    // Prometheus wants the unit in the name; its exporter does not add it.
    exportBy(prometheus, (name, { unit }) => (unit === "s" ? `${name}.seconds` : name));
    await prometheus.startServer().catch(onPortTaken);
  }
  return {
    record(name, value, labels) {
      for (const record of records) record(name, value, labels);
    },
    async stop() {
      await Promise.allSettled(providers.map((provider) => provider.shutdown()));
    },
  };
}

function instruments(meter: Meter, nameOf: (name: MetricName, metric: Metric) => string): Record {
  const recorders = new Map<MetricName, (value: number, labels: Labels) => void>();
  for (const [key, metric] of Object.entries(METRICS) as [MetricName, Metric][]) {
    const { type, unit, description, labels: names, buckets } = metric;
    const name = nameOf(key, metric);
    const options = { unit, description };
    if (type === "counter") {
      const counter = meter.createCounter(name, options);
      recorders.set(key, (value, labels) => counter.add(value, listed(names, labels)));
    } else if (type === "histogram") {
      const advice = { explicitBucketBoundaries: [...(buckets ?? [])] };
      const histogram = meter.createHistogram(name, { ...options, advice });
      recorders.set(key, (value, labels) => histogram.record(value, listed(names, labels)));
    } else {
      meter.createObservableGauge(name, options).addCallback(async (result) => {
        for (const [value, labels] of await readGauge(key as GaugeName)) result.observe(value, listed(names, labels));
      });
    }
  }
  return (name, value, labels) => recorders.get(name)?.(value, labels);
}

/**
 * Reads a gauge. Returns no values if no one reads it in this process, or it can't be read now because, for example, a
 * node is down.
 */
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
