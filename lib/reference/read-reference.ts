import { type Field, fieldsOf } from "./fields-of";
import { at, list, type Node, resolve, text } from "./node";

/** What pages of the API reference show, read from the OpenAPI document alone. */
export interface Reference {
  version: string;
  chapters: Chapter[];
  events: EventReference[];
  errors: ErrorReference[];
}

export interface Chapter {
  name: string;
  description: string;
  operations: OperationReference[];
}

export interface OperationReference {
  id: string;
  /** Upper case. */
  method: string;
  /** `/v1/transfers/{transfer_id}` */
  path: string;
  summary: string;
  description: string;
  /** What a key narrowed to scopes needs. */
  scope: string;
  /** Whether keys of one agent may call it, or the code that refuses them. */
  agentKeys: string;
  parameters: Parameter[];
  body?: { required: boolean; fields: Field[] };
  /** Of success, by status. */
  answers: Answer[];
  errors: { status: number; codes: string[] }[];
  /** A request that was sent and answered: 201 where there is one, else the first of `answers`. */
  example: { path: string; body?: Node };
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  type: string;
  default?: Node;
}

export interface Answer {
  status: number;
  description: string;
  fields: Field[];
  /** As it was answered. */
  example?: Node;
  /** The body that was sent for it. */
  request?: Node;
}

interface EventReference {
  type: string;
  description: string;
  fields: Field[];
  example?: Node;
}

interface ErrorReference {
  code: string;
  status: number;
  /** Markdown. */
  description: string;
  docUrl: string;
  example?: Node;
}

/** Reads the document of `/openapi.json`. */
export function readReference(document: Node): Reference {
  const operations = Object.entries(at(document, "paths") ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]) => readOperation(document, path, method, operation)),
  );
  return {
    version: text(at(document, "info"), "version"),
    chapters: list(document, "tags").map((tag) => ({
      name: text(tag, "name"),
      description: text(tag, "description"),
      operations: operations.filter(({ chapter }) => chapter === text(tag, "name")).map(({ operation }) => operation),
    })),
    events: Object.entries(at(document, "webhooks") ?? {}).map(([type, { post }]) => readEvent(document, type, post)),
    errors: Object.entries(at(document, "x-errors") ?? {}).map(([code, error]) => ({
      code,
      status: Number(at(error, "status")),
      description: text(error, "description"),
      docUrl: text(error, "doc_url"),
      ...given("example", at(at(at(at(document, "components"), "examples"), code), "value")),
    })),
  };
}

function readOperation(document: Node, path: string, method: string, operation: Node) {
  const responses = Object.entries(at(operation, "responses") ?? {});
  const parameters = list(operation, "parameters").map((one) => resolve(document, one));
  const body = at(operation, "requestBody");
  const sent = at(jsonOf(body), "examples");
  const answers = responses.flatMap(([status, response]): Answer[] => {
    if (status >= "300") return [];
    const content = jsonOf(response);
    return [
      {
        status: Number(status),
        description: text(response, "description"),
        fields: content ? fieldsOf(document, at(content, "schema")) : [],
        ...given("example", at(content, "example")),
        ...given("request", at(at(sent, status), "value")),
      },
    ];
  });
  const sent201 = answers.find(({ status, request }) => status === 201 && request !== undefined);
  const shown = sent201 ?? answers.find(({ request }) => request !== undefined);
  const read: OperationReference = {
    id: text(operation, "operationId"),
    method: method.toUpperCase(),
    path,
    summary: text(operation, "summary"),
    description: text(operation, "description"),
    scope: text(operation, "x-key-scope"),
    agentKeys: text(operation, "x-agent-keys"),
    parameters: parameters.map(readParameter),
    ...(body
      ? { body: { required: at(body, "required") === true, fields: fieldsOf(document, at(jsonOf(body), "schema")) } }
      : {}),
    answers,
    errors: responses.flatMap(([status, response]) =>
      status < "400"
        ? []
        : [{ status: Number(status), codes: list(resolve(document, response), "x-error-codes").map(String) }],
    ),
    example: { path: examplePath(path, parameters), ...given("body", shown?.request) },
  };
  return { chapter: String(list(operation, "tags")[0]), operation: read };
}

function readParameter(parameter: Node): Parameter {
  const schema = at(parameter, "schema");
  return {
    name: text(parameter, "name"),
    in: text(parameter, "in") as Parameter["in"],
    required: at(parameter, "required") === true,
    description: text(parameter, "description"),
    type: text(schema, "type"),
    ...given("default", at(schema, "default")),
  };
}

function readEvent(document: Node, type: string, post: Node): EventReference {
  const content = jsonOf(at(post, "requestBody"));
  return {
    type,
    description: text(post, "description"),
    fields: fieldsOf(document, at(content, "schema")),
    ...given("example", at(content, "example")),
  };
}

function examplePath(path: string, parameters: Node[]): string {
  return path.replace(/\{(\w+)\}/g, (whole, name) => {
    const parameter = parameters.find((one) => at(one, "name") === name);
    return String(at(parameter, "example") ?? whole);
  });
}

const jsonOf = (holder: Node | undefined): Node | undefined => at(at(holder, "content"), "application/json");

/** A field that is left out when there is nothing to say. */
function given<K extends string>(key: K, value: Node | undefined): { [P in K]?: Node } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: Node };
}
