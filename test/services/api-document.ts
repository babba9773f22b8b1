import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/*
 * Compares every /v1 response that a test sees with the OpenAPI document that the product serves: its status, each
 * field of its body, its error code and its headers. Fields that the document does not name are refused too.
 */

interface Response {
  content?: Record<string, { schema: object }>;
  headers?: Record<string, unknown>;
  "x-error-codes"?: string[];
}

export interface ApiOperation {
  operationId: string;
  responses: Record<string, { $ref?: string } & Response>;
}

interface Document {
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks: Record<string, unknown>;
  components: { responses: Record<string, Response>; schemas: Record<string, Schema> };
}

interface Schema {
  type?: unknown;
  enum?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
}

export interface SeenAnswer {
  method: string;
  /** Path and query. */
  target: string;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** The errors that the thin server in front returns for requests to no operation. */
const OF_NO_OPERATION = ["not_found", "method_not_allowed", "invalid_request"];

/** The served document, compiled to check responses. */
export class ApiDocument {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly patterns: { expression: RegExp; path: string }[];

  private constructor(readonly document: Document) {
    addFormats(this.ajv);
    closeAnswers(document);
    this.ajv.addSchema(document, "api");
    this.patterns = Object.keys(document.paths)
      // Fixed segments before parameters.
      .sort((a, b) => (a.replaceAll("{", "~") < b.replaceAll("{", "~") ? -1 : 1))
      .map((path) => ({ expression: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), path }));
  }

  static async load(baseURL: string): Promise<ApiDocument> {
    const reply = await fetch(`${baseURL}/openapi.json`);
    if (reply.status !== 200) throw new Error(`/openapi.json answered ${reply.status}`);
    return new ApiDocument((await reply.json()) as Document);
  }

  /** Reads the document of the repository, which the product serves. */
  static ofRepository(): ApiDocument {
    return new ApiDocument(JSON.parse(readFileSync("docs/openapi.json", "utf8")) as Document);
  }

  /** Returns the operation of a request, or undefined. */
  find(method: string, target: string): ApiOperation | undefined {
    const path = this.patterns.find(({ expression }) => expression.test(target.split("?", 1)[0] ?? ""))?.path;
    return path === undefined ? undefined : this.document.paths[path]?.[method.toLowerCase()];
  }

  /** Returns what is wrong with a response according to the document; empty if nothing is. */
  faults(reply: SeenAnswer): string[] {
    const { method, target, status, headers, text } = reply;
    if (headers["x-request-id"] === undefined) return ["X-Request-Id is missing"];
    // A HEAD response omits the body of the GET.
    if (method === "HEAD") return [];
    const operation = this.find(method, target);
    const documented = operation?.responses[status];
    if (!documented) {
      if (operation) return [`${operation.operationId} does not document ${status}`];
      return this.errorFaults(text, OF_NO_OPERATION);
    }
    const response = documented.$ref ? this.responseAt(documented.$ref) : documented;
    const codes = response["x-error-codes"];
    if (codes) return this.errorFaults(text, codes);
    if (!response.content) return text === "" ? [] : ["a body where none is documented"];
    if (!String(headers["content-type"]).startsWith("application/json")) return ["the body is not JSON"];
    const pointer = `${pointerTo(this.document, operation as ApiOperation)}/responses/${status}/content/application~1json/schema`;
    return this.bodyFaults(pointer, JSON.parse(text));
  }

  /** Returns what is wrong with the body of a webhook delivery. */
  eventFaults(type: string, body: unknown): string[] {
    if (!(type in this.document.webhooks)) return [`${type} is not documented`];
    return this.bodyFaults(`/webhooks/${type}/post/requestBody/content/application~1json/schema`, body);
  }

  private errorFaults(text: string, codes: readonly string[]): string[] {
    const body = JSON.parse(text) as { error?: { code?: string } };
    const faults = this.bodyFaults("/components/schemas/Error", body);
    if (faults.length > 0) return faults;
    const code = body.error?.code ?? "";
    return codes.includes(code) ? [] : [`the code ${code} is not documented here (${codes.join(", ")})`];
  }

  private bodyFaults(pointer: string, body: unknown): string[] {
    let validate = this.validators.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `api#${encodeURI(pointer)}` });
      this.validators.set(pointer, validate);
    }
    if (validate(body)) return [];
    // Reports only the place and the rule: values may be secrets.
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      return `${instancePath || "/"} ${message} ${JSON.stringify(params)}`;
    });
  }

  private responseAt(reference: string): Response {
    const response = this.document.components.responses[reference.split("/").at(-1) ?? ""];
    if (!response) throw new Error(`${reference} leads nowhere`);
    return response;
  }
}

const loaded = new Map<string, Promise<ApiDocument>>();

/** Returns the document of a product, fetched once per process. */
export function documentOf(baseURL: string): Promise<ApiDocument> {
  const document = loaded.get(baseURL) ?? ApiDocument.load(baseURL);
  loaded.set(baseURL, document);
  document.catch(() => loaded.delete(baseURL));
  return document;
}

function pointerTo({ paths }: Document, operation: ApiOperation): string {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, candidate] of Object.entries(methods)) {
      if (candidate === operation) return `/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`;
    }
  }
  throw new Error(`${operation.operationId} is not in the document`);
}

/** Forbids unknown fields. Clients of the API must accept new fields, but these tests must not. */
function closeAnswers(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  const schema = node as Schema;
  if (schema.type === "object" && schema.properties && schema.additionalProperties === undefined) {
    schema.additionalProperties = false;
  }
  for (const inner of Object.values(node)) closeAnswers(inner);
}
