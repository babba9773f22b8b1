import type { z } from "zod";
import type { DeclaredRoute } from "@/lib/http/declared-route";
import { ID_PREFIX, type IdKind } from "@/lib/ids";
import { errorsOf, refToResponse } from "./errors";
import type { Schemas } from "./schemas";
import type { Json, JsonObject, Recorded, RecordedExample } from "./types";

/** A route handler's declaration and where it answers. */
export interface Operation {
  /** `/v1/transfers/{transfer_id}` */
  path: string;
  /** Upper case. */
  method: string;
  declared: DeclaredRoute;
}

/** What each name in a path identifies. */
const PATH_IDS: Readonly<Record<string, { kind: IdKind; description: string }>> = {
  account_id: { kind: "account", description: "Id of the agent's account." },
  event_id: { kind: "event", description: "Id of the event." },
  transaction_id: { kind: "transaction", description: "Id of the payment that needs approval." },
  transfer_id: { kind: "transfer", description: "Id of the transfer." },
  webhook_id: { kind: "webhook", description: "Id of the subscription." },
};

const STATUS_TEXT: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 202: "Accepted", 204: "No content" };

/** Describes an operation. @throws for a route that says too little about itself */
export function describeOperation(operation: Operation, schemas: Schemas, recorded: Recorded): JsonObject {
  const { path, method, declared } = operation;
  const { docs, answers, status } = declared;
  if (!docs || !answers) throw new Error(`${method} ${path} declares no docs or no responses`);
  if (!declared.scope) throw new Error(`${method} ${path} declares no scope: keys that are narrowed never reach it`);
  if (typeof status === "number") throw new Error(`${method} ${path} writes its status twice: the responses have it`);
  const examples = recorded.operations[docs.operationId] ?? [];
  return {
    operationId: docs.operationId,
    tags: [docs.tag],
    summary: docs.summary,
    ...(docs.description === undefined ? {} : { description: docs.description }),
    "x-key-scope": declared.scope,
    "x-agent-keys": declared.agentKeys ?? "key_forbidden",
    ...withParameters(operation, schemas, examples),
    ...(declared.body ? { requestBody: requestBody(declared.body, schemas, examples) } : {}),
    responses: {
      ...successes(declared, schemas, examples),
      ...Object.fromEntries(
        [...errorsOf(path, declared)].map(([code, codes]) => [code, { $ref: refToResponse(code, codes) }]),
      ),
    },
  };
}

function withParameters(
  { path, declared }: Operation,
  schemas: Schemas,
  examples: readonly RecordedExample[],
): JsonObject {
  const parameters = [
    ...pathParameters(path, examples[0]),
    ...(declared.query ? queryParameters(declared.query, schemas) : []),
    ...(declared.idempotent ? [{ $ref: "#/components/parameters/Idempotency-Key" }] : []),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

function pathParameters(path: string, example: RecordedExample | undefined): JsonObject[] {
  const values = (example?.request.path.split("?")[0] ?? "").split("/");
  return path.split("/").flatMap((segment, at) => {
    const name = /^\{(.*)\}$/.exec(segment)?.[1];
    if (name === undefined) return [];
    const id = PATH_IDS[name];
    if (!id) throw new Error(`nothing is known of {${name}} in ${path}`);
    const value = values[at];
    return [
      {
        name,
        in: "path",
        required: true,
        description: id.description,
        schema: { type: "string", pattern: `^${ID_PREFIX[id.kind]}[0-7][0-9A-HJKMNP-TV-Z]{25}$` },
        ...(value === undefined ? {} : { example: value }),
      },
    ];
  });
}

function queryParameters(query: z.ZodType, schemas: Schemas): JsonObject[] {
  const { properties = {}, required = [] } = schemas.of(query, "input") as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    if (description === undefined) throw new Error(`the query parameter ${name} has no description`);
    return { name, in: "query", required: required.includes(name), description, schema };
  });
}

function requestBody(body: z.ZodType, schemas: Schemas, examples: readonly RecordedExample[]): JsonObject {
  const sent = examples.flatMap(({ request, status }): [string, JsonObject][] =>
    request.body === undefined ? [] : [[String(status), { value: request.body }]],
  );
  const content: JsonObject = { schema: schemas.of(body, "input") };
  if (sent.length > 0) content.examples = Object.fromEntries(sent);
  return { required: !body.safeParse(undefined).success, content: { "application/json": content } };
}

const COMMON_HEADERS = ["X-Request-Id", "RateLimit-Policy", "RateLimit"];

function successes(
  { answers = {}, idempotent }: DeclaredRoute,
  schemas: Schemas,
  examples: readonly RecordedExample[],
) {
  const headers = [...COMMON_HEADERS, ...(idempotent ? ["Idempotent-Replayed"] : [])];
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]): [string, JsonObject] => {
      const example = examples.find((candidate) => candidate.status === Number(status));
      const description = schema?.meta()?.description ?? STATUS_TEXT[Number(status)];
      if (description === undefined) throw new Error(`a response ${status} has no description`);
      const content: Record<string, Json> | undefined = schema ? { schema: schemas.of(schema, "output") } : undefined;
      if (content && example?.body !== undefined) content.example = example.body;
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
