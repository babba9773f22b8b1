import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { ERROR_STATUS } from "@/lib/base/errors";
import type { Json, JsonObject } from "@/lib/http/openapi/types";
import { readDocument, readExamples } from "@/lib/http/reference/read-document";
import { methodsOf, SESSION_ROUTES } from "@/lib/http/routes";
import { DOCUMENT, generateDocument, ROOT, SESSION_DOCUMENT, sessionDocument } from "./load";

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
  components: {
    schemas: Record<string, Json>;
    responses: Record<string, { content: Record<string, Content> }>;
    parameters: Record<string, unknown>;
    headers: Record<string, unknown>;
  };
}

const ORIGIN = "https://pay.test";
const text = await generateDocument();
const examples = await readExamples(ROOT);
// The document as a service serves it.
const document = (await readDocument(ROOT, ORIGIN)) as unknown as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const hooks = Object.values(document.webhooks).flatMap((methods) => Object.values(methods));

describe("the OpenAPI document", () => {
  it("is committed as the routes declare it (else: npm run openapi)", () => {
    expect(readFileSync(DOCUMENT, "utf8")).toBe(text);
  });

  it("is right about the operations that take a session in docs/session-api.md too (else: npm run openapi)", async () => {
    expect(readFileSync(SESSION_DOCUMENT, "utf8")).toBe(await sessionDocument());
  });

  it("has beside it, in docs/session-api.md, every other path that takes a session, with its methods", () => {
    const named = [
      ...readFileSync(SESSION_DOCUMENT, "utf8").matchAll(/((?:`[A-Z]+`, )*)`([A-Z]+) (\/api\/[^`?\s]+)`/g),
    ];
    const described = named.flatMap(([, others = "", last = "", at = ""]) => {
      return [...others.matchAll(/[A-Z]+/g), [last]].map(([method]) => ({ method: method ?? "", at }));
    });
    const served = ({ method, at }: { method: string; at: string }) => methodsOf(at)?.includes(method);
    expect(described.filter((one) => !served(one))).toEqual([]);
    const texts = new Set(described.map(({ method, at }) => `${method} ${at.replace(/\{\w+\}/g, "{}")}`));
    const all = Object.entries(SESSION_ROUTES).flatMap(([at, methods]) => methods.map((method) => `${method} ${at}`));
    expect(all.filter((one) => !texts.has(one.replace(/\{\w+\}/g, "{}")))).toEqual([
      // next-auth's, described by what they are for.
      "GET /api/auth/*",
      "POST /api/auth/*",
    ]);
  });

  it("names a contact by an absolute address, and holds no component that nothing uses", () => {
    expect((document as unknown as { info: object }).info).toMatchObject({ contact: { url: `${ORIGIN}/docs` } });
    const all = JSON.stringify(document);
    for (const [kind, components] of Object.entries(document.components)) {
      // The examples of errors are also those of their pages.
      if (kind === "securitySchemes" || kind === "examples") continue;
      const unused = Object.keys(components).filter((name) => !all.includes(`"#/components/${kind}/${name}"`));
      expect(unused, kind).toEqual([]);
    }
  });

  it("is OpenAPI 3.1 by its official schema, with no reference that leads nowhere", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document) as unknown as JsonObject)).toMatchObject({ valid: true });
    expect(validator.version).toBe("3.1");
    for (const [, pointer = ""] of JSON.stringify(document).matchAll(/"\$ref":"#([^"]*)"/g)) {
      const target = pointer
        .slice(1)
        .split("/")
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
      expect(target, pointer).toBeDefined();
    }
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

  it("describes every operation, parameter, header, schema and field, however deep", () => {
    const { schemas, responses, parameters, headers } = document.components;
    const named = (kind: string, things: Record<string, unknown>) =>
      Object.entries(things).map(([id, thing]): [string, unknown] => [`${kind} ${id}`, thing]);
    const undescribed = [
      ...operations.flatMap((one) => missing(one.operationId, one)),
      ...operations.flatMap(({ operationId, parameters: own = [] }) =>
        own.flatMap((one) => (one.$ref ? [] : missing(`${operationId} ${one.name}`, one))),
      ),
      ...[
        ...named("schema", schemas),
        ...named("response", responses),
        ...named("parameter", parameters),
        ...named("header", headers),
      ].flatMap(([id, thing]) => missing(id, thing)),
      ...operations.flatMap((one) => undescribedFields(one.operationId, one)),
      ...hooks.flatMap((one) => [...missing(one.operationId, one), ...undescribedFields(one.operationId, one)]),
      ...Object.entries(schemas).flatMap(([id, schema]) => undescribedFields(id, schema)),
    ];
    expect(undescribed).toEqual([]);
  });

  it("has no default in a request's body: code generators make such fields required", () => {
    const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    const references = bodies.flatMap(({ schema }) => [
      ...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g),
    ]);
    const sent = references.map(([, id = ""]) => [id, document.components.schemas[id] as JsonObject] as const);
    expect(sent.length).toBeGreaterThan(5);
    for (const [id, schema] of sent) expect(JSON.stringify(schema), id).not.toContain('"default":');
    const { required, properties } = document.components.schemas.CreateTransfer as {
      required?: string[];
      properties: Record<string, { description: string }>;
    };
    expect(required).toBeUndefined();
    expect(properties.asset?.description).toContain("Defaults to `USDG`.");
    expect(properties.confidential?.description).toContain("Defaults to `true`.");
  });

  it("has a recorded example of every operation, response, request body and event (else: docs/examples/README.md)", () => {
    const contents = [...operations, ...hooks].flatMap(({ operationId, requestBody, responses }) => [
      ...Object.entries(responses).flatMap(([status, { content }]) => listed(`${operationId} ${status}`, content)),
      ...listed(`${operationId} body`, requestBody?.content),
    ]);
    // Bodies that are optional, and left out in the examples.
    const without = contents.filter(({ content }) => !content.example && !content.examples).map(({ name }) => name);
    expect(without).toEqual([
      "getBalances body",
      "approveHeldPayment body",
      "pauseAgent body",
      "resumeAgent body",
      "resumePayout body",
      "planScheduleRuns body",
    ]);
  });

  it("has a recorded example of every error code but internal, a fault of ours that no request asks for", () => {
    const codes = Object.keys(ERROR_STATUS).filter((code) => code !== "internal");
    expect(Object.keys(examples.errors).sort()).toEqual(codes.sort());
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
    for (const [code, body] of Object.entries(examples.errors)) {
      expect(isError?.(body), code).toBe(true);
    }
  });

  it("holds no secret and no address of the machine that recorded it", () => {
    const served = JSON.stringify(document);
    expect(served.match(/whsec_[A-Za-z0-9+/=]{20,}/g)?.every((secret) => secret.includes("c2FtcGxl"))).toBe(true);
    expect(served).not.toMatch(/hc_(test|live)_[0-9A-Za-z]{20}/);
    expect(served).not.toMatch(/127\.0\.0\.1:\d|localhost:\d/);
  });

  it("keeps each example once", () => {
    expect(text).not.toMatch(/"examples?": \{|"example": "tr_/);
  });

  it("names the service by its own address, and the page of each error", () => {
    const { servers, "x-errors": errors } = document as unknown as {
      servers: unknown;
      "x-errors": Record<string, { doc_url: string }>;
    };
    expect(servers).toEqual([{ url: ORIGIN, description: expect.stringMatching(/\w/) }]);
    for (const [code, { doc_url }] of Object.entries(errors)) expect(doc_url).toBe(`${ORIGIN}/docs/errors/${code}`);
    expect(JSON.stringify(document)).not.toContain('"doc_url":"/');
  });

  it("links from its texts to pages of the service, never to files of the repository", () => {
    const links = [...JSON.stringify(document).matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href);
    expect(links).toContain(`${ORIGIN}/docs/policies#set-spending-limits`);
    expect(links.filter((href) => !/^https?:/.test(href ?? ""))).toEqual([]);
  });

  it("marks the body of a GET as deprecated: few clients can send one", () => {
    const getters = Object.values(document.paths).flatMap(({ get }) => (get?.requestBody ? [get] : []));
    expect(getters.map(({ operationId }) => operationId)).toEqual(["getBalances"]);
    expect(JSON.stringify(getters[0]?.requestBody)).toMatch(/"deprecated":true/);
  });
});

function listed(name: string, contents: Record<string, Content> = {}): { name: string; content: Content }[] {
  return Object.values(contents).map((content) => ({ name, content }));
}

/** Returns the name if the thing has no description. */
function missing(name: string, thing: unknown): string[] {
  const { description } = thing as { description?: string };
  return description === undefined || description.trim() === "" ? [name] : [];
}

/** Returns every field below a node that has no description and no reference to something that has. */
function undescribedFields(name: string, node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { properties = {} } = node as { properties?: Record<string, { $ref?: string; const?: unknown }> };
  return [
    ...Object.entries(properties).flatMap(([field, schema]) =>
      schema.$ref ? [] : missing(`${name}.${field}`, schema),
    ),
    ...Object.entries(node).flatMap(([key, inner]) =>
      key.startsWith("example") ? [] : undescribedFields(name, inner),
    ),
  ];
}
