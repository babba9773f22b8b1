import { readFileSync } from "node:fs";
import { expect, productURL, settled, test } from "./fixtures";
import { raw } from "./http";

const port = Number(process.env.HALCYON_METRICS_PORT ?? Number(new URL(productURL).port) + 6_464);
const web = `http://127.0.0.1:${port}`;
const worker = `http://127.0.0.1:${port + 1}`;

async function scrape(process: string): Promise<string> {
  const response = await fetch(`${process}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  return response.text();
}

/** Returns the sum of all series of a metric whose labels include these. */
function total(text: string, metric: string, labels: Record<string, string> = {}): number {
  const wanted = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${metric}{`) && wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf("}") + 1).trim()), 0);
}

const counted = (text: string, labels: Record<string, string>) =>
  total(text, "http_server_request_duration_seconds_count", labels);

test("requests are counted by route pattern, method, status and error code, never by their address", async ({
  alice,
}) => {
  const missing = {
    http_route: "/v1/transfers/{transfer_id}",
    http_response_status_code: "404",
    error_type: "not_found",
  };
  const before = counted(await scrape(web), missing);
  const id = `tr_${Date.now().toString(36).toUpperCase().padStart(26, "0")}`;
  for (let i = 0; i < 3; i++) expect((await alice.call("GET", `/v1/transfers/${id}`)).status).toBe(404);
  await expect.poll(async () => counted(await scrape(web), missing)).toBeGreaterThanOrEqual(before + 3);
  expect(await scrape(web)).not.toContain(id);
});

test("paths and methods no one has make no series of their own", async () => {
  const name = `nowhere-${Date.now()}`;
  await raw(productURL, `/nobody/${name}`);
  await raw(productURL, `/v1/${name}`);
  await raw(productURL, "/v1/transfers", { method: "MKCOL" });
  await expect.poll(async () => counted(await scrape(web), { http_route: "unmatched" })).toBeGreaterThanOrEqual(2);
  const text = await scrape(web);
  expect(counted(text, { http_request_method: "_OTHER", http_route: "/v1/transfers" })).toBeGreaterThanOrEqual(1);
  expect(text).not.toContain(name);
  expect(text).not.toContain("MKCOL");
});

test("a payment is counted as accepted where it was taken and as confirmed where it settled", async ({
  alice,
  bob,
}) => {
  const of = async (process: string, outcome: string) =>
    total(await scrape(process), "halcyon_payments_total", { outcome });
  const before = [await of(web, "accepted"), await of(web, "refused"), await of(worker, "confirmed")] as const;
  const sent = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1.25" });
  expect(sent.status).toBe(201);
  const refused = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "99999999" });
  expect(refused.status).toBe(402);
  expect(await settled(alice, sent.json.transfer_id as string)).toMatchObject({ status: "confirmed" });
  expect(await of(web, "accepted")).toBeGreaterThanOrEqual(before[0] + 1);
  expect(await of(web, "refused")).toBeGreaterThanOrEqual(before[1] + 1);
  await expect.poll(() => of(worker, "confirmed")).toBeGreaterThanOrEqual(before[2] + 1);
});

test("proving time, waiting time and queue are there once something was proven", async ({ alice, bob }) => {
  expect((await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" })).status).toBe(201);
  const text = await scrape(web);
  const proofs = { circuit: "transfer", kind: "prove", outcome: "done" };
  expect(total(text, "halcyon_proof_duration_seconds_count", proofs)).toBeGreaterThanOrEqual(1);
  expect(total(text, "halcyon_proof_duration_seconds_sum", proofs)).toBeGreaterThan(0);
  expect(
    total(text, "halcyon_proof_wait_seconds_count", { circuit: "transfer", kind: "prove" }),
  ).toBeGreaterThanOrEqual(1);
  expect(text).toContain('halcyon_prover_jobs{state="waiting"}');
});

test("the worker reports operations, index, relayers and deliveries on both chains", async () => {
  // A chain that responds too late for one scrape is in the next one.
  await expect(async () => {
    const text = await scrape(worker);
    for (const chain of ["46630", "4663"]) {
      expect(text).toContain(`halcyon_operations_pending{chain="${chain}",kind="transfer"}`);
      expect(text).toContain(`halcyon_operations_oldest_seconds{chain="${chain}"}`);
      expect(text).toContain(`halcyon_index_lag_blocks{chain="${chain}"}`);
      expect(text).toContain(`halcyon_index_halted{chain="${chain}"} 0`);
      expect(text).toContain(`halcyon_chain_final_age_seconds{chain="${chain}"}`);
      for (const relayer of ["0", "1", "2", "3"]) {
        expect(total(text, "halcyon_relayer_balance", { chain, relayer })).toBeGreaterThan(1);
      }
    }
    expect(text).toContain('halcyon_webhook_waiting{state="due"}');
  }).toPass();
});

test("metrics are on a port of their own, not on the public one", async () => {
  expect((await raw(productURL, "/metrics")).status).toBe(404);
  expect((await fetch(`${web}/v1/transfers`)).status).toBe(404);
});

test("a payment is one trace: request, proof, signature and broadcast; its response's id finds it", async ({
  alice,
  bob,
}) => {
  const file = process.env.HALCYON_OTLP_FILE;
  if (!file) throw new Error("HALCYON_OTLP_FILE is not set: run this through npm test");
  const sent = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" });
  expect(sent.status).toBe(201);
  const requestId = sent.headers["x-request-id"] as string;
  const namesOf = () => {
    const spans = readSpans(file);
    const request = spans.find((span) => textOf(span, "halcyon.request_id") === requestId);
    return spans.filter(({ traceId }) => traceId === request?.traceId).map(({ name }) => name);
  };
  await expect
    .poll(namesOf)
    .toEqual(expect.arrayContaining(["POST /v1/transfers", "prove", "verify", "sign", "broadcast"]));
  const settledIn = () =>
    readSpans(file).some(({ name, attributes }) => name === "settle" && JSON.stringify(attributes).includes(txHash));
  const { tx_hash: txHash } = (await settled(alice, sent.json.transfer_id as string)) as { tx_hash: string };
  await expect.poll(settledIn).toBe(true);
});

interface ExportedSpan {
  traceId: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}

const textOf = ({ attributes }: ExportedSpan, key: string) =>
  attributes.find((one) => one.key === key)?.value.stringValue;

function readSpans(file: string): ExportedSpan[] {
  return (
    readFileSync(file, "utf8")
      .split("\n")
      // The last line may be only half written.
      .slice(0, -1)
      .filter((line) => line.startsWith('{"resourceSpans"'))
      .flatMap((line) => JSON.parse(line).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans as ExportedSpan[])
  );
}
