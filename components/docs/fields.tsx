import type { ReferenceField } from "@/lib/http/reference/fields-of";
import type { Parameter } from "@/lib/http/reference/read-reference";
import { Text } from "./text";

/** The fields of a request or response body. Nested objects expand below their field. */
export function Fields({ fields, sent }: { fields: ReferenceField[]; sent: boolean }) {
  return (
    <ul className="docs-fields">
      {fields.map((field) => (
        <li key={field.name}>
          <p className="docs-field-head">
            <code>{field.name}</code>
            <span>{field.type}</span>
            {sent && field.required && <strong>required</strong>}
            {sent && !field.required && <span>optional</span>}
            {!sent && !field.required && <span>conditional</span>}
          </p>
          {field.description && <Text>{field.description}</Text>}
          <Values {...field} />
          {field.fields.length > 0 && (
            <details>
              <summary>Fields of {field.name}</summary>
              <Fields fields={field.fields} sent={sent} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The allowed values of a field or parameter. */
function Values({ values, range, default: standard }: Pick<ReferenceField, "values" | "range" | "default">) {
  if (values.length === 0 && range === "" && standard === undefined) return null;
  return (
    <p className="docs-field-values">
      {values.length > 0 && (
        <>
          {values.length === 1 ? "Always " : "One of "}
          {values.map((value) => (
            <code key={value}>{value}</code>
          ))}
        </>
      )}
      {range !== "" && <span>Range: {range}</span>}
      {standard !== undefined && (
        <span>
          Default <code>{JSON.stringify(standard)}</code>
        </span>
      )}
    </p>
  );
}

/** The path, query and header parameters of a request. */
export function Parameters({ parameters }: { parameters: Parameter[] }) {
  return (
    <ul className="docs-fields">
      {parameters.map((parameter) => (
        <li key={`${parameter.in} ${parameter.name}`}>
          <p className="docs-field-head">
            <code>{parameter.name}</code>
            <span>
              {parameter.in}, {parameter.type || "string"}
            </span>
            {parameter.required ? <strong>required</strong> : <span>optional</span>}
          </p>
          {parameter.description && <Text>{parameter.description}</Text>}
          <Values {...parameter} />
        </li>
      ))}
    </ul>
  );
}
