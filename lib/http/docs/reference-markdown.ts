import type { ReferenceField } from "@/lib/http/reference/fields-of";
import type { Node } from "@/lib/http/reference/node";
import type { ApiReference, Chapter, OperationReference } from "@/lib/http/reference/read-reference";
import { samplesOf } from "@/lib/http/reference/samples-of";

/** Returns a chapter of the reference as Markdown: each operation with its fields, a request and its response. */
export function chapterMarkdown({ name, description, operations }: Chapter, origin: string): string {
  return page(name, description, ...operations.map((operation) => operationMarkdown(operation, origin)));
}

/** Returns the fields of each type of event, as Markdown. */
export function eventTypesMarkdown({ events }: ApiReference): string {
  const sections = events.map(({ type, description, fields, example }) =>
    joined(`## ${type}`, description, fieldList(fields), json("Delivery", example)),
  );
  return page("Event types", "What events and webhooks carry, type by type. None holds an amount.", ...sections);
}

/** Returns the page of one error code as Markdown; undefined for an unknown code. */
export function errorMarkdown({ errors }: ApiReference, code: string): string | undefined {
  const error = errors.find((one) => one.code === code);
  if (!error) return undefined;
  return page(code, `HTTP status ${error.status}.`, error.description, json("Example", error.example));
}

function operationMarkdown(operation: OperationReference, origin: string): string {
  const { summary, method, path, description, scope, parameters, body, responses, errors } = operation;
  const codes = errors.flatMap((one) => one.codes.map((code) => `${one.status} [${code}](/docs/errors/${code}.md)`));
  return joined(
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    scope && `Scope: \`${scope}\``,
    parameters.length > 0 && `### Parameters\n\n${parameters.map(line).join("\n")}`,
    body && `### Request body\n\n${fieldList(body.fields)}`,
    `### Request\n\n\`\`\`bash\n${samplesOf(operation, origin).curl}\n\`\`\``,
    ...responses.map((one) =>
      joined(`### Response ${one.status}`, one.description, fieldList(one.fields), json("Example", one.example)),
    ),
    codes.length > 0 && `### Errors\n\n${codes.join(", ")}`,
  );
}

const fieldList = (fields: ReferenceField[]): string => fields.flatMap((field) => nested(field, "")).join("\n");

function nested(field: ReferenceField, margin: string): string[] {
  return [`${margin}${line(field)}`, ...field.fields.flatMap((inner) => nested(inner, `${margin}  `))];
}

interface Described {
  name: string;
  type: string;
  required: boolean;
  description: string;
  values?: string[];
}

function line({ name, type, required, description, values = [] }: Described): string {
  const one = values.length > 0 ? ` One of ${values.map((value) => `\`${value}\``).join(", ")}.` : "";
  return `- \`${name}\` (${type}${required ? ", required" : ""})${description && `: ${description}`}${one}`;
}

function json(title: string, value: Node | undefined): string | false {
  return value !== undefined && `${title}:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

const page = (title: string, ...parts: (string | false | undefined)[]) => `${joined(`# ${title}`, ...parts)}\n`;
const joined = (...parts: (string | false | undefined)[]) => parts.filter(Boolean).join("\n\n");
