import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { idempotencyKeyOf } from "@/lib/http/reference/idempotency-key-of";
import type { Node } from "@/lib/http/reference/node";
import { readDocument } from "@/lib/http/reference/read-document";
import { type OperationReference, readReference } from "@/lib/http/reference/read-reference";
import { samplesOf } from "@/lib/http/reference/samples-of";
import { Halcyon } from "./client";

const document = await readDocument(path.resolve(import.meta.dirname, ".."), "https://pay.test");
const operations = readReference(document as Node).chapters.flatMap((chapter) => chapter.operations);

/** Requests the SDK sends differently from the API's contract, because fetch allows no body in a GET. */
const INSTEAD: Record<string, Pick<OperationReference, "method"> & { body: Node }> = {
  getBalances: { method: "POST", body: {} },
};

interface Received {
  method: string | undefined;
  url: string | undefined;
  idempotencyKey: string | string[] | undefined;
  body: Node;
}

const received: Received[] = [];
/** Records each request and returns the documented example for its method and path. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const { method, url, headers } = request;
  received.push({
    method,
    url,
    idempotencyKey: headers["idempotency-key"],
    body: text === "" ? null : JSON.parse(text),
  });
  const recorded = operations.find(
    (one) => one.method === method && one.example.path.split("?")[0] === url?.split("?")[0],
  );
  const example = recorded?.responses.find(({ status }) => status === 201) ?? recorded?.responses[0];
  const missing = { error: { code: "not_found", message: "Nothing was recorded.", request_id: "req_1", doc_url: "" } };
  response.writeHead(example?.status ?? 404, { "content-type": "application/json" });
  response.end(example?.status === 204 ? undefined : JSON.stringify(example?.example ?? missing));
});
let baseURL = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => received.splice(0));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const Program = Object.getPrototypeOf(async () => {}).constructor as new (
  ...text: string[]
) => (...values: unknown[]) => Promise<unknown>;

/**
 * Operations the SDK only runs as part of others: two need an encrypted body, one reports decrypted data, one is signed
 * with a home key.
 */
const PARTS = ["createPaymentRequest", "addPayoutRows", "reportRequestPayment", "planTransfer", "createTransferBatch"];

it.each(operations.filter(({ id }) => !PARTS.includes(id)).map((one) => [one.id, one] as const))(
  "the SDK's sample of %s sends the documented request",
  async (id, one) => {
    const { typescript } = samplesOf(one, baseURL);
    expect(typescript).toMatch(/^import \{ Halcyon \} from "@halcyon\/sdk";\n/);
    const [, ...code] = typescript.split("\n");
    const environment = { env: { HALCYON_API_KEY: `hc_test_${"0".repeat(43)}` } };
    const run = new Program("Halcyon", "process", "console", code.join("\n"));
    // The run may fail at later steps, such as enrolling an agent on the chain, which have no recorded responses.
    const failure = await run(Halcyon, environment, { log: () => {} }).catch((error: unknown) => error);
    const key = idempotencyKeyOf(one);
    const documented = {
      method: one.method,
      url: one.example.path,
      ...(key === undefined ? {} : { idempotencyKey: key }),
      body: one.example.body ?? expect.toSatisfy((body) => body === null || Object.keys(body).length === 0),
      ...INSTEAD[id],
    };
    const sent = received.find(({ url, method }) => url === documented.url && method === documented.method);
    expect(sent, `${typescript}\n${failure}`).toMatchObject(documented);
  },
);
