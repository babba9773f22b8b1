import { execFile } from "node:child_process";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ERROR_STATUS } from "@/lib/base/errors";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import { idempotencyKeyOf } from "./idempotency-key-of";
import type { Node } from "./node";
import { readDocument } from "./read-document";
import { type OperationReference, readReference } from "./read-reference";
import { type Samples, samplesOf } from "./samples-of";

const document = (await readDocument(path.resolve(import.meta.dirname, "../../.."), "https://pay.test")) as Node;
const reference = readReference(document);
const operations = reference.chapters.flatMap((chapter) => chapter.operations);
const operation = (id: string): OperationReference => {
  const found = operations.find((one) => one.id === id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
};

describe("the reference", () => {
  it("has every operation of the document in one chapter, every event and every error code", () => {
    const { paths } = document as { paths: Record<string, object> };
    const written = Object.entries(paths).flatMap(([route, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${route}`),
    );
    expect(operations.map((one) => `${one.method} ${one.path}`).sort()).toEqual(written.sort());
    expect(reference.events.map(({ type }) => type)).toEqual([...EVENT_TYPES]);
    expect(Object.fromEntries(reference.errors.map(({ code, status }) => [code, status]))).toEqual(ERROR_STATUS);
  });

  it("shows a field's type, whether it is there, its values and its default", () => {
    const { body, responses, errors, parameters } = operation("createTransfer");
    const field = (name: string) => body?.fields.find((one) => one.name === name);
    expect(field("to")).toMatchObject({ type: "string", required: false });
    expect(field("asset")).toMatchObject({ values: ["USDG", "ETH"], required: false });
    expect(field("client_signed")).toMatchObject({ type: "SignedPayment", required: false });
    expect(field("client_signed")?.fields.find(({ name }) => name === "kind")).toMatchObject({
      required: true,
      values: ["transfer", "release", "spend", "spend_public", "fund"],
    });
    expect(responses.map(({ status }) => status)).toEqual([200, 201, 202]);
    expect(responses[1]?.fields.find(({ name }) => name === "confirmed_at")?.type).toBe("string or null");
    expect(errors.find(({ status }) => status === 402)?.codes).toEqual(["insufficient_balance"]);
    expect(parameters.map(({ name }) => name)).toEqual(["dry_run", "Idempotency-Key"]);
    const list = operation("listTransfers");
    expect(list.responses[0]?.fields[0]).toMatchObject({ name: "transfers", type: "list of Transfer" });
    expect(list.responses[0]?.fields[0]?.fields[0]?.name).toBe("transfer_id");
  });

  it("shows the values and ranges of parameters and fields", () => {
    const parameter = (id: string, name: string) => operation(id).parameters.find((one) => one.name === name);
    expect(parameter("listTransfers", "status")?.values).toEqual(["pending", "confirmed", "failed"]);
    expect(parameter("listAuditEntries", "actor")?.values).toEqual(["key", "session", "agent", "system"]);
    expect(parameter("listDeliveries", "event")?.values).toEqual([...EVENT_TYPES]);
    expect(parameter("listTransfers", "limit")).toMatchObject({ range: "1 to 100", default: 20 });
    expect(parameter("listTransfers", "offset")?.range).toMatch(/^0 to/);
    expect(operation("simulateSpendPolicy").body?.fields.find(({ name }) => name === "payments")?.range).toBe(
      "1 to 100 entries",
    );
  });

  it("shows the request that returned each response, with its query", () => {
    const { responses, example } = operation("createTransfer");
    expect(example.path).toBe("/v1/transfers");
    expect(responses.find(({ status }) => status === 200)?.request?.path).toBe("/v1/transfers?dry_run=true");
    expect(operation("proveBalances").example.body).toHaveProperty("decryption_proof");
    for (const { id, example: shown, responses: all } of operations) {
      for (const { request } of all) expect(request, id).toBeDefined();
      const limit = new URLSearchParams(shown.path.split("?")[1]).get("limit");
      const [first] = all;
      const returned = (first?.example as { limit?: number } | undefined)?.limit;
      if (returned !== undefined) expect(returned, id).toBe(Number(limit ?? 20));
    }
  });

  it("shows the fields of events in their documented order", () => {
    for (const { type, fields, example } of reference.events) {
      const shown = Object.keys(example as object);
      expect(shown, type).toEqual(fields.flatMap(({ name }) => (shown.includes(name) ? [name] : [])));
    }
  });

  it("names the headers of every operation's responses", () => {
    for (const { id, headers, parameters } of operations) {
      const names = headers.map(({ name }) => name);
      expect(names, id).toEqual(expect.arrayContaining(["X-Request-Id", "RateLimit-Policy", "RateLimit"]));
      const repeatable = parameters.some(({ name }) => name === "Idempotency-Key");
      expect(names.includes("Idempotent-Replayed"), id).toBe(repeatable);
      for (const { description } of headers) expect(description).toMatch(/\w/);
    }
  });

  it("shows a real request and response of every operation, with no id left open", () => {
    for (const { id, example, responses } of operations) {
      expect(example.path, id).not.toMatch(/[{}]/);
      for (const { status, example: shown } of responses) expect(shown !== undefined, id).toBe(status !== 204);
    }
  });
});

const run = promisify(execFile);
/** TypeScript samples use the SDK: sdk/reference-samples.test.ts. */
const LANGUAGES: Record<
  Exclude<keyof Samples, "typescript">,
  (code: string, env: NodeJS.ProcessEnv) => Promise<unknown>
> = {
  curl: (code, env) => run("sh", ["-e", "-c", code.replaceAll("curl ", "curl -sS ")], { env }),
  python: (code, env) => run("python3", ["-c", code], { env }),
};

describe("every sample sends the documented request", () => {
  const received: { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: Buffer.concat(chunks).toString("utf8") });
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  let baseURL = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => received.splice(0));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[])("in %s", async (language) => {
    const samples = operations.map((one) => samplesOf(one, baseURL)[language]);
    // One process runs all of them, in order.
    await LANGUAGES[language](samples.join("\n"), { ...process.env, HALCYON_API_KEY: "hc_test_sample" });
    const expected = operations.map((one) => ({
      method: one.method,
      url: one.example.path,
      key: "Bearer hc_test_sample",
      idempotencyKey: idempotencyKeyOf(one),
      type: one.example.body === undefined ? undefined : "application/json",
      body: one.example.body ?? null,
    }));
    const sent = received.map(({ method, url, headers, body }) => ({
      method,
      url,
      key: headers.authorization,
      idempotencyKey: headers["idempotency-key"],
      type: body === "" ? undefined : headers["content-type"],
      body: body === "" ? null : JSON.parse(body),
    }));
    expect(sent).toEqual(expected);
  });

  it("with an Idempotency-Key of its own where it changes something and can be repeated", () => {
    // A plan only reads, for keys that pay, and the payments of a batch have a key each.
    const reads = ({ id, scope }: (typeof operations)[number]) =>
      scope === "read" || id === "planTransfer" || id === "createTransferBatch";
    const changing = operations.filter((one) => one.method === "POST" && !reads(one));
    const keys = changing.map(idempotencyKeyOf);
    expect(keys).toEqual(changing.map(() => expect.stringMatching(/^[a-z]+-[\w-]+$/)));
    expect(new Set(keys).size).toBe(keys.length);
    expect(operations.filter((one) => one.method !== "POST").map(idempotencyKeyOf)).not.toContainEqual(
      expect.any(String),
    );
  });
});
