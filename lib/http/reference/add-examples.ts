import { ERROR_STATUS, type ErrorCode } from "@/lib/base/errors";
import { at, type Node, type NodeObject, resolve } from "./node";
import type { Recorded, RecordedExample } from "./recorded";

interface Content {
  schema: Node;
  example?: Node;
  examples?: NodeObject;
}

interface Response {
  content?: Record<string, Content>;
  "x-error-codes"?: ErrorCode[];
  /** The request that `example` responds to. */
  "x-example-request"?: { path: string; body?: Node };
}

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; example?: Node }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response>; examples?: NodeObject };
}

/**
 * Returns a copy of the OpenAPI document with the requests, responses, events and errors that the API tests recorded.
 */
export function addExamples(bare: NodeObject, { operations, events, errors }: Recorded): NodeObject {
  const copy = structuredClone(bare);
  const document = copy as unknown as Document;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) {
      addToOperation(path, operation, operations[operation.operationId] ?? []);
    }
  }
  for (const [type, methods] of Object.entries(document.webhooks)) {
    const content = methods.post?.requestBody?.content["application/json"];
    const event = events[type];
    if (content && event !== undefined) content.example = inDeclaredOrder(resolve(bare, content.schema), event);
  }
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => errors[code] !== undefined);
  document.components.examples = Object.fromEntries(
    codes.map((code) => [code, { summary: code, value: errors[code] as Node }]),
  );
  for (const [name, response] of Object.entries(document.components.responses)) addToError(name, response, codes);
  return copy;
}

/** Sorts an event's fields into the documented order. The database stores them in its own. */
function inDeclaredOrder(schema: Node, event: Node): Node {
  if (typeof event !== "object" || event === null || Array.isArray(event)) return event;
  const names = Object.keys(at(schema, "properties") ?? {}).filter((name) => name in event);
  return { ...Object.fromEntries(names.map((name) => [name, event[name] as Node])), ...event };
}

function addToOperation(path: string, operation: Operation, recorded: readonly RecordedExample[]): void {
  const values = (recorded[0]?.request.path.split("?")[0] ?? "").split("/");
  const names = path.split("/");
  for (const parameter of operation.parameters ?? []) {
    const value = values[names.indexOf(`{${parameter.name}}`)];
    if (parameter.in === "path" && value !== undefined) parameter.example = value;
  }
  const sent = recorded.filter(({ request }) => request.body !== undefined);
  const body = operation.requestBody?.content["application/json"];
  if (body && sent.length > 0) {
    body.examples = Object.fromEntries(
      sent.map(({ status, request }) => [status, { summary: `Returns ${status}`, value: request.body as Node }]),
    );
  }
  for (const { status, request, body: returned } of recorded) {
    const response = operation.responses[status];
    if (!response) continue;
    response["x-example-request"] = request;
    const content = response.content?.["application/json"];
    if (content && returned !== undefined) content.example = returned;
  }
}

/** Adds to an error response a reference to the example of each of its codes. */
function addToError(name: string, response: Response, recorded: readonly ErrorCode[]): void {
  const codes = response["x-error-codes"] ?? [];
  const content = response.content?.["application/json"];
  // A name such as `InvalidRequest413` is a status that the code does not usually have, so no example fits.
  if (!content || /\d$/.test(name)) return;
  const shown = codes.filter((code) => recorded.includes(code));
  if (shown.length === 0) return;
  content.examples = Object.fromEntries(shown.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}
