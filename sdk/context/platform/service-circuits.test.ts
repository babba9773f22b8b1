import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import manifest from "@/circuits/manifest.json";
import { honestInputs } from "@/circuits/test/honest-inputs";
import type { CircuitInput } from "@/lib/ledger/prepare/witness";
import { createInThreadProver } from "@/lib/prover/create-in-thread-prover";
import { boundedFetch } from "../../api/bounded-fetch";
import { Call } from "../../api/call";
import { ServiceTimeout } from "../../api/errors";
import { FileCircuits } from "./file-circuits";
import { serviceCircuits } from "./service-circuits";

const FILE = "transfer.vkey.json";
const real = readFileSync(join("circuits", "artifacts", FILE));
let asked: string[] = [];
/** What the service returns; the real file if undefined. */
let given: Buffer | undefined;
let directory: string;

const server = createServer((request, response) => {
  const { url = "" } = request;
  asked.push(url);
  const file = given ?? readFileSync(join("circuits", "artifacts", basename(url)));
  response.writeHead(file.length > 0 ? 200 : 404).end(file);
});
const circuits = (cache?: FileCircuits) =>
  serviceCircuits(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, fetch, cache);

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  given = undefined;
  directory = mkdtempSync(join(tmpdir(), "halcyon-circuits-"));
  return () => rmSync(directory, { recursive: true });
});

test("a circuit of the service is taken if it is the one this client was built with", async () => {
  expect(Buffer.from(await circuits().read(FILE)).equals(real)).toBe(true);
  expect(asked).toEqual([`/circuits/${FILE}`]);
});

test("a circuit that differs in one byte proves nothing and is not kept", async () => {
  given = Buffer.from(real);
  given[100] = (given[100] ?? 0) ^ 1;
  await expect(circuits(new FileCircuits(directory)).read(FILE)).rejects.toMatchObject({ code: "unavailable" });
  given = undefined;
  await circuits(new FileCircuits(directory)).read(FILE);
  expect(asked).toHaveLength(2);
});

test("a circuit is asked for once; what damaged it on this machine is noticed", async () => {
  await circuits(new FileCircuits(directory)).read(FILE);
  await circuits(new FileCircuits(directory)).read(FILE);
  expect(asked).toHaveLength(1);
  writeFileSync(join(directory, manifest.circuits.transfer.vkey), "damaged");
  expect(Buffer.from(await circuits(new FileCircuits(directory)).read(FILE)).equals(real)).toBe(true);
  expect(asked).toHaveLength(2);
});

test("a circuit from the folder proves like one from the service", async () => {
  const [input] = fc.sample(honestInputs.release, 1) as [CircuitInput];
  for (const times of [2, 0]) {
    asked = [];
    const { prove } = createInThreadProver(circuits(new FileCircuits(directory)));
    expect((await prove("release", input)).proof).toMatch(/^0x[0-9a-f]{512}$/);
    expect(asked).toHaveLength(times);
  }
});

test("a folder that cannot be written and a service without circuits are no crash", async () => {
  expect((await circuits(new FileCircuits("/dev/null/x")).read(FILE)).length).toBe(real.length);
  given = Buffer.alloc(0);
  await expect(circuits().read(FILE)).rejects.toMatchObject({ code: "unavailable" });
  await expect(circuits().read("../../manifest.json")).rejects.toMatchObject({ code: "internal" });
});

test("a circuit whose last byte never comes is not waited for longer than the client's timeout", async () => {
  const stalling: typeof fetch = async () => new Response(new ReadableStream({ start: (to) => to.enqueue(real) }));
  const source = serviceCircuits("http://127.0.0.1:1", boundedFetch(new Call({ timeout: 20 }), stalling));
  await expect(source.read(FILE)).rejects.toBeInstanceOf(ServiceTimeout);
});
