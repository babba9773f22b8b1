import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { ROOT, readConfig } from "@/scripts/stack/config";
import { endLeftovers } from "@/scripts/stack/processes";
import { Stack } from "@/scripts/stack/stack";
import { Halcyon } from "@/sdk/client";
import { startOtlpSink } from "@/test/services/otlp-sink";

/** An account that is ready to pay: its API key, and a client with its wallet. */
export interface Payer {
  apiKey: string;
  walletKey: Hex;
  client: Halcyon;
}

/**
 * Ports other than the product's defaults, so that the bench can run beside it. `HALCYON_BENCH_<name>` overrides each.
 */
const PORTS = {
  PORT: "3300",
  HALCYON_PG_PORT: "25433",
  HALCYON_RPC_PORT_46630: "28555",
  HALCYON_RPC_PORT_4663: "28556",
  HALCYON_METRICS_PORT: "9764",
};

/** The whole product on its own ports and data. Empty at the start and deleted at the end. */
export interface Product {
  url: string;
  payers(count: number): Promise<Payer[]>;
  /**
   * Returns the milliseconds of each exported span with a name, for requests whose caller traces them. Only when
   * started with `traced`.
   */
  spans(name: string): number[];
  stop(): Promise<void>;
}

/**
 * Starts the product for one run of the bench, without touching a running `npm start`.
 *
 * @param traced keeps the spans of requests that carry a sampled `traceparent`; other requests get slightly slower too
 */
export async function startProduct(say: (line: string) => void, { traced = false } = {}): Promise<Product> {
  const data = path.join(ROOT, ".halcyon-bench");
  await endLeftovers(data);
  rmSync(data, { recursive: true, force: true });
  const ports = Object.fromEntries(
    Object.entries(PORTS).map(([name, port]) => [name, process.env[`HALCYON_BENCH_${name}`] ?? port]),
  );
  Object.assign(process.env, ports, {
    HALCYON_DATA: data,
    // High enough that nothing is refused, but every tenth request still reads the shared bucket, as with real limits.
    RATE_LIMIT_PER_SECOND: "100000",
    RATE_LIMIT_ACCOUNT_PER_SECOND: "100000",
  });
  const exported = path.join(data, "otlp.jsonl");
  const sink = traced ? await startOtlpSink(exported) : undefined;
  if (sink) Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, OTEL_TRACES_SAMPLER_ARG: "0" });
  const stack = new Stack(readConfig(), say, (error) => {
    throw error;
  });
  await stack.start().catch(async (error) => {
    await stack.stop();
    throw error;
  });
  const url = `http://localhost:${ports.PORT}`;
  return {
    url,
    async payers(count) {
      const opened: Payer[] = [];
      for (let i = 0; i < count; i++) opened.push(await payer(url, `bench-${Date.now().toString(36)}-${i}`));
      return opened;
    },
    spans: (name) => spansIn(readFileSync(exported, "utf8"), name),
    async stop() {
      await stack.stop();
      await sink?.stop();
      for (const variable of ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_TRACES_SAMPLER_ARG"]) delete process.env[variable];
      rmSync(data, { recursive: true, force: true });
    },
  };
}

interface Exported {
  resourceSpans?: { scopeSpans: { spans: { name: string; startTimeUnixNano: string; endTimeUnixNano: string }[] }[] }[];
}

function spansIn(lines: string, name: string): number[] {
  return lines
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => (JSON.parse(line) as Exported).resourceSpans ?? [])
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .filter((span) => span.name === name)
    .map(({ startTimeUnixNano, endTimeUnixNano }) => Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6);
}

async function payer(url: string, handle: string): Promise<Payer> {
  const walletKey = generatePrivateKey();
  const client = new Halcyon({ url, walletKey });
  await client.account.create({ handle });
  await client.testHelpers.faucet({ amount: "1000000" });
  await client.balances.makeAvailable();
  const { api_key: apiKey } = await client.keys.create({ label: "bench" });
  return { apiKey, walletKey, client };
}
