import { existsSync, readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { ERROR_STATUS } from "@/lib/errors";
import { breakingChanges } from "@/lib/http/openapi/breaking-changes";
import type { Json, JsonObject } from "@/lib/http/openapi/types";
import { V1_ROUTES } from "@/lib/http/routes";
import { DOCUMENT, generateDocument, loadExamples, RELEASED } from "./load";

interface Content {
  schema: object;
  example?: Json;
  examples?: Record<string, { value?: Json; $ref?: string }>;
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: { name?: string; description?: string; $ref?: string }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description?: string; content?: Record<string, Content>; $ref?: string }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: { schemas: Record<string, Json>; responses: Record<string, { content: Record<string, Content> }> };
}

const text = await generateDocument();
const document = JSON.parse(text) as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const hooks = Object.values(document.webhooks).flatMap((methods) => Object.values(methods));

describe("the OpenAPI document", () => {
  it("is committed as the routes declare it (else: npm run openapi)", () => {
    expect(readFileSync(DOCUMENT, "utf8")).toBe(text);
  });

  it("is OpenAPI 3.1 by its official schema, with no reference that leads nowhere", async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toMatchObject({ valid: true });
    expect(validator.version).toBe("3.1");
    for (const [, pointer = ""] of text.matchAll(/"\$ref": "#([^"]*)"/g)) {
      const target = pointer
        .slice(1)
        .split("/")
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
      expect(target, pointer).toBeDefined();
    }
  });

  it("describes the operations the server lets through, and no others", () => {
    const described = Object.entries(document.paths).map(([path, methods]) => {
      return [path, Object.keys(methods).map((method) => method.toUpperCase())];
    });
    const sorted = (routes: Record<string, readonly string[]>) =>
      Object.entries(routes)
        .map(([path, methods]) => `${path} ${[...methods].sort()}`)
        .sort();
    expect(sorted(Object.fromEntries(described))).toEqual(sorted(V1_ROUTES));
  });

  it("names every operation once, under a chapter, in a few words", () => {
    const ids = [...operations, ...hooks].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const chapters = document.tags.map(({ name }) => name);
    for (const { operationId, tags, summary } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]{3,40}$/);
      expect(chapters).toEqual(expect.arrayContaining(tags));
      expect(summary, operationId).toMatch(/^[A-Z].{2,50}[^.]$/);
    }
    for (const chapter of chapters)
      expect(
        operations.some(({ tags }) => tags.includes(chapter)),
        chapter,
      ).toBe(true);
  });

  it("says of every parameter and every schema what it is", () => {
    for (const { operationId, parameters = [] } of operations) {
      for (const { name, description, $ref } of parameters) {
        expect($ref ?? description, `${operationId} ${name}`).toBeDefined();
      }
    }
    for (const [id, schema] of Object.entries(document.components.schemas)) {
      expect((schema as JsonObject).description, id).toBeDefined();
    }
  });

  it("has a recorded example of every operation, answer, request body and event (else: docs/examples/README.md)", () => {
    const contents = [...operations, ...hooks].flatMap(({ operationId, requestBody, responses }) => [
      ...Object.entries(responses).flatMap(([status, { content }]) => listed(`${operationId} ${status}`, content)),
      ...listed(`${operationId} body`, requestBody?.content),
    ]);
    // Bodies that may be left out, and are in the examples.
    const without = contents.filter(({ content }) => !content.example && !content.examples).map(({ name }) => name);
    expect(without).toEqual(["getBalances body", "approveHeldPayment body"]);
  });

  it("has a recorded example of every error code but internal, a fault of ours that no request asks for", () => {
    const codes = Object.keys(ERROR_STATUS).filter((code) => code !== "internal");
    expect(Object.keys(loadExamples().errors).sort()).toEqual(codes.sort());
  });

  it("has examples that satisfy their own schemas", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema(document, "api");
    const contents = [
      ...[...operations, ...hooks].flatMap(({ operationId, requestBody, responses }) => [
        ...Object.entries(responses).flatMap(([status, { content }]) => listed(`${operationId} ${status}`, content)),
        ...listed(`${operationId} body`, requestBody?.content),
      ]),
    ];
    let checked = 0;
    for (const { name, content } of contents) {
      const validate = ajv.compile(JSON.parse(JSON.stringify(content.schema).replaceAll('"#/', '"api#/')) as object);
      for (const value of [content.example, ...Object.values(content.examples ?? {}).map((one) => one.value)]) {
        if (value === undefined) continue;
        expect(validate(value), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(operations.length);
    const isError = ajv.getSchema("api#/components/schemas/Error");
    for (const [code, body] of Object.entries(loadExamples().errors)) {
      expect(isError?.(body), code).toBe(true);
    }
  });

  it("holds no secret and no address of the machine that recorded it", () => {
    expect(text.match(/whsec_[A-Za-z0-9+/=]{20,}/g)?.every((secret) => secret.includes("c2FtcGxl"))).toBe(true);
    expect(text).not.toMatch(/hc_(test|live)_[0-9A-Za-z]{20}/);
    expect(text).not.toMatch(/127\.0\.0\.1:\d|localhost:\d/);
  });

  it("breaks no program that was written for the released one", () => {
    expect(existsSync(RELEASED)).toBe(true);
    const released = JSON.parse(readFileSync(RELEASED, "utf8")) as JsonObject;
    expect(breakingChanges(released, JSON.parse(text) as JsonObject)).toEqual([]);
  });
});

function listed(name: string, contents: Record<string, Content> = {}): { name: string; content: Content }[] {
  return Object.values(contents).map((content) => ({ name, content }));
}
