/**
 * Every metric of the service, with the labels each may have. Labels are kinds, never accounts, keys, amounts or caller
 * input. Their values come from short lists, so that no time series describes a single payment.
 */
export const METRICS = {
  "http.server.request.duration": {
    type: "histogram",
    unit: "s",
    description: "Requests by route pattern and status, and how long they took.",
    labels: ["http.request.method", "http.route", "http.response.status_code", "error.type"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  "halcyon.requests.in_flight": {
    type: "gauge",
    unit: "",
    description: "Requests of this process whose responses have not begun; streams and probes are not counted.",
    labels: [],
  },
  "halcyon.requests.shed": {
    type: "counter",
    unit: "",
    description: "Requests refused with 503 because the process had too many: public ones first, live payments last.",
    labels: ["priority"],
  },
  "halcyon.rate_limit.refusals": {
    type: "counter",
    unit: "",
    description: "Requests refused with 429, by limit.",
    labels: ["policy"],
  },
  "halcyon.payments": {
    type: "counter",
    unit: "",
    description: "Payments by outcome: accepted, held, refused (with its error code), confirmed, failed.",
    labels: ["outcome", "code"],
  },
  "halcyon.proof.duration": {
    type: "histogram",
    unit: "s",
    description: "Making or verifying a proof, without the time it waited.",
    labels: ["circuit", "kind", "outcome"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5],
  },
  "halcyon.proof.wait": {
    type: "histogram",
    unit: "s",
    description: "Waiting for a proving thread.",
    labels: ["circuit", "kind"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  "halcyon.prover.jobs": {
    type: "gauge",
    unit: "",
    description: "Proofs under way in this process: waiting or running.",
    labels: ["state"],
  },
  "halcyon.database.connections": {
    type: "gauge",
    unit: "",
    description: "Connections of this process's pool: in use, or waited for.",
    labels: ["state"],
  },
  "halcyon.operations.pending": {
    type: "gauge",
    unit: "",
    description: "Operations that are not settled.",
    labels: ["chain", "kind"],
  },
  "halcyon.operations.oldest": {
    type: "gauge",
    unit: "s",
    description: "Age of the oldest operation that is not settled; 0 without one.",
    labels: ["chain"],
  },
  "halcyon.reconcile.mismatches": {
    type: "gauge",
    unit: "",
    description: "Payments that differ from the chain and are not repaired, by how they differ.",
    labels: ["chain", "kind"],
  },
  "halcyon.reconcile.repairs": {
    type: "counter",
    unit: "",
    description: "Payments that differed from the chain and were repaired, by how they differed.",
    labels: ["kind"],
  },
  "halcyon.index.lag": {
    type: "gauge",
    unit: "s",
    description: "Time between the newest final block and the newest indexed one.",
    labels: ["chain"],
  },
  "halcyon.index.lag_blocks": {
    type: "gauge",
    unit: "",
    description: "Final blocks that are not indexed.",
    labels: ["chain"],
  },
  "halcyon.index.halted": {
    type: "gauge",
    unit: "",
    description: "1 when a final block left the chain and a person has to look.",
    labels: ["chain"],
  },
  "halcyon.chain.final_age": {
    type: "gauge",
    unit: "s",
    description: "Age of the chain's newest final block: how long a payment that is mined now takes to be confirmed.",
    labels: ["chain"],
  },
  "halcyon.worker.heartbeat_age": {
    type: "gauge",
    unit: "s",
    description: "Time since this worker last recorded a heartbeat; nothing before its first.",
    labels: [],
  },
  "halcyon.relayer.balance": {
    type: "gauge",
    unit: "",
    description: "Ether a relayer has left for gas. The service's own, and public on chain.",
    labels: ["chain", "relayer"],
  },
  "halcyon.relayer.foreign": {
    type: "counter",
    unit: "",
    description:
      "Nonces of a relayer that were used by a transaction which the service did not sign: someone has its key.",
    labels: ["chain"],
  },
  "halcyon.audit.anchor_age": {
    type: "gauge",
    unit: "s",
    description: "Age of the newest anchor of the audit log that is on chain; there is one a day.",
    labels: ["chain"],
  },
  "halcyon.database.months_ahead": {
    type: "gauge",
    unit: "",
    description: "Months to come that have partitions of their own; below zero, rows of several go into one.",
    labels: ["table"],
  },
  "halcyon.database.archive_age": {
    type: "gauge",
    unit: "s",
    description: "Time since PostgreSQL last archived a piece of its log; nothing while it archives none.",
    labels: [],
  },
  "halcyon.webhook.deliveries": {
    type: "counter",
    unit: "",
    description: "Attempts to deliver an event, by how they ended.",
    labels: ["outcome", "trigger"],
  },
  "halcyon.webhook.delivery.duration": {
    type: "histogram",
    unit: "s",
    description: "How long endpoints took to respond.",
    labels: ["outcome"],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  },
  "halcyon.webhook.waiting": {
    type: "gauge",
    unit: "",
    description: "Deliveries to be attempted: due now, or later.",
    labels: ["state"],
  },
  "halcyon.tampering": {
    type: "counter",
    unit: "",
    description: "Rows that differ from what is signed or on chain, by what they hold. Look into anything but 0.",
    labels: ["record"],
  },
  "halcyon.job.failures": {
    type: "counter",
    unit: "",
    description: "Steps and timed work of the worker that failed and are tried again.",
    labels: ["job"],
  },
} as const satisfies Record<string, Metric>;

/** How one metric is measured. Durations are in seconds. */
export interface Metric {
  type: "counter" | "histogram" | "gauge";
  unit: "s" | "";
  description: string;
  labels: readonly string[];
  buckets?: readonly number[];
}

type Catalogue = typeof METRICS;
export type MetricName = keyof Catalogue;
type OfType<T extends Metric["type"]> = {
  [N in MetricName]: Catalogue[N]["type"] extends T ? N : never;
}[MetricName];
export type CounterName = OfType<"counter">;
export type HistogramName = OfType<"histogram">;
export type GaugeName = OfType<"gauge">;

/** The labels of a metric. Labels that don't apply are left out. */
export type Labels<N extends MetricName = MetricName> = { [L in Catalogue[N]["labels"][number]]?: string | number };

/** The attributes that a span may have. No others are ever exported. */
export const SPAN_ATTRIBUTES = [
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "error.type",
  "halcyon.request_id",
  "halcyon.circuit",
  "halcyon.chain_id",
  "halcyon.tx_hash",
  "halcyon.tx_hashes",
] as const;

export type SpanAttributes = { [A in (typeof SPAN_ATTRIBUTES)[number]]?: string | number | string[] };

/** Names of spans. A request's span is named by its method and route. */
export type SpanName = "prove" | "verify" | "sign" | "broadcast" | "settle" | `${string} /${string}`;
