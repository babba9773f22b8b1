import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Auth, type DeclaredRoute, declarationOf, type RouteHandler } from "@/lib/http/declared-route";
import { Schemas } from "@/lib/http/openapi/schemas";
import { ROOT } from "../stack/config";

/** A JSON schema, as far as the fuzzer uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

export type Definitions = Readonly<Record<string, Schema>>;

/** An operation of the service. */
export interface FuzzOperation {
  method: string;
  /** Such as `/v1/transfers/{transfer_id}`. */
  path: string;
  /** Who may call it. `nextAuth` are next-auth's own routes, which take forms. */
  auth: Auth | "nextAuth";
  query: Readonly<Record<string, Schema>>;
  body?: Schema;
  definitions: Definitions;
  /** The declared success statuses; undefined if the status depends on the outcome. */
  success?: readonly number[];
}

/** An operation gets one more turn for this many leaves of its body, up to a maximum. */
const LEAVES_A_TURN = 6;
const MOST_TURNS = 9;

/**
 * Returns the operations in the order of requests: all of them before any is repeated, with more turns for those with
 * large bodies.
 */
export function turnsOf(operations: readonly FuzzOperation[]): FuzzOperation[] {
  const rounds = Array.from({ length: MOST_TURNS }, (_, round) =>
    operations.filter((operation) => round <= leavesOf(operation.body ?? {}, operation.definitions) / LEAVES_A_TURN),
  );
  return rounds.flat();
}

function leavesOf(schema: Schema, definitions: Definitions, depth = 0): number {
  if (depth > 6) return 0;
  const named = definitions[schema.$ref?.split("/").at(-1) ?? ""];
  const inner = named
    ? [named]
    : [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...Object.values(schema.properties ?? {})];
  if (schema.items) inner.push(schema.items);
  if (inner.length === 0) return 1;
  return inner.reduce((sum, part) => sum + leavesOf(part, definitions, depth + 1), 0);
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** next-auth's endpoints, including those that are closed. */
const NEXT_AUTH = ["csrf", "session", "signout", "callback/siwe", "providers", "_log", "signin", "error", "x"];

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Definitions };
}

interface DocumentedOperation {
  "x-session"?: true;
  parameters?: { name?: string; in?: string; schema?: Schema }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
}

/** Returns every operation: of /v1 from the OpenAPI document, of /api from the declarations of its routes. */
export async function loadOperations(): Promise<FuzzOperation[]> {
  return [...documented(), ...(await declared()), ...nextAuth()];
}

function documented(): FuzzOperation[] {
  const text = readFileSync(path.join(ROOT, "docs", "openapi.json"), "utf8");
  const { paths, components } = JSON.parse(text) as Document;
  return Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, "x-session": session }]) => ({
      method: method.toUpperCase(),
      path: at,
      auth: session ? (["key", "session"] as const) : "key",
      query: Object.fromEntries(
        parameters.flatMap(({ name, in: place, schema }) =>
          name && schema && place === "query" ? [[name, schema]] : [],
        ),
      ),
      body: requestBody?.content["application/json"].schema,
      definitions: components.schemas,
    })),
  );
}

async function declared(): Promise<FuzzOperation[]> {
  const app = path.join(ROOT, "app");
  const operations: FuzzOperation[] = [];
  for (const entry of readdirSync(path.join(app, "api"), { withFileTypes: true, recursive: true })) {
    if (entry.name !== "route.ts") continue;
    const at = `/${path.relative(app, entry.parentPath).split(path.sep).join("/")}`.replace(/\[(\w+)\]/g, "{$1}");
    const module = (await import(pathToFileURL(path.join(entry.parentPath, entry.name)).href)) as Partial<
      Record<(typeof METHODS)[number], RouteHandler>
    >;
    for (const method of METHODS) {
      const declaration = module[method] && declarationOf(module[method]);
      if (declaration) operations.push(operationFrom(method, at, declaration));
    }
  }
  return operations;
}

function operationFrom(
  method: string,
  at: string,
  { auth, body, query, status, responses }: DeclaredRoute,
): FuzzOperation {
  const schemas = new Schemas();
  const described = body && (schemas.of(body, "input") as Schema);
  const asked = query ? ((schemas.of(query, "input") as Schema).properties ?? {}) : {};
  const success = responses
    ? Object.keys(responses).map(Number)
    : typeof status === "function"
      ? undefined
      : [status ?? 200];
  return {
    method,
    path: at,
    auth,
    query: asked,
    body: described,
    definitions: schemas.components() as Definitions,
    success,
  };
}

function nextAuth(): FuzzOperation[] {
  const field: Schema = { type: "string" };
  const query = { callbackUrl: field, error: field, csrf: field };
  return NEXT_AUTH.flatMap((name) =>
    ["GET", "POST"].map((method) => ({
      method,
      path: `/api/auth/${name}`,
      auth: "nextAuth" as const,
      query,
      body: {
        type: "object",
        properties: { csrfToken: field, message: field, signature: field, json: field, callbackUrl: field },
      },
      definitions: {},
    })),
  );
}
