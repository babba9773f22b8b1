import type { z } from "zod";
import { ID_PREFIX, type IdKind } from "@/lib/base/ids";
import { type DeclaredRoute, takesCaller } from "@/lib/http/declared-route";
import { errorsOf, refToResponse } from "./errors";
import type { Schemas } from "./schemas";
import type { Json, JsonObject } from "./types";

/** A route handler's declaration, its path and its method. */
export interface Operation {
  /** Such as `/v1/transfers/{transfer_id}`. */
  path: string;
  /** In upper case. */
  method: string;
  declared: DeclaredRoute;
}

/** What each path parameter identifies. */
const PATH_IDS: Readonly<Record<string, { kind: IdKind; description: string }>> = {
  account_id: { kind: "account", description: "Id of the agent's account." },
  event_id: { kind: "event", description: "Id of the event." },
  payment_request_id: { kind: "paymentRequest", description: "Id of the payment request." },
  payout_id: { kind: "payout", description: "Id of the payout." },
  transaction_id: { kind: "transaction", description: "Id of the payment that needs approval." },
  transfer_id: { kind: "transfer", description: "Id of the transfer." },
  schedule_id: { kind: "schedule", description: "Id of the schedule." },
  run_id: { kind: "scheduleRun", description: "Id of the run." },
  webhook_id: { kind: "webhook", description: "Id of the subscription." },
};

const STATUS_TEXT: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 202: "Accepted", 204: "No content" };

/**
 * Describes an operation.
 *
 * @throws Error for a route that lacks documentation or responses
 */
export function describeOperation(operation: Operation, schemas: Schemas): JsonObject {
  const { path, method, declared } = operation;
  const { docs, responses, status } = declared;
  if (!docs || !responses) throw new Error(`${method} ${path} declares no docs or no responses`);
  if (!declared.scope) throw new Error(`${method} ${path} declares no scope: keys that are narrowed never reach it`);
  if (typeof status === "number") throw new Error(`${method} ${path} writes its status twice: the responses have it`);
  return {
    operationId: docs.operationId,
    tags: [docs.tag],
    summary: docs.summary,
    ...(docs.description === undefined ? {} : { description: docs.description }),
    "x-key-scope": declared.scope,
    "x-agent-keys": declared.agentKeys ?? "key_forbidden",
    ...(takesCaller(declared.auth, "session") ? { "x-session": true } : {}),
    ...withParameters(operation, schemas),
    ...requestBody(declared, schemas),
    responses: {
      ...successes(declared, schemas),
      ...Object.fromEntries(
        [...errorsOf(operation)].map(([code, codes]) => [code, { $ref: refToResponse(code, codes) }]),
      ),
    },
  };
}

function withParameters({ path, declared }: Operation, schemas: Schemas): JsonObject {
  const parameters = [
    ...pathParameters(path),
    ...(declared.query ? queryParameters(declared.query, schemas) : []),
    ...(declared.idempotent ? [{ $ref: "#/components/parameters/Idempotency-Key" }] : []),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

function pathParameters(path: string): JsonObject[] {
  return path.split("/").flatMap((segment) => {
    const name = /^\{(.*)\}$/.exec(segment)?.[1];
    if (name === undefined) return [];
    const id = PATH_IDS[name];
    if (!id) throw new Error(`nothing is known of {${name}} in ${path}`);
    return [
      {
        name,
        in: "path",
        required: true,
        description: id.description,
        schema: { type: "string", pattern: `^${ID_PREFIX[id.kind]}[0-7][0-9A-HJKMNP-TV-Z]{25}$` },
      },
    ];
  });
}

function queryParameters(query: z.ZodType, schemas: Schemas): JsonObject[] {
  const { properties = {}, required = [] } = schemas.of(query, "query") as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    if (description === undefined) throw new Error(`the query parameter ${name} has no description`);
    return { name, in: "query", required: required.includes(name), description, schema };
  });
}

function requestBody({ docs, body }: DeclaredRoute, schemas: Schemas): JsonObject {
  if (!body) return {};
  const schema = schemas.of(body, "input") as JsonObject;
  const content = { "application/json": { schema: docs?.deprecatedBody ? { ...schema, deprecated: true } : schema } };
  return {
    requestBody: {
      ...(docs?.deprecatedBody ? { description: docs.deprecatedBody } : {}),
      required: !body.safeParse(undefined).success,
      content,
    },
  };
}

const COMMON_HEADERS = ["X-Request-Id", "RateLimit-Policy", "RateLimit"];

function successes({ responses = {}, idempotent }: DeclaredRoute, schemas: Schemas) {
  const headers = [...COMMON_HEADERS, ...(idempotent ? ["Idempotent-Replayed"] : [])];
  return Object.fromEntries(
    Object.entries(responses).map(([status, schema]): [string, JsonObject] => {
      const description = schema?.meta()?.description ?? STATUS_TEXT[Number(status)];
      if (description === undefined) throw new Error(`a response ${status} has no description`);
      const content: Record<string, Json> | undefined = schema ? { schema: schemas.of(schema, "output") } : undefined;
      return [
        status,
        {
          description,
          headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
          ...(content ? { content: { "application/json": content } } : {}),
        },
      ];
    }),
  );
}
