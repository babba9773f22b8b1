import type { CounterName, Labels } from "@/lib/base/telemetry/catalogue";
import type { Telemetry } from "@/lib/base/telemetry/hub";
import { hub } from "@/lib/base/telemetry/hub";

/** Collects what this process reports as tampering (`halcyon.tampering`), by the kind of record, until `stop`. */
export function collectAlarms(): { heard: string[]; stop(): void } {
  return collectCounts("halcyon.tampering", "record");
}

/** Collects the values of a counter's label, one for each time that this process counts, until `stop`. */
export function collectCounts<N extends CounterName>(
  counter: N,
  label: keyof Labels<N> & string,
): { heard: string[]; stop(): void } {
  const heard: string[] = [];
  const telemetry: Telemetry = {
    record: (name, _value, labels: Record<string, string | number>) => {
      if (name === counter) heard.push(String(labels[label]));
    },
    inSpan: (_name, _attributes, work) => work({ set: () => {} }),
    traceId: () => undefined,
    stop: async () => {},
  };
  hub().telemetry = telemetry;
  return {
    heard,
    stop: () => {
      hub().telemetry = undefined;
    },
  };
}
