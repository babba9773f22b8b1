import { allowedRange, documentedFields, type ReferenceField, valuesOf } from "./fields-of";
import { at, list, type Node, resolve, text } from "./node";

/** The content of the API reference pages, derived from the OpenAPI document alone. */
export interface ApiReference {
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
  /** In upper case. */
  method: string;
  /** Such as `/v1/transfers/{transfer_id}`. */
  path: string;
  summary: string;
  description: string;
  /** The scope that a narrowed key needs. */
  scope: string;
  /** Whether an agent's keys may call it, or the error code with which they are refused. */
  agentKeys: string;
  parameters: Parameter[];
  body?: { required: boolean; description: string; fields: ReferenceField[] };
  /** Success responses, by status. */
  responses: DocumentedResponse[];
  errors: { status: number; codes: string[] }[];
  /** Headers of its success responses. */
  headers: { name: string; description: string }[];
  /** A request with a recorded response: the 201 if there is one, else the first of `responses`. */
  example: ExampleRequest;
}

/** A recorded request. `path` includes the query. */
interface ExampleRequest {
  path: string;
  body?: Node;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  type: string;
  /** The allowed values, if there are few. */
  values: string[];
  /** The allowed numbers in words; empty if there is no limit. */
  range: string;
  default?: Node;
}

export interface DocumentedResponse {
  status: number;
  description: string;
  fields: ReferenceField[];
  /** The recorded response. */
  example?: Node;
  /** The request that returned `example`. */
  request?: ExampleRequest;
}

interface EventReference {
  type: string;
  description: string;
  fields: ReferenceField[];
  example?: Node;
}

interface ErrorReference {
  code: string;
  status: number;
  /** In Markdown. */
  description: string;
  docUrl: string;
  example?: Node;
}

/** Reads the reference from the document of `/openapi.json`. */
export function readReference(document: Node): ApiReference {
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
  const declared = Object.entries(at(operation, "responses") ?? {});
  const parameters = list(operation, "parameters").map((one) => resolve(document, one));
  const body = at(operation, "requestBody");
  const responses = declared.flatMap(([status, response]): DocumentedResponse[] => {
    if (status >= "300") return [];
    const content = jsonOf(response);
    const request = at(response, "x-example-request");
    return [
      {
        status: Number(status),
        description: text(response, "description"),
        fields: content ? documentedFields(document, at(content, "schema")) : [],
        ...given("example", at(content, "example")),
        ...(request === undefined ? {} : { request: request as unknown as ExampleRequest }),
      },
    ];
  });
  const [first] = responses;
  const shown = responses.find(({ status }) => status === 201) ?? first;
  const read: OperationReference = {
    id: text(operation, "operationId"),
    method: method.toUpperCase(),
    path,
    summary: text(operation, "summary"),
    description: text(operation, "description"),
    scope: text(operation, "x-key-scope"),
    agentKeys: text(operation, "x-agent-keys"),
    parameters: parameters.map((one) => readParameter(document, one)),
    ...(body ? { body: readBody(document, body) } : {}),
    responses,
    errors: declared.flatMap(([status, response]) =>
      status < "400"
        ? []
        : [{ status: Number(status), codes: list(resolve(document, response), "x-error-codes").map(String) }],
    ),
    headers: headersOf(document, at(operation, "responses")),
    example: shown?.request ?? { path: examplePath(path, parameters) },
  };
  return { chapter: String(list(operation, "tags")[0]), operation: read };
}

function readBody(document: Node, body: Node) {
  return {
    required: at(body, "required") === true,
    description: text(body, "description"),
    fields: documentedFields(document, at(jsonOf(body), "schema")),
  };
}

/** Returns the headers of all success responses, each once. */
function headersOf(document: Node, responses: Node | undefined) {
  const found = new Map<string, string>();
  for (const [status, response] of Object.entries(responses ?? {})) {
    if (status >= "300") continue;
    for (const [name, header] of Object.entries(at(response, "headers") ?? {})) {
      found.set(name, text(resolve(document, header), "description"));
    }
  }
  return [...found].map(([name, description]) => ({ name, description }));
}

function readParameter(document: Node, parameter: Node): Parameter {
  const schema = resolve(document, at(parameter, "schema"));
  return {
    name: text(parameter, "name"),
    in: text(parameter, "in") as Parameter["in"],
    required: at(parameter, "required") === true,
    description: text(parameter, "description"),
    type: text(schema, "type"),
    values: valuesOf(document, schema),
    range: allowedRange(schema),
    ...given("default", at(schema, "default")),
  };
}

function readEvent(document: Node, type: string, post: Node): EventReference {
  const content = jsonOf(at(post, "requestBody"));
  return {
    type,
    description: text(post, "description"),
    fields: documentedFields(document, at(content, "schema")),
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

/** Returns an object with one field, or an empty object if the value is undefined. */
function given<K extends string>(key: K, value: Node | undefined): { [P in K]?: Node } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: Node };
}
