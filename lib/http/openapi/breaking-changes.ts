import type { Json, JsonObject } from "./types";

/**
 * Returns what a program written for the released document could miss in the present one: removed operations,
 * responses, required fields of responses, error codes and event types, and newly required fields of requests.
 */
export function breakingChanges(released: JsonObject, present: JsonObject): string[] {
  return [
    ...comparePaths("paths", released, present),
    ...comparePaths("webhooks", released, present),
    ...compareSchemas(released, present),
  ];
}

const at = (node: Json | undefined, key: string): Json | undefined =>
  typeof node === "object" && node !== null && !Array.isArray(node) ? node[key] : undefined;
const entries = (node: Json | undefined): [string, Json][] =>
  typeof node === "object" && node !== null && !Array.isArray(node) ? Object.entries(node) : [];
const texts = (node: Json | undefined): string[] => (Array.isArray(node) ? node.map(String) : []);

/** Returns the target of a node's `$ref` within its document. */
function resolve(document: JsonObject, node: Json | undefined): Json | undefined {
  const reference = at(node, "$ref");
  if (typeof reference !== "string") return node;
  return reference
    .slice(2)
    .split("/")
    .reduce<Json | undefined>((pointer, key) => at(pointer, key.replaceAll("~1", "/").replaceAll("~0", "~")), document);
}

function comparePaths(section: "paths" | "webhooks", released: JsonObject, present: JsonObject): string[] {
  return entries(released[section]).flatMap(([path, methods]) =>
    entries(methods).flatMap(([method, operation]) => {
      const now = at(at(present[section], path), method);
      const name = `${method.toUpperCase()} ${path}`;
      if (now === undefined) return [`${name} is gone`];
      if (at(operation, "operationId") !== at(now, "operationId")) return [`${name} has another operationId`];
      return [
        ...compareResponses(name, released, present, at(operation, "responses"), at(now, "responses")),
        ...compareParameters(name, released, present, operation, now),
      ];
    }),
  );
}

function compareResponses(
  name: string,
  released: JsonObject,
  present: JsonObject,
  before: Json | undefined,
  after: Json | undefined,
): string[] {
  return entries(before).flatMap(([status, response]) => {
    const now = resolve(present, at(after, status));
    if (now === undefined) return [`${name} no longer returns ${status}`];
    const then = resolve(released, response);
    const codes = texts(at(now, "x-error-codes"));
    const gone = texts(at(then, "x-error-codes")).filter((code) => !codes.includes(code));
    const schema = (response: Json | undefined) =>
      at(at(at(at(response, "content"), "application/json"), "schema"), "$ref");
    return [
      ...gone.map((code) => `${name} no longer returns ${status} ${code}`),
      ...(schema(then) === schema(now) ? [] : [`${name} returns ${status} with another schema`]),
    ];
  });
}

function compareParameters(
  name: string,
  released: JsonObject,
  present: JsonObject,
  before: Json,
  after: Json | undefined,
): string[] {
  const named = (document: JsonObject, operation: Json | undefined) => {
    const list = at(operation, "parameters");
    const parameters = Array.isArray(list) ? list.map((parameter) => resolve(document, parameter)) : [];
    return new Map(parameters.map((parameter) => [String(at(parameter, "name")), at(parameter, "required") === true]));
  };
  const [then, now] = [named(released, before), named(present, after)];
  return [
    ...[...then.keys()].filter((key) => !now.has(key)).map((key) => `${name} no longer takes ${key}`),
    ...[...now].flatMap(([key, required]) => (required && then.get(key) !== true ? [`${name} wants ${key}`] : [])),
  ];
}

/** Request schemas forbid unknown fields, so `additionalProperties` shows which schemas describe requests. */
function compareSchemas(released: JsonObject, present: JsonObject): string[] {
  const schemas = (document: JsonObject) => at(document.components, "schemas");
  return entries(schemas(released)).flatMap(([id, then]) => {
    const now = at(schemas(present), id);
    if (now === undefined) return [`the schema ${id} is gone`];
    return compareFields(id, then, now);
  });
}

function compareFields(pointer: string, then: Json | undefined, now: Json | undefined): string[] {
  const ofRequest = at(then, "additionalProperties") === false;
  const [before, after] = [texts(at(then, "required")), texts(at(now, "required"))];
  const fields = entries(at(then, "properties"));
  const missing = fields.flatMap(([field]) => (at(at(now, "properties"), field) === undefined ? [field] : []));
  return [
    ...missing.map((field) => `${pointer}.${field} is gone`),
    ...(ofRequest
      ? after.filter((field) => !before.includes(field)).map((field) => `${pointer}.${field} must be sent now`)
      : before
          .filter((field) => !after.includes(field) && !missing.includes(field))
          .map((field) => `${pointer}.${field} may be missing now`)),
    ...fields.flatMap(([field, schema]) => {
      const other = at(at(now, "properties"), field);
      return other === undefined ? [] : compareValues(`${pointer}.${field}`, schema, other, ofRequest);
    }),
  ];
}

function compareValues(pointer: string, then: Json, now: Json, ofRequest: boolean): string[] {
  const [before, after] = [texts(at(then, "enum")), texts(at(now, "enum"))];
  const kind = (schema: Json) => JSON.stringify(at(schema, "type") ?? at(schema, "$ref") ?? null);
  return [
    ...(kind(then) === kind(now) ? [] : [`${pointer} is of another type`]),
    ...(ofRequest
      ? before.filter((value) => !after.includes(value)).map((value) => `${pointer} refuses ${value}`)
      : []),
    ...compareFields(pointer, then, now),
    ...(at(then, "items") === undefined
      ? []
      : compareValues(`${pointer}[]`, at(then, "items") ?? null, at(now, "items") ?? null, ofRequest)),
  ];
}
