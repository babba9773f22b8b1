import { EVENTS } from "@/lib/events/payloads";
import { TAGS } from "@/lib/http/documentation";
import { describeOperation, type Operation } from "./describe-operation";
import { describeErrors, ErrorSchema, errorResponses } from "./errors";
import { Schemas } from "./schemas";
import type { JsonObject } from "./types";

interface DocumentParts {
  version: string;
  operations: readonly Operation[];
  /** Descriptions of error codes, by code (docs/errors.md). */
  errors: ReadonlyMap<string, string>;
}

const DESCRIPTION = `Confidential payments: amounts are encrypted on chain, and only their owners can decrypt them. No response and no event contains an amount, except balances that you prove.

All bodies are JSON, and all times ISO 8601 in UTC. Every response has \`X-Request-Id\`. Under \`/v1\`, fields can be added to responses; nothing is removed or changes its meaning. Unknown or repeated fields and query parameters in a request are errors.

Unknown paths return 404 \`not_found\`, other methods 405 \`method_not_allowed\` with \`Allow\`.`;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Returns the OpenAPI 3.1 document of the API without examples (lib/http/reference/add-examples.ts), always in the same
 * order: by path, then by method.
 */
export function describeApi({ version, operations, errors }: DocumentParts): JsonObject {
  const schemas = new Schemas();
  const paths: Record<string, JsonObject> = {};
  const rank = ({ path, method }: Operation) => `${path} ${METHODS.indexOf(method)}`;
  for (const operation of [...operations].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, schemas) };
  }
  const webhooks = describeWebhooks(schemas);
  schemas.of(ErrorSchema, "output");
  return {
    openapi: "3.1.1",
    info: {
      title: "Halcyon API",
      version,
      description: DESCRIPTION,
      contact: { name: "Documentation of Halcyon", url: "/docs" },
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: "/", description: "The Halcyon service that serves this document." }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key: `hc_test_…` for the test network, `hc_live_…` for the live network.",
        },
      },
      schemas: schemas.components(),
      responses: errorResponses(operations),
      parameters: PARAMETERS,
      headers: HEADERS,
    },
    "x-errors": describeErrors(errors),
  };
}

const PARAMETERS: JsonObject = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Makes the request safe to retry: the service stores a success for 24 hours and returns it again. Use 1 to 255 printable ASCII characters that name what you pay for, not a random value per attempt.",
    schema: { type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" },
  },
};

const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema });

const HEADERS: JsonObject = {
  "X-Request-Id": header("Identifies the request: quote it when you ask for help.", { type: "string" }),
  "RateLimit-Policy": header("Quota, and window in seconds, of the limit that counted the request.", {
    type: "string",
  }),
  RateLimit: header("What is left of the quota, and the seconds until the full quota is available again.", {
    type: "string",
  }),
  "Retry-After": header("Seconds to wait before you retry.", { type: "integer", minimum: 1 }),
  "Idempotent-Replayed": header(
    "`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.",
    { type: "string", const: "true" },
  ),
  "WWW-Authenticate": header("The authentication scheme: `Bearer`.", { type: "string" }),
};

const SIGNATURE_HEADERS: readonly (readonly [string, string])[] = [
  ["X-Service-Signature", "Lower-case hex HMAC-SHA256 of the raw body, keyed with the subscription's secret."],
  ["webhook-id", "Id of the event (Standard Webhooks)."],
  ["webhook-timestamp", "Unix time of the attempt (Standard Webhooks)."],
  ["webhook-signature", "`v1,` and a base64 signature (Standard Webhooks); several during a rotation."],
];

function describeWebhooks(schemas: Schemas): JsonObject {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, schema]): [string, JsonObject] => {
      return [
        type,
        {
          post: {
            operationId: schema.meta()?.id as string,
            tags: ["Webhooks"],
            summary: type,
            description: schema.meta()?.description ?? "",
            security: [],
            parameters: SIGNATURE_HEADERS.map(([name, description]) => {
              return { name, in: "header", required: true, description, schema: { type: "string" } };
            }),
            requestBody: { required: true, content: { "application/json": { schema: schemas.of(schema, "output") } } },
            responses: {
              "2XX": {
                description:
                  "Return any 2xx status. After any other response, Halcyon sends the event again, for up to 24 hours.",
              },
            },
          },
        },
      ];
    }),
  );
}
