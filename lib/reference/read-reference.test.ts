import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ERROR_STATUS } from "@/lib/errors";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import type { Node } from "./node";
import { type OperationReference, readReference } from "./read-reference";
import { type Samples, samplesOf } from "./samples-of";

const document = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../../public/openapi.json"), "utf8"),
) as Node;
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
    const written = Object.entries(paths).flatMap(([place, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${place}`),
    );
    expect(operations.map((one) => `${one.method} ${one.path}`).sort()).toEqual(written.sort());
    expect(reference.events.map(({ type }) => type)).toEqual([...EVENT_TYPES]);
    expect(Object.fromEntries(reference.errors.map(({ code, status }) => [code, status]))).toEqual(ERROR_STATUS);
  });

  it("tells of a field its type, whether it is there, its values and its default", () => {
    const { body, answers, errors, parameters } = operation("createTransfer");
    const field = (name: string) => body?.fields.find((one) => one.name === name);
    expect(field("to")).toMatchObject({ type: "string", required: true });
    expect(field("asset")).toMatchObject({ values: ["USDG", "ETH"], default: "USDG", required: false });
    expect(field("prepared")).toMatchObject({ type: "PreparedPayment", required: false });
    expect(field("prepared")?.fields.find(({ name }) => name === "kind")).toMatchObject({
      required: true,
      values: ["transfer", "release", "fund"],
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 202]);
    expect(answers[1]?.fields.find(({ name }) => name === "confirmed_at")?.type).toBe("string or null");
    expect(errors.find(({ status }) => status === 402)?.codes).toEqual(["insufficient_balance"]);
    expect(parameters.map(({ name }) => name)).toEqual(["dry_run", "Idempotency-Key"]);
    const list = operation("listTransfers");
    expect(list.answers[0]?.fields[0]).toMatchObject({ name: "transfers", type: "list of Transfer" });
    expect(list.answers[0]?.fields[0]?.fields[0]?.name).toBe("transfer_id");
  });

  it("shows a real request and answer of every operation, with no id left open", () => {
    for (const { id, example, answers } of operations) {
      expect(example.path, id).not.toMatch(/[{}]/);
      for (const { status, example: shown } of answers) expect(shown !== undefined, id).toBe(status !== 204);
    }
  });
});

const run = promisify(execFile);
const LANGUAGES: Record<keyof Samples, (code: string, env: NodeJS.ProcessEnv) => Promise<unknown>> = {
  curl: (code, env) => run("sh", ["-e", "-c", code.replaceAll("curl ", "curl -sS ")], { env }),
  typescript: (code, env) => run(process.execPath, ["--input-type=module", "-e", code], { env }),
  python: (code, env) => run("python3", ["-c", code], { env }),
};

describe("every sample sends the documented request", () => {
  const received: { method?: string; url?: string; key?: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method, url, headers } = request;
    received.push({ method, url, key: headers.authorization, body: Buffer.concat(chunks).toString("utf8") });
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  let baseURL = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => received.splice(0));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each(Object.keys(LANGUAGES) as (keyof Samples)[])("in %s", async (language) => {
    const samples = operations.map((one) => samplesOf(one, baseURL)[language]);
    // One process for all: blocks of their own, in their order.
    const code = samples.map((sample) => (language === "typescript" ? `{\n${sample}\n}` : sample)).join("\n");
    await LANGUAGES[language](code, { ...process.env, HALCYON_API_KEY: "hc_test_sample" });
    const expected = operations.map(({ method, example }) => ({
      method,
      url: example.path,
      key: "Bearer hc_test_sample",
      body: example.body ?? null,
    }));
    expect(received.map(({ body, ...rest }) => ({ ...rest, body: body === "" ? null : JSON.parse(body) }))).toEqual(
      expected,
    );
  });
});
