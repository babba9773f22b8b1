import type { Telemetry } from "@/lib/telemetry/hub";
import { hub } from "@/lib/telemetry/hub";

/** Collects what this process reports as tampering (`halcyon.tampering`), by the kind of record, until `stop`. */
export function collectAlarms(): { heard: string[]; stop(): void } {
  const heard: string[] = [];
  const telemetry: Telemetry = {
    record: (name, _value, { record }: { record?: string | number }) => {
      if (name === "halcyon.tampering") heard.push(String(record));
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
